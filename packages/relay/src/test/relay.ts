// A relay for tests, and tokens to send to it.
import { createEnclave, type Enclave } from '@keyhole/enclave'
import { createHolder, type Holder, memoryStore as holderStore } from '@keyhole/holder'
import {
  container,
  delegation,
  type Fields,
  invocation,
  type Person,
  revocation,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { BOUNDS, type Bounds } from '../bounds.ts'
import { type Act, RATES, type Rate } from '../http/rates.ts'
import { createRelay, type Relay, type RelayOptions } from '../relay.ts'
import { memoryStore } from '../stores/memory-store.ts'
import type { RelayStore } from '../stores/store.ts'

export const HOST = 'vault.example'
export const AUDIENCE = `did:web:${HOST}`
export const START = 1_800_000_000_000

let enclave: Promise<Enclave> | undefined
/** One enclave for all relays of a test file. */
export function sharedEnclave(): Promise<Enclave> {
  enclave ??= createEnclave({ keyless: true })
  return enclave
}
export async function closeSharedEnclave(): Promise<void> {
  await (await enclave)?.close()
  enclave = undefined
}

export interface World {
  readonly relay: Relay
  readonly store: RelayStore
  now: number
  readonly errors: unknown[]
  ask(
    path: string,
    init?: RequestInit & { readonly token?: string; readonly address?: string },
  ): Promise<Response>
  post(path: string, body: unknown, address?: string): Promise<Response>
}

/** No rate limits, for tests of other things. */
export const NO_RATES = Object.fromEntries(
  Object.keys(RATES).map((act) => [act, { burst: 1e9, perMinute: 1e9 }]),
) as Record<Act, Rate>

export async function makeRelay(
  options: Partial<RelayOptions> & { readonly boundsOf?: Partial<Bounds> } = {},
): Promise<World> {
  const bounds = { ...BOUNDS, ...options.boundsOf }
  const store = options.store ?? memoryStore(bounds)
  const errors: unknown[] = []
  const world = { store, now: START, errors }
  const relay = await createRelay({
    records: true,
    store,
    bounds,
    hosts: [HOST],
    enclave: await sharedEnclave(),
    clock: () => world.now,
    onError: (error) => errors.push(error),
    rates: NO_RATES,
    ...options,
  })
  const made: World = Object.assign(world, {
    relay,
    ask: (path: string, { token, address = '192.0.2.1', ...init }: Parameters<World['ask']>[1] = {}) => {
      const headers = new Headers(init.headers)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      const [host = HOST] = options.hosts ?? []
      return relay.fetch(new Request(`https://${host}/relay${path}`, { ...init, headers }), { address })
    },
    post: (path: string, body: unknown, address = '192.0.2.1') =>
      made.ask(path, { method: 'POST', body: JSON.stringify(body), address }),
  })
  return made
}

/** A holder with the relay's clock. Its DID serves as mailbox. */
export function mailboxHolder(world: { readonly now: number }): Holder {
  return createHolder({ store: holderStore(), clock: () => world.now })
}

/** Signs an invocation by a holder on itself. */
export async function own(
  holder: Holder,
  command: string,
  args: Record<string, unknown> = {},
  audience = AUDIENCE,
): Promise<string> {
  return (await holder.invoke(command, args, { subject: await holder.did(), audience, expiresIn: 60 })).token
}

/** A chain of delegations from the first person to the last, and its text. */
export function chainOf(
  people: readonly Person[],
  changes: readonly Fields[] = [],
): { tokens: Token[]; text: string } {
  const [owner] = people
  const tokens = people.slice(1).map((to, at) => {
    const from = people[at]
    if (!from || !owner) throw new Error('A chain needs two people.')
    return delegation(from, to, { sub: owner.did, ...changes[at] })
  })
  return { tokens, text: container(tokens) }
}

/** Signs a revocation. */
export function revoke(by: Person, target: Token, changes: Fields = {}): string {
  return container([revocation(by, target, changes)])
}

/** Signs an invocation to read a feed. */
export function reading(by: Person, owner: Person, proofs: readonly Token[], changes: Fields = {}): string {
  const fields = {
    cmd: '/relay/revocations/read',
    aud: AUDIENCE,
    exp: BigInt(START / 1_000 + 300),
    ...changes,
  }
  return container([...proofs, invocation(by, owner, proofs, fields)])
}
