import { VaultEvents } from '@keyhole/vault'
import { beforeEach, expect, test } from 'vitest'
import { beginSetup, codeKept, codeWaits, endSetup, putOff, readSetup } from './setup.ts'

const CODE = 'AAAA-BBBB'
let vault: VaultEvents

beforeEach(() => {
  endSetup()
  vault = new VaultEvents()
  beginSetup(vault, { address: 'kh1a', tab: 'create', recoveryCode: CODE })
})

test('a code is there until it was given back, also when it was put off', () => {
  expect(codeWaits(readSetup())).toBe(true)
  putOff('code', true)
  expect(readSetup()).toMatchObject({ recoveryCode: CODE, code: 'later' })
  codeKept()
  expect(readSetup()).toEqual({ address: 'kh1a', tab: 'create', code: 'kept' })
  putOff('code', false)
  expect(readSetup()?.code).toBe('kept')
})

test('locking its vault puts a code away, and locking another does not', () => {
  vault.emit('vault:locked', { address: 'kh1b' })
  expect(codeWaits(readSetup())).toBe(true)
  vault.emit('vault:locked', { address: 'kh1a' })
  expect(readSetup()).toEqual({ address: 'kh1a', tab: 'create', code: 'hidden' })
})

test('what was forgotten hears nothing any more', () => {
  endSetup()
  vault.emit('vault:locked', { address: 'kh1a' })
  expect(readSetup()).toBeUndefined()
})
