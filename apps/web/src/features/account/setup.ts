import type { KeyVault } from '@keyhole/vault'
import { useSyncExternalStore } from 'react'

/** An account that was just made here, and which steps are left. In memory only. */
export interface Setup {
  readonly address: string
  /** The tab it was made on. */
  readonly tab: 'create' | 'restore'
  /** In memory until it is saved and the step of the first backup is over, or the vault locks. */
  readonly recoveryCode?: string
  /** What became of the recovery code. "hidden": the vault locked before it was saved. */
  readonly code: 'waits' | 'later' | 'saved' | 'hidden'
  /** What became of the first backup. "saved": as a file that no one checked. */
  readonly backup: 'waits' | 'later' | 'saved' | 'checked'
  /** The first backup, once it is written: it can be saved again. */
  readonly file?: SavedFile
}

/** A file that the browser was given to save. Whether it did, no one tells. */
export interface SavedFile {
  readonly filename: string
  readonly file: Blob
}

let setup: Setup | undefined
let unhear: (() => void) | undefined
const listeners = new Set<() => void>()

function put(next: Setup | undefined): void {
  setup = next
  for (const listener of listeners) listener()
}

function withoutCode({ recoveryCode: _, ...rest }: Setup): Setup {
  return rest
}

/**
 * Begins the steps after an account is made. No one may be at the screen after a lock, so the code goes then, and when this tab
 * switches accounts, for which there is no event.
 */
export function beginSetup(
  vault: Pick<KeyVault, 'subscribe' | 'getSnapshot'>,
  made: Pick<Setup, 'address' | 'tab'> & { readonly recoveryCode: string },
): void {
  endSetup()
  put({ ...made, code: 'waits', backup: 'waits' })
  unhear = vault.subscribe(() => {
    const { phase, address } = vault.getSnapshot()
    if (setup?.recoveryCode === undefined || (phase === 'unlocked' && address === setup.address)) return
    put({ ...withoutCode(setup), code: setup.code === 'saved' ? 'saved' : 'hidden' })
  })
}

/** Notes that the code was saved. It stays in memory to open the first backup with. */
export function codeSaved(vault: {
  readonly unlockMethods: Pick<KeyVault['unlockMethods'], 'confirmRecoveryCode'>
}): void {
  if (!setup) return
  // The vault reports a failure itself, and asks for the code again.
  void vault.unlockMethods.confirmRecoveryCode().catch(() => undefined)
  put({ ...setup, code: 'saved' })
}

/** Skips the recovery code, and the backup that it opens with it, or comes back to it. */
export function skipCode(isSkipped: boolean): void {
  if (setup && codeWaits(setup)) put({ ...setup, code: isSkipped ? 'later' : 'waits' })
}

/** Notes that the first backup is written. It stays in memory, since its download can be lost. */
export function backupWritten({ filename, file }: SavedFile): void {
  if (setup) put({ ...setup, file: { filename, file } })
}

/** Forgets a code that was saved: the first backup was opened with it. */
export function forgetCode(): void {
  if (setup?.code === 'saved') put(withoutCode(setup))
}

/** Ends the step of the first backup, and forgets the code that opens it, or comes back to the step. */
export function markBackup(backup: Setup['backup']): void {
  if (!setup) return
  put({ ...setup, backup })
  if (backup !== 'waits') forgetCode()
}

/** Forgets the account that was just made, and its recovery code. */
export function endSetup(): void {
  unhear?.()
  unhear = undefined
  put(undefined)
}

/** Whether there is a code that was not saved yet and can still be shown. */
export function codeWaits(state: Setup | undefined): boolean {
  return state?.recoveryCode !== undefined && state.code !== 'saved'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The account that was just made here. Leaving the page and coming back loses nothing of it. */
export function useSetup(): Setup | undefined {
  return useSyncExternalStore(subscribe, readSetup, readSetup)
}

/** The same, outside a component. */
export function readSetup(): Setup | undefined {
  return setup
}
