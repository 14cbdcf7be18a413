import { CANARY_KEY, DATABASE_PREFIX, MIRROR_FOLDER } from '@keyhole/vault/places'

/**
 * Whether a vault was made in this browser, as far as localStorage remembers (the canary of `@keyhole/vault`). Only for what is
 * shown while the vault opens: what is there is said by the vault itself.
 */
export function isVaultKnown(): boolean {
  try {
    const accounts: unknown = JSON.parse(localStorage.getItem(CANARY_KEY) ?? '[]')
    return Array.isArray(accounts) && accounts.length > 0
  } catch {
    return false
  }
}

async function hasDatabase(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name?.startsWith(DATABASE_PREFIX))
}

async function hasSecondCopy(): Promise<boolean> {
  const root = await navigator.storage.getDirectory()
  await root.getDirectoryHandle(MIRROR_FOLDER)
  return true
}

let looked: Promise<boolean[]> | undefined

/**
 * Whether databases or second copies of accounts were there when this document first asked, where localStorage remembers none: it can be
 * lost by itself.
 */
export async function hasTracesOfVault(): Promise<boolean> {
  // What cannot be looked at is found by the vault itself, when it is opened.
  looked ??= Promise.all([hasDatabase, hasSecondCopy].map((look) => look().catch(() => false)))
  return (await looked).includes(true)
}
