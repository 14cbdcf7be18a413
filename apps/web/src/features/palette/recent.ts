import type { Found } from '../../shared/search/find.ts'

const KEY = 'keyhole:palette'
const MOST = 4

// What was found in the vault is in memory alone: it may be called by a label, and labels are sealed.
const NONE: { where: string; finds: readonly Found[] } = { where: '', finds: [] }
let found = NONE

/** Ids of the commands used last on this machine, the latest first. */
export function recentCommands(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Remembers a command that was used. */
export function noteCommand(id: string): void {
  try {
    const next = [id, ...recentCommands().filter((each) => each !== id)].slice(0, MOST)
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage the list begins anew with each page.
  }
}

/**
 * What was opened last, the latest first.
 * @param where the account and whether it is locked: what was found in an open vault is never shown of a locked one
 */
export function recentFinds(where: string): readonly Found[] {
  return found.where === where ? found.finds : []
}

/** Remembers something that was opened, until the vault locks or is left. */
export function noteFind(where: string, find: Found): void {
  const others = recentFinds(where).filter(({ id }) => id !== find.id)
  found = { where, finds: [find, ...others].slice(0, MOST) }
}

/** Forgets what was opened. */
export function forgetFinds(): void {
  found = NONE
}
