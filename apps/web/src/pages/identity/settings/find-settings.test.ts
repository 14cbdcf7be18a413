import { expect, test } from 'vitest'
import { findSettings } from './find-settings.ts'

const SECTIONS = [
  { id: 'unlock', title: 'Unlocking', about: 'When it locks.', settings: ['Change passphrase', 'Auto-lock'] },
  { id: 'backup', title: 'Backup', about: 'Outside this browser.', settings: ['Create a backup file'] },
] as const

test.each([
  ['', { unlock: [], backup: [] }],
  ['  ', { unlock: [], backup: [] }],
  ['auto', { unlock: ['Auto-lock'] }],
  ['PASSPHRASE change', { unlock: ['Change passphrase'] }],
  // Each word somewhere in the section, though in no one setting.
  ['backup outside', { backup: [] }],
  ['unlocking', { unlock: [] }],
  ['passphrase backup', {}],
])('“%s” finds %j', (text, found) => {
  expect(Object.fromEntries(findSettings(SECTIONS, text).map(({ id, settings }) => [id, settings]))).toEqual(
    found,
  )
})
