import { isVaultKnown } from '../browser/known-vault.ts'

/** A lock that all tabs with an open vault share. The browser takes it from a tab that is gone, so none is left of a vault that is locked. */
const OPEN = 'keyhole:open'

/** Tells documents of this origin that the vault is open, for as long as it is. @returns ends it */
export function markOpen(): () => void {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  // Without locks, a vault counts as locked until it says otherwise.
  navigator.locks?.request(OPEN, { mode: 'shared' }, () => ended).catch(() => undefined)
  return end
}

let looked: Promise<boolean> | undefined
let isLocked = false

/** Whether there is a vault in this browser, and no tab has it open, when this document first asked: before the vault itself can say so. */
export function looksLocked(): Promise<boolean> {
  looked ??= look().then((found) => {
    isLocked = found
    return found
  })
  return looked
}

async function look(): Promise<boolean> {
  if (!isVaultKnown()) return false
  const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {}
  return !held.some(({ name }) => name === OPEN)
}

/** What `looksLocked` found so far. */
export const lookedLocked = (): boolean => isLocked
