import type { VaultPhase } from '@keyhole/vault'

/** Whether it is still to be seen what this browser has: the client initialises the vault by itself. */
export function isOpening(phase: VaultPhase): boolean {
  return phase === 'uninitialized' || phase === 'loading'
}
