import type { KeyVault } from '@keyhole/vault'
import { hasRelay, isRelayOn } from './relay-setting.ts'

/** Asks this vault's relay which of the links that were handed over have been opened. Asks nothing if none waits. Never fails. */
export async function askForOpened(vault: KeyVault): Promise<void> {
  try {
    if (!isRelayOn() || !navigator.onLine) return
    const handovers = await vault.handovers.list()
    if (handovers.every(({ openedAt }) => openedAt !== undefined) || !(await hasRelay())) return
    const { fetchOpened } = await import('@keyhole/vault/opened')
    await fetchOpened(vault, `${location.origin}/relay`)
  } catch {
    // Locked, offline, or the disk is full: it is asked again later.
  }
}
