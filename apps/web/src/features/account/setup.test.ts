import type { VaultSnapshot } from '@keyhole/vault'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginSetup, codeConfirmed, codeWaits, endSetup, putOff, readSetup } from './setup.ts'

const CODE = 'AAAA-BBBB'
let listeners: Set<() => void>
let at: Pick<VaultSnapshot, 'phase' | 'address'>

function turn(phase: VaultSnapshot['phase'], address?: string): void {
  at = { phase, ...(address !== undefined && { address }) }
  for (const listener of [...listeners]) listener()
}

beforeEach(() => {
  const values = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  })
  endSetup()
  listeners = new Set()
  at = { phase: 'unlocked', address: 'kh1a' }
  const vault = {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getSnapshot: () => at as VaultSnapshot,
  }
  beginSetup(vault, { address: 'kh1a', tab: 'create', recoveryCode: CODE })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a code is there until it was given back, also when it was put off', () => {
  expect(codeWaits(readSetup())).toBe(true)
  putOff('code', true)
  expect(readSetup()).toMatchObject({ recoveryCode: CODE, code: 'later' })
  codeConfirmed({ unlockMethods: { confirmRecoveryCode: async () => undefined } })
  expect(readSetup()).toEqual({ address: 'kh1a', tab: 'create', code: 'kept' })
  putOff('code', false)
  expect(readSetup()?.code).toBe('kept')
})

test.each([
  ['is locked', 'locked', 'kh1a'],
  ['is left for another one', 'unlocked', 'kh1b'],
  ['is left', 'empty', undefined],
] as const)('a code is put away when its account %s', (_, phase, address) => {
  turn('unlocked', 'kh1a')
  expect(codeWaits(readSetup())).toBe(true)
  turn(phase, address)
  expect(readSetup()).toEqual({ address: 'kh1a', tab: 'create', code: 'hidden' })
  turn('unlocked', 'kh1a')
  expect(codeWaits(readSetup())).toBe(false)
})

test('a code that was given back stays so', () => {
  codeConfirmed({ unlockMethods: { confirmRecoveryCode: async () => undefined } })
  turn('locked', 'kh1a')
  expect(readSetup()?.code).toBe('kept')
})

test('that it was given back is told to the vault, and a vault that refuses changes nothing here', async () => {
  const confirmRecoveryCode = vi.fn(async () => {
    throw new Error('locked')
  })
  codeConfirmed({ unlockMethods: { confirmRecoveryCode } })
  await Promise.resolve()
  expect(confirmRecoveryCode).toHaveBeenCalledOnce()
  expect(readSetup()?.code).toBe('kept')
})

test('what was forgotten hears nothing any more', () => {
  endSetup()
  expect(listeners.size).toBe(0)
  turn('locked', 'kh1a')
  expect(readSetup()).toBeUndefined()
})
