import type { KeyVault, VaultPhase } from '@keyhole/vault'

/** Whether we don't know yet what this browser has. The client initialises the vault on its own. */
export function isOpening(phase: VaultPhase): boolean {
  return phase === 'uninitialized' || phase === 'loading'
}

/** Waits until we know what this browser has, or that the vault can't be made ready. */
export function whenOpened(vault: Pick<KeyVault, 'getSnapshot' | 'subscribe'>): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (isOpening(vault.getSnapshot().phase)) return
      unhear()
      resolve()
    }
    const unhear = vault.subscribe(check)
    check()
  })
}
