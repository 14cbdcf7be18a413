import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { holderFolder } from '@keyhole/holder/node'
import type { RelayStore } from '@keyhole/relay'
import type { NatsPlace } from '@keyhole/verify/nats'
import { addressFromProxy } from '../client-address.ts'
import type { Command, Given } from '../command.ts'
import { CommandError, FAILED, wrongUsage } from '../errors.ts'
import { type EventLog, LOG_FORMAT, logged } from '../event-log.ts'
import { isLoopback, placeOf } from '../listen-address.ts'
import { connectTo, namedCluster, whenClusterAnswers } from '../nats.ts'
import { readDid } from '../values.ts'
import { VERSION } from '../version.ts'

/** Against clients that are slow or never finish, in milliseconds and bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 32_768,
}
/** How many connections may wait to be accepted: listeners that all come back at once. */
const BACKLOG = 4_096
/** No one has this feed. Reading it shows whether the store answers. */
const NO_ONE = 'did:key:health'

export const relay: Command = {
  name: 'relay',
  summary: 'Run a relay: mailboxes and the revocation feed',
  options: {
    listen: {
      type: 'string',
      value: 'HOST:PORT',
      help: 'Default: 127.0.0.1:4280. For other machines, put TLS in front of it',
    },
    store: {
      type: 'string',
      value: 'KIND',
      help: 'Where it stores things: in a `folder` of this machine, in `nats` for several relays, or in `memory` for tests. Default: folder',
    },
    data: { type: 'string', value: 'FOLDER', help: 'The folder. Default: $XDG_DATA_HOME/keyhole/relay' },
    nats: {
      type: 'string',
      multiple: true,
      value: 'HOST:PORT',
      help: 'A server of the NATS cluster. With a password, set KEYHOLE_NATS instead',
    },
    host: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'A host that clients use, with its port unless that is 443. Default: the names of this machine',
    },
    owner: {
      type: 'string',
      multiple: true,
      value: 'DID',
      help: "An owner whose revocations and listeners don't count towards the limits for strangers",
    },
    proxy: {
      type: 'boolean',
      help: "A proxy in front adds each client's address last in X-Forwarded-For. Without this, all of its clients share one limit",
    },
    'log-format': LOG_FORMAT,
  },
  examples: [
    [
      'keyhole relay',
      'For this machine, at http://127.0.0.1:4280/relay. /healthz says whether it can answer',
    ],
    ['keyhole relay --host vault.example --owner did:key:z6Mk… --proxy', 'Behind a server that adds TLS'],
    [
      'keyhole relay --store nats --nats 10.0.0.1:4222 --nats 10.0.0.2:4222 --nats 10.0.0.3:4222',
      'One of several relays: each message is on three servers',
    ],
  ],
  run: (given) => logged(given, (log) => serveUntilEnd(given, log)),
}

/** Serves until the process is told to end. */
async function serveUntilEnd(given: Given, log: EventLog): Promise<void> {
  const place = placeOf(given.text('listen') ?? '127.0.0.1:4280', '--listen')
  const hosts = given.texts('host')
  const owners = given.texts('owner').map((each) => readDid(each, '--owner'))
  const { store, close } = await openStore(given, log)
  let isClosing = false
  try {
    const { createRelay } = await import('@keyhole/relay')
    const { relayListener } = await import('@keyhole/relay/node')
    const made = await createRelay({
      store,
      owners,
      ...(hosts.length > 0 && { hosts }),
      onError: (error) => isClosing || log.error(error),
    })
    try {
      const handle = relayListener(made, given.has('proxy') ? { address: addressFromProxy } : {})
      const { limitPipelining, sharedAnswer } = await import('@keyhole/verify/node')
      const isWell = sharedAnswer(() =>
        store.lastSeq(NO_ONE).then(
          () => true,
          () => false,
        ),
      )
      const answer = limitPipelining((request, response) => {
        if (request.url !== '/healthz') {
          handle(request, response)
          return
        }
        void isWell().then((well) => {
          response.writeHead(well ? 200 : 503, {
            'content-type': 'application/json',
            'cache-control': 'no-store',
          })
          response.end(JSON.stringify({ status: well ? 'ok' : 'unavailable' }))
        })
      })
      const server = createServer(LIMITS, answer)
      const url = `${await listen(server, place)}/relay`
      // One connection fails, for example because too many files are open: the others go on.
      server.on('error', log.error)
      if (hosts.length === 0 && !isLoopback(place.host))
        log.warn('no_host', 'Only the names of this machine are answered. Name others with --host.')
      // Before anyone can know that it runs.
      const told = new Promise((resolve) => {
        process.once('SIGTERM', resolve)
        process.once('SIGINT', resolve)
      })
      given.io.print(given.has('json') ? JSON.stringify({ url }) : `Relay on ${url}`)
      log.info('started', { url, version: VERSION })
      await told
      isClosing = true
      log.info('stopping')
      const closed = new Promise((resolve) => server.close(resolve))
      // Listeners end here. Answers that are on their way are sent.
      await made.close()
      server.closeIdleConnections()
      await closed
    } finally {
      isClosing = true
      await made.close()
    }
  } finally {
    await close()
  }
}

