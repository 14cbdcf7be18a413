import { CANARY_KEY, DATABASE_PREFIX, MIRROR_FOLDER } from '@keyhole/vault/storage-names'

/**
 * Whether localStorage remembers a vault in this browser (the canary of `@keyhole/vault`). Only for what is shown while the vault opens;
 * the vault itself knows what is there.
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

let looked: Promise<boolean> | undefined
let areThere = false

/**
 * Whether databases or second copies of accounts existed when this document first asked. For when localStorage remembers none: it can be
 * lost separately.
 */
export async function hasTracesOfVault(): Promise<boolean> {
  // What can't be checked here, the vault finds when it opens.
  looked ??= Promise.all([hasDatabase, hasSecondCopy].map((look) => look().catch(() => false))).then(
    (found) => {
      areThere = found.includes(true)
      return areThere
    },
  )
  return await looked
}

/** Whether `hasTracesOfVault` has found any so far. */
export const areTracesFound = (): boolean => areThere
