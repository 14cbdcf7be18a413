import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import { announce } from './announce.ts'

/** A secret that lies in the clipboard, and when it is taken out. */
export interface Deposit {
  /** Milliseconds since 1970. */
  readonly until: number
  /** Tells the button that put it there from all others. */
  readonly owner: string
}

let deposit: Deposit | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: Deposit | undefined): void {
  deposit = next
  clearTimeout(timer)
  if (next) timer = setTimeout(() => void clearClipboard(), Math.max(0, next.until - Date.now()))
  for (const listener of listeners) listener()
}

/** A browser lets only the page in front write to the clipboard: until this one is, the clearing waits. */
function waitForFocus(): Promise<void> {
  if (document.hasFocus()) return Promise.resolve()
  return new Promise((resolve) => addEventListener('focus', () => resolve(), { once: true }))
}

/** Copies, and forgets any clearing that was due: what it was for has just been overwritten. */
export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  set(undefined)
}

/** Copies a secret that is to be cleared after `seconds`, also when the button that copied it is gone by then. */
export async function deposited(text: string, seconds: number, owner: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  set({ until: Date.now() + seconds * 1000, owner })
}

/** Empties the clipboard now, or as soon as the page is in front again, and says what came of it. */
export async function clearClipboard(): Promise<void> {
  const due = deposit
  if (!due) return
  clearTimeout(timer)
  await waitForFocus()
  // Something else was copied here in the meantime.
  if (deposit !== due) return
  try {
    await navigator.clipboard.writeText('')
    announce(t`Clipboard cleared`, t`What you copied here is no longer in it.`)
  } catch {
    announce(
      t`The clipboard could not be cleared`,
      t`The browser refused it. Copy something else over it, and look whether your system keeps a clipboard history.`,
    )
  }
  set(undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What lies in the clipboard to be cleared, if anything. */
export function useDeposit(): Deposit | undefined {
  return useSyncExternalStore(subscribe, () => deposit)
}
