// A real relay on a real socket, for tests of its feed.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRelay, memoryStore } from '@keyhole/relay'
import { relayListener } from '@keyhole/relay/node'
import {
  container,
  delegation,
  friend,
  invocation,
  NOW,
  owner,
  revocationText,
  sharedEnclave,
  type Token,
} from './calls.ts'

export interface RelayServer {
  readonly url: string
  /** Milliseconds since 1970, for all participants. */
  now: number
  /** Whether the relay's store answers. */
  isBroken: boolean
  post(grant: Token, revocation?: string): Promise<Response>
  /** Cuts every connection. */
  cut(): void
  readonly listeners: number
  close(): Promise<void>
}

/** Starts a server. @returns its URL and how to end it */
export async function listen(
  listener: RequestListener,
): Promise<{ server: Server; url: string; close(): Promise<void> }> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export async function startRelay(): Promise<RelayServer> {
  const store = memoryStore()
  let isBroken = false
  const relay = await createRelay({
    store: {
      ...store,
      revocationsSince: (...asked) =>
        isBroken ? Promise.reject(new Error('The store failed.')) : store.revocationsSince(...asked),
    },
    enclave: await sharedEnclave(),
    clock: () => started.now,
  })
  const { server, url, close } = await listen(relayListener(relay))
  const started: RelayServer = {
    url: `${url}/relay`,
    now: NOW * 1_000,
    get isBroken() {
      return isBroken
    },
    set isBroken(value) {
      isBroken = value
    },
    // Uses a new connection, because open ones may be cut.
    post: (grant, revocation = revocationText(owner, grant)) =>
      fetch(`${url}/relay/revocations`, {
        method: 'POST',
        headers: { connection: 'close' },
        body: JSON.stringify({ revocation, token: container([grant]) }),
      }),
    cut: () => server.closeAllConnections(),
    get listeners() {
      return relay.listeners
    },
    close: async () => {
      await relay.close()
      await close()
    },
  }
  return started
}

/** Signs the friend's permission to listen to the owner's feed, like a holder. */
export const listener = {
  invoke: async (command: string, _args: object, { audience }: { readonly audience: string }) => {
    const grant = delegation(owner, friend, { cmd: '/relay' })
    const fields = { cmd: command, aud: audience, exp: BigInt(NOW + 60) }
    return { token: container([grant, invocation(friend, owner, [grant], fields)]) }
  },
}
