import { type Enclave, isRefusal } from '@keyhole/enclave'
import { LONGEST_TOKEN, type RevocationSource, StrangerQueue } from '@keyhole/verify'
import { undecided } from '../calls/undecided.ts'
import type { Grantlike } from './reach.ts'

/** Most grants that a caller shows for a list. */
const MOST_GRANTS = 64

/**
 * Reads the valid grants of the gate's owners among texts that anyone may have sent.
 *
 * @param address IP address of whoever sent them, if it is known
 * @throws CallRefused Unavailable if it is unknown what was revoked; Busy if too many texts wait, of all or of the address's network
 */
export type ReadGrants = (texts: readonly string[], address?: string) => Promise<readonly Grantlike[]>

export interface ReadGrantsOptions {
  /** Strangers can keep it busy. */
  readonly enclave: Pick<Enclave, 'call'>
  readonly revocations: RevocationSource
  /** DIDs of those whose grants are honoured. */
  readonly owners: readonly string[]
  readonly onError: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Reads one text at a time, first for the network that has used the least, and there in the order they came: many texts of one caller keep others waiting for one of them. */
export function grantReader({ enclave, revocations, owners, onError, clock }: ReadGrantsOptions): ReadGrants {
  // It has an enclave of its own, so it needn't rest while calls are checked.
  const queue = new StrangerQueue(
    () => false,
    () => performance.now(),
  )
  let came = 0
  /** What is being read. All servers of a gate are asked with the same list. */
  const running = new WeakMap<readonly string[], Promise<readonly Grantlike[]>>()

  /** What an owner grants with a token; undefined if it is no valid grant of theirs. */
  async function verify(token: string, revoked: readonly string[]) {
    const read = await enclave.call('verify_token', {
      ...{ token, now: Math.floor(clock() / 1_000) },
      ...(revoked.length > 0 && { revocations: revoked }),
    })
    if (isRefusal(read) || !read.valid) return undefined
    const owner = read.chain[0]?.issuer
    return owner !== undefined && owners.includes(owner) ? { ...read, owner } : undefined
  }

  /** The same, once it is its turn. */
  function queued(token: string, revoked: readonly string[], address: string | undefined) {
    came += 1
    return queue.run({ address, order: came, isGood: (read) => read !== undefined }, () =>
      verify(token, revoked),
    )
  }

  async function readGrant(token: string, address: string | undefined): Promise<Grantlike | undefined> {
    const read = await queued(token, [], address)
    if (!read) return undefined
    const { command, policy } = read.effective
    const found = await revocations.find(read.owner, read.chain)
    return found.length === 0 || (await queued(token, found, address)) ? { command, policy } : undefined
  }

  async function readAll(
    texts: readonly string[],
    address: string | undefined,
  ): Promise<readonly Grantlike[]> {
    const found: Grantlike[] = []
    for (const token of texts.filter(({ length }) => length <= LONGEST_TOKEN).slice(0, MOST_GRANTS)) {
      const grant = await readGrant(token, address)
      if (grant) found.push(grant)
    }
    return found
  }

  return (texts, address) => {
    const before = running.get(texts)
    if (before) return before
    const reading = readAll(texts, address)
      .catch((error) => undecided(error, onError))
      .finally(() => running.delete(texts))
    running.set(texts, reading)
    return reading
  }
}
