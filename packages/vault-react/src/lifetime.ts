import type { KeyVault } from '@keyhole/vault'

const holders = new WeakMap<KeyVault, number>()

/**
 * Initialises a vault while someone holds it, and cleans it up after the last one lets go. Letting go takes effect at
 * the end of the current task, so that React's immediate remounts (StrictMode, a changed key, fast refresh) keep the
 * vault as it is.
 * @param initialize whether to initialise the vault, if it isn't already
 * @returns lets go
 */
export function holdVault(vault: KeyVault, initialize: boolean): () => void {
  const before = holders.get(vault) ?? 0
  holders.set(vault, before + 1)
  if (initialize && !vault.isInitialized) {
    // The failure is in the snapshot and was raised as `vault:error`.
    vault.initialize().catch(() => undefined)
  }
  return () => {
    queueMicrotask(() => {
      const left = (holders.get(vault) ?? 1) - 1
      holders.set(vault, left)
      if (left === 0) void vault.cleanup()
    })
  }
}
