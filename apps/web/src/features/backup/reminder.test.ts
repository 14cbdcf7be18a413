import { expect, test } from 'vitest'
import { backupReminder } from './reminder.ts'

test('reminds until a backup was checked, and again once the vault has changed', () => {
  expect(backupReminder({ changedSince: false })?.title).toBe('No backup yet')
  expect(backupReminder({ writtenAt: 5, changedSince: false })?.title).toBe('The backup was not checked')
  expect(backupReminder({ writtenAt: 5, verifiedAt: 6, changedSince: false })).toBeUndefined()
  expect(backupReminder({ verifiedAt: 6, changedSince: true })?.action).toBe('Create a new one')
})
