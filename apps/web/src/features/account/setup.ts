import type { KeyVault } from '@keyhole/vault'
import { useSyncExternalStore } from 'react'

/** An account that was just made here, and what is left to do so that it is not lost. In memory alone. */
export interface Setup {
  readonly address: string
  /** On which tab of the page it was made. */
  readonly tab: 'create' | 'restore'
  /** Shown until it was given back, put off, or the vault locks. */
  readonly recoveryCode?: string
  /** What became of the recovery code; absent: none was made. */
  readonly code?: 'waits' | 'later' | 'kept' | 'hidden'
  /** Whether the backup was put off. */
  readonly backupLater?: true
}

let setup: Setup | undefined
let unhear: (() => void) | undefined
const listeners = new Set<() => void>()

function put(next: Setup | undefined): void {
  setup = next
  for (const listener of listeners) listener()
}

/**
 * Begins to see a new account through. A code that was not given back is not left on a screen that nobody is at: it goes when
 * the account is locked, and when this tab leaves it, of which no event tells.
 */
export function beginSetup(
  vault: Pick<KeyVault, 'subscribe' | 'getSnapshot'>,
  made: Pick<Setup, 'address' | 'tab' | 'recoveryCode'>,
): void {
  endSetup()
  put({ ...made, ...(made.recoveryCode !== undefined && { code: 'waits' }) })
  unhear = vault.subscribe(() => {
    const { phase, address } = vault.getSnapshot()
    if (setup?.recoveryCode === undefined || (phase === 'unlocked' && address === setup.address)) return
    const { recoveryCode: _, ...rest } = setup
    put({ ...rest, code: 'hidden' })
  })
}

/** The code was given back: it need not be shown any more. */
export function codeConfirmed(vault: {
  readonly unlockMethods: Pick<KeyVault['unlockMethods'], 'confirmRecoveryCode'>
}): void {
  if (!setup) return
  const { recoveryCode: _, ...rest } = setup
  // What fails is raised by the vault, and the code is asked for again.
  void vault.unlockMethods.confirmRecoveryCode().catch(() => undefined)
  put({ ...rest, code: 'kept' })
}

/** Puts one of the steps off, or takes it up again. */
export function putOff(step: 'code' | 'backup', later: boolean): void {
  if (!setup) return
  if (step === 'code') {
    if (setup.recoveryCode !== undefined) put({ ...setup, code: later ? 'later' : 'waits' })
    return
  }
  const { backupLater: _, ...rest } = setup
  put(later ? { ...rest, backupLater: true } : rest)
}

/** Forgets the account that was just made, and a code that was not given back with it. */
export function endSetup(): void {
  unhear?.()
  unhear = undefined
  put(undefined)
}

/** Whether there is a code that was not given back and can still be shown. */
export function codeWaits(state: Setup | undefined): boolean {
  return state?.recoveryCode !== undefined
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The account that was just made here, as far as it was seen through. Going elsewhere and back loses nothing of it. */
export function useSetup(): Setup | undefined {
  return useSyncExternalStore(subscribe, readSetup)
}

/** The same at this moment, outside of a component. */
export function readSetup(): Setup | undefined {
  return setup
}
