import { type Enclave, isRefusal } from '@keyhole/enclave'
import { LONGEST_TOKEN, type RevocationSource } from '@keyhole/verify'
import { undecided } from '../calls/undecided.ts'
import type { Grantlike } from './reach.ts'

/** Most grants that a caller shows for a list. */
const MOST_GRANTS = 64

/**
 * Reads the valid grants of the gate's owners among texts that anyone may have sent.
 *
 * @throws CallRefused Unavailable if it is unknown what was revoked
 */
export type ReadGrants = (texts: readonly string[]) => Promise<readonly Grantlike[]>

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

/** Reads one text at a time, in turn for each who asks, so that many texts of one caller keep the others waiting for one of them. */
export function grantReader({ enclave, revocations, owners, onError, clock }: ReadGrantsOptions): ReadGrants {
  let last: Promise<unknown> = Promise.resolve()
  /** What is being read. All servers of a gate are asked with the same list. */
  const running = new WeakMap<readonly string[], Promise<readonly Grantlike[]>>()

  async function verify(token: string, revoked: readonly string[]) {
    const verifying = last.then(() =>
      enclave.call('verify_token', {
        ...{ token, now: Math.floor(clock() / 1_000) },
        ...(revoked.length > 0 && { revocations: revoked }),
      }),
    )
    last = verifying.catch(() => {})
    const read = await verifying
    return isRefusal(read) || !read.valid ? undefined : read
  }

  async function readGrant(token: string): Promise<Grantlike | undefined> {
    const read = await verify(token, [])
    const subject = read?.chain[0]?.issuer
    if (!read || subject === undefined || !owners.includes(subject)) return undefined
    const { command, policy } = read.effective
    const found = await revocations.find(subject, read.chain)
    return found.length === 0 || (await verify(token, found)) ? { command, policy } : undefined
  }

  async function readAll(texts: readonly string[]): Promise<readonly Grantlike[]> {
    const found: Grantlike[] = []
    for (const token of texts.filter(({ length }) => length <= LONGEST_TOKEN).slice(0, MOST_GRANTS)) {
      const grant = await readGrant(token)
      if (grant) found.push(grant)
    }
    return found
  }

  return (texts) => {
    const before = running.get(texts)
    if (before) return before
    const reading = readAll(texts)
      .catch((error) => undecided(error, onError))
      .finally(() => running.delete(texts))
    running.set(texts, reading)
    return reading
  }
}
