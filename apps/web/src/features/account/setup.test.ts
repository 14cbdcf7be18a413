import type { VaultSnapshot } from '@keyhole/vault'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  backupWritten,
  beginSetup,
  codeSaved,
  codeWaits,
  endSetup,
  forgetCode,
  markBackup,
  readSetup,
  skipCode,
} from './setup.ts'

const CODE = 'AAAA-BBBB'
const MADE = { address: 'kh1a', tab: 'create' } as const
const WILLING = { unlockMethods: { confirmRecoveryCode: async () => undefined } }
let listeners: Set<() => void>
let at: Pick<VaultSnapshot, 'phase' | 'address'>

function turn(phase: VaultSnapshot['phase'], address?: string): void {
  at = { phase, ...(address !== undefined && { address }) }
  for (const listener of [...listeners]) listener()
}

beforeEach(() => {
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
  beginSetup(vault, { ...MADE, recoveryCode: CODE })
})

test('a code waits until it is saved, also when it was skipped', () => {
  expect(codeWaits(readSetup())).toBe(true)
  skipCode(true)
  expect(readSetup()).toMatchObject({ recoveryCode: CODE, code: 'later' })
  codeSaved(WILLING)
  expect(codeWaits(readSetup())).toBe(false)
  skipCode(false)
  expect(readSetup()?.code).toBe('saved')
})

test.each(['later', 'saved', 'checked'] as const)(
  'a saved code opens the first backup, and goes once that is %s',
  (backup) => {
    codeSaved(WILLING)
    expect(readSetup()?.recoveryCode).toBe(CODE)
    const file = { filename: 'mine.keyhole.json', file: new Blob() }
    backupWritten(file)
    expect(readSetup()).toEqual({ ...MADE, recoveryCode: CODE, code: 'saved', backup: 'waits', file })
    markBackup(backup)
    expect(readSetup()).toEqual({ ...MADE, code: 'saved', backup, file })
  },
)

test('a code that was not saved is not forgotten before it can be', () => {
  forgetCode()
  expect(readSetup()?.recoveryCode).toBe(CODE)
  codeSaved(WILLING)
  forgetCode()
  expect(readSetup()).toEqual({ ...MADE, code: 'saved', backup: 'waits' })
})

test.each([
  ['is locked', 'locked', 'kh1a'],
  ['is left for another one', 'unlocked', 'kh1b'],
  ['is left', 'empty', undefined],
] as const)('a code goes when its account %s', (_, phase, address) => {
  turn('unlocked', 'kh1a')
  expect(codeWaits(readSetup())).toBe(true)
  turn(phase, address)
  expect(readSetup()).toEqual({ ...MADE, code: 'hidden', backup: 'waits' })
  turn('unlocked', 'kh1a')
  expect(codeWaits(readSetup())).toBe(false)
})

test('a code that was saved stays so, and goes when the vault locks', () => {
  codeSaved(WILLING)
  turn('locked', 'kh1a')
  expect(readSetup()).toEqual({ ...MADE, code: 'saved', backup: 'waits' })
})

test('the vault is told that it was saved, and a vault that refuses changes nothing here', async () => {
  const confirmRecoveryCode = vi.fn(async () => {
    throw new Error('locked')
  })
  codeSaved({ unlockMethods: { confirmRecoveryCode } })
  await Promise.resolve()
  expect(confirmRecoveryCode).toHaveBeenCalledOnce()
  expect(readSetup()?.code).toBe('saved')
})

test('what was forgotten hears nothing', () => {
  endSetup()
  expect(listeners.size).toBe(0)
  turn('locked', 'kh1a')
  expect(readSetup()).toBeUndefined()
})
