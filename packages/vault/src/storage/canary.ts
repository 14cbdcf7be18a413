import * as v from 'valibot'
import { CANARY_KEY } from './storage-names.ts'
import { withCanaryLock } from './write-lock.ts'

const known = v.array(v.looseObject({ address: v.string(), createdAt: v.exactOptional(v.number()) }))

/** An account that was stored in this browser. `createdAt`: when, in milliseconds since 1970. */
export interface KnownAccount {
  readonly address: string
  readonly createdAt?: number
}

/** The accounts that were stored here and not removed; empty without localStorage. */
export function readCanary(): KnownAccount[] {
  try {
    const parsed = v.safeParse(known, JSON.parse(globalThis.localStorage?.getItem(CANARY_KEY) ?? '[]'))
    return parsed.success ? parsed.output : []
  } catch {
    return []
  }
}

/** Remembers that an account exists here. @param createdAt milliseconds since 1970 */
export async function noteAccount(address: string, createdAt: number): Promise<void> {
  if (readCanary().some((account) => account.address === address)) return
  await withCanaryLock(async () => {
    const others = readCanary().filter((account) => account.address !== address)
    write([...others, { address, createdAt }])
  })
}

/** Forgets an account that was removed. */
export async function forgetAccount(address: string): Promise<void> {
  if (!readCanary().some((account) => account.address === address)) return
  await withCanaryLock(async () => write(readCanary().filter((account) => account.address !== address)))
}

function write(accounts: readonly KnownAccount[]): void {
  try {
    globalThis.localStorage?.setItem(CANARY_KEY, JSON.stringify(accounts))
  } catch {
    // localStorage is full or blocked. The mirror knows the account too, so this mustn't fail a save.
  }
}
