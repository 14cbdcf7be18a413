import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import { announce } from './announce.ts'

/** A secret in the clipboard, and when it is cleared. */
export interface Deposit {
  /** Milliseconds since 1970. */
  readonly until: number
  /** Identifies the button that put it there. */
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

/** Browsers let only the page in front write to the clipboard, so clearing waits until this page is. */
function waitForFocus(): Promise<void> {
  if (document.hasFocus()) return Promise.resolve()
  return new Promise((resolve) => addEventListener('focus', () => resolve(), { once: true }))
}

/** Copies a text and cancels any pending clearing: it has just overwritten the secret. */
export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  set(undefined)
}

/** Copies a secret and clears it after `seconds`, even if the button that copied it is gone by then. */
export async function deposited(text: string, seconds: number, owner: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  set({ until: Date.now() + seconds * 1000, owner })
}

/** Clears the clipboard now, or as soon as the page is in front again, and says whether it worked. */
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
      t`The browser refused it. Copy something else over it. Then see if your system keeps a list of what was copied.`,
    )
  }
  set(undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The secret in the clipboard that is due to be cleared, if any. */
export function useDeposit(): Deposit | undefined {
  return useSyncExternalStore(
    subscribe,
    () => deposit,
    () => deposit,
  )
}
