import type { VaultPhase } from '@keyhole/vault'
import { expect, test, vi } from 'vitest'
import { whenOpened } from './is-opening.ts'

function vaultIn(phase: VaultPhase) {
  const listeners = new Set<() => void>()
  const snapshot = { phase }
  return {
    listeners,
    getSnapshot: () => snapshot as never,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    become(next: VaultPhase) {
      snapshot.phase = next
      for (const listener of listeners) listener()
    },
  }
}

test('waits until we know what this browser has', async () => {
  const vault = vaultIn('uninitialized')
  const opened = vi.fn()
  const waiting = whenOpened(vault).then(opened)
  for (const phase of ['loading', 'uninitialized', 'loading'] as const) {
    vault.become(phase)
    await Promise.resolve()
    expect(opened).not.toHaveBeenCalled()
  }
  vault.become('locked')
  await waiting
  expect(opened).toHaveBeenCalledOnce()
  expect(vault.listeners.size).toBe(0)
})

test.each(['empty', 'locked', 'unlocked', 'failed'] as const)(
  'stops waiting if the vault is %s',
  async (phase) => {
    const vault = vaultIn(phase)
    await whenOpened(vault)
    expect(vault.listeners.size).toBe(0)
  },
)
