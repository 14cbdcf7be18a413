import { refused, type VaultError } from '../../base/errors.ts'
import { type KnownAccount, readCanary } from '../canary.ts'
import { AccountMirror, listMirrors } from '../mirror/mirror.ts'

/**
 * An account that this browser had, and whose database is gone or has no readable state. Times are in milliseconds
 * since 1970.
 */
export interface LostAccount {
  readonly address: string
  readonly createdAt?: number
  /**
   * What the second copy has: everything; the keys, but not every record; or no keys, so that only a backup can restore
   * the account, with any records the copy has.
   */
  readonly mirror: 'whole' | 'partial' | 'none'
  /** Tokens in the second copy. */
  readonly tokens?: number
  /** The browser's database didn't answer in time, so the account may be whole. */
  readonly noAnswer?: true
}

/** The accounts that were here, according to the canary and the mirrors. */
export async function knownAccounts(): Promise<KnownAccount[]> {
  const canary = readCanary()
  const noted = new Set(canary.map(({ address }) => address))
  const mirrors = (await listMirrors()).filter((address) => !noted.has(address))
  const held = await Promise.all(
    // One that can't be read now is there, and must not keep the other accounts from being found.
    mirrors.map(async (address) => ((await copyOf(address).catch(() => 'unreadable')) ? [{ address }] : [])),
  )
  return [...canary, ...held.flat()]
}

/** Whether an account was ever here. */
export async function isKnown(address: string): Promise<boolean> {
  return (await knownAccounts()).some((known) => known.address === address)
}

/** The refusal to open a lost account. */
export function lostError(): VaultError {
  return refused('AccountLost', {}, { details: { store: 'state' } })
}

/** What is known about a lost account. */
export async function describeLost({ address, createdAt }: KnownAccount): Promise<LostAccount> {
  const known = { address, ...(createdAt !== undefined && { createdAt }) }
  try {
    const copy = await copyOf(address)
    if (!copy) return { ...known, mirror: 'none' }
    const { mirror, state, listing } = copy
    const about = { ...known, ...(state && { createdAt: state.createdAt }) }
    const { entries, unreadable } = await mirror.journal.read(listing)
    let tokens = 0
    for (const [key, text] of entries) if (key.startsWith('t') && text !== undefined) tokens += 1
    if (!state) return { ...about, mirror: 'none', tokens }
    // A mirror starts with the state, and the journal follows. Without a segment nothing is known about records.
    const whole = unreadable === 0 && !listing.mixed && listing.segments.length > 0
    return { ...about, mirror: whole ? 'whole' : 'partial', tokens }
  } catch {
    return { ...known, mirror: 'none' }
  }
}

/** The mirror of an account, if there is anything in it. */
async function copyOf(address: string) {
  const mirror = await AccountMirror.find(address).catch(() => undefined)
  if (!mirror) return undefined
  const [state, listing] = await Promise.all([mirror.readState(), mirror.journal.list()])
  return state || listing.segments.length > 0 ? { mirror, state, listing } : undefined
}
