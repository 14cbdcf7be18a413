import type { Found } from '../search/find.ts'

const KEY = 'keyhole:palette'
const MOST = 4

// What was found in the vault is in memory alone: it may be called by a label, and labels are sealed.
let found: { address: string; things: readonly Found[] } = { address: '', things: [] }

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

/** What was opened last in an account, the latest first. */
export function recentThings(address: string | undefined): readonly Found[] {
  return found.address === address ? found.things : []
}

/** Remembers something that was opened, until the vault locks. */
export function noteThing(address: string | undefined, thing: Found): void {
  if (address === undefined) return
  const others = recentThings(address).filter(({ id }) => id !== thing.id)
  found = { address, things: [thing, ...others].slice(0, MOST) }
}

/** Forgets what was opened: the vault has locked. */
export function forgetThings(): void {
  found = { address: '', things: [] }
}
