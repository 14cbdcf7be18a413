import type { VaultSnapshot } from '@keyhole/vault'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetProof, hasRecentProof, keepProof, RECENT, recentProof, sealProof } from './recent-proof.ts'

const PASSPHRASE = 'violet anvil harbour thirty'
const listeners = new Set<() => void>()
let at: Pick<VaultSnapshot, 'phase' | 'address'>
const vault = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  getSnapshot: () => at as VaultSnapshot,
}
const turn = (phase: VaultSnapshot['phase'], address: string) => {
  at = { phase, address }
  for (const listener of [...listeners]) listener()
}

beforeEach(() => {
  vi.useFakeTimers()
  at = { phase: 'unlocked', address: 'kh1a' }
})

afterEach(() => {
  forgetProof()
  expect(listeners.size).toBe(0)
  vi.useRealTimers()
})

test('returns the proof that an account was created with, each time it is asked for', async () => {
  keepProof(vault, 'kh1a', await sealProof({ passphrase: PASSPHRASE }))
  expect(await recentProof('kh1a')).toEqual({ passphrase: PASSPHRASE })
  expect(await recentProof('kh1a')).toEqual({ passphrase: PASSPHRASE })
  expect(await recentProof('kh1b')).toBeUndefined()
  const prf = new Uint8Array(64).fill(7)
  const sealed = await sealProof({ passkey: { credential: 'AQID', prf } })
  // The vault overwrites its own copy.
  expect(prf.every((byte) => byte === 7)).toBe(true)
  keepProof(vault, 'kh1a', sealed)
  const proof = await recentProof('kh1a')
  expect(proof).toEqual({ passkey: { credential: 'AQID', prf: new Uint8Array(64).fill(7) } })
})

test('keeps no secret in the clear, and its key can’t be exported', async () => {
  const { sealed, key } = await sealProof({ passphrase: PASSPHRASE })
  expect(new TextDecoder().decode(sealed)).not.toContain('violet')
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
})

test.each([
  ['locks', () => turn('locked', 'kh1a')],
  ['is left for another', () => turn('unlocked', 'kh1b')],
  ['was made five minutes ago', () => vi.advanceTimersByTime(RECENT)],
  ['was made before the machine slept', () => vi.setSystemTime(Date.now() + RECENT)],
  ['was made before the clock was set back', () => vi.setSystemTime(Date.now() - RECENT)],
] as const)('is forgotten when the account %s', async (_, happens) => {
  keepProof(vault, 'kh1a', await sealProof({ passphrase: PASSPHRASE }))
  turn('unlocked', 'kh1a')
  vi.advanceTimersByTime(RECENT - 1)
  vi.setSystemTime(Date.now())
  expect(hasRecentProof('kh1a')).toBe(true)
  happens()
  expect(hasRecentProof('kh1a')).toBe(false)
  expect(await recentProof('kh1a')).toBeUndefined()
})