interface Opened {
  readonly store: RelayStore
  close(): Promise<void>
}

/** @throws CommandError */
async function openStore(given: Given, log: EventLog): Promise<Opened> {
  const { text, texts, io } = given
  const kind = text('store') ?? 'folder'
  if (kind !== 'folder' && text('data') !== undefined) wrongUsage('--data goes with `--store folder`.')
  if (kind !== 'nats' && texts('nats').length > 0) wrongUsage('--nats goes with `--store nats`.')
  if (kind === 'memory') {
    const { memoryStore } = await import('@keyhole/relay')
    const store = memoryStore()
    return { store, close: () => store.close() }
  }
  if (kind === 'nats') {
    const place = await namedCluster(texts('nats'), io.env)
    return await whenClusterAnswers(
      () => openNats(place),
      (text) => log.warn('waiting', text),
    )
  }
  if (kind !== 'folder') return wrongUsage('--store takes folder, nats or memory.')
  const folder =
    text('data') === undefined
      ? join(holderFolder(io.env), '..', 'relay')
      : resolve(io.cwd, text('data') ?? '')
  try {
    const { embeddedStore } = await import('@keyhole/relay/embedded')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const store = embeddedStore(folder)
    return { store, close: () => store.close() }
  } catch {
    throw new CommandError(
      FAILED,
      'STORE_FAILED',
      `The folder ${folder} can't be used. Check that it is writable.`,
    )
  }
}

async function openNats(place: NatsPlace): Promise<Opened> {
  const connection = await connectTo(place)
  try {
    const { natsStore } = await import('@keyhole/relay/nats')
    const replicas = place.servers.length >= 3 ? 3 : 1
    const store = await natsStore(connection, { replicas, timeout: 5_000 })
    const close = async () => {
      await store.close()
      await connection.close()
    }
    return { store, close }
  } catch {
    await connection.close()
    throw new CommandError(
      FAILED,
      'STORE_FAILED',
      "The NATS cluster can't store what a relay has. Check that most of its servers run, with JetStream and a `max_file` of 16 GiB.",
    )
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program does already. Stop that one, or choose another port with --listen.',
  EACCES: 'You may not use this port. Choose one above 1023 with --listen.',
  EADDRNOTAVAIL: 'This machine does not have that address. Choose another with --listen.',
}
const whyNotListening = ({ code = '', message }: NodeJS.ErrnoException) =>
  LISTEN_PROBLEMS[code] ?? `${message}.`

async function listen(
  server: ReturnType<typeof createServer>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new CommandError(
          FAILED,
          'LISTEN_FAILED',
          `The relay can't listen on ${host}:${port}. ${whyNotListening(error)}`,
        ),
      ),
    )
    server.listen({ host, port, backlog: BACKLOG }, resolve)
  })
  server.removeAllListeners('error')
  const { port: used } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${used}`
}
