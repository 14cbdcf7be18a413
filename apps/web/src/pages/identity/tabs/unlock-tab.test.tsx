import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import { PASSPHRASE } from '../../../test/open-vault.tsx'
import {
  card,
  choose,
  expectUnlocked,
  fill,
  header,
  lockByHand,
  OTHER_PASSPHRASE,
  openUnlockDialog,
  press,
} from '../../../test/person.ts'

const { vault, create, load, reload } = openClient()

const WRONG = /^This passphrase does not open it\./

test('locked by hand it asks again; a wrong passphrase is told in words, and costs nothing', async () => {
  await create()
  await load('/identity?tab=unlock')
  await lockByHand()
  expect(await card('The vault is locked')).toBeDefined()
  const dialog = await openUnlockDialog()
  await press('Unlock', dialog)
  expect(await within(dialog).findByText('Type the passphrase of this vault.')).toBeDefined()
  await fill('Passphrase', 'not the passphrase at all', dialog)
  await press('Unlock', dialog)
  expect(await within(dialog).findByText(WRONG)).toBeDefined()
  expect(within(dialog).queryByText(/INVALID_PASSPHRASE/)).toBeNull()
  await fill('Passphrase', PASSPHRASE, dialog)
  await press('Unlock', dialog)
  await expectUnlocked()
})

test('the passphrase is changed, and only the new one opens', async () => {
  await create()
  await load('/identity?tab=unlock')
  const form = await card('Change the passphrase')
  await fill('Current passphrase', 'wrong wrong wrong wrong', form)
  await fill('New passphrase', OTHER_PASSPHRASE, form)
  await fill('Confirm passphrase', OTHER_PASSPHRASE, form)
  await press('Change passphrase', form)
  expect(await within(form).findByText(WRONG)).toBeDefined()
  await fill('Current passphrase', PASSPHRASE, form)
  await press('Change passphrase', form)
  expect(await within(form).findByText('The passphrase is changed.')).toBeDefined()

  await reload()
  const dialog = await openUnlockDialog()
  await fill('Passphrase', PASSPHRASE, dialog)
  await press('Unlock', dialog)
  expect(await within(dialog).findByText(WRONG)).toBeDefined()
  await fill('Passphrase', OTHER_PASSPHRASE, dialog)
  await press('Unlock', dialog)
  await expectUnlocked()
})

test('a new recovery code takes the place of the old one', async () => {
  const old = (await create({ recoveryCode: true })) ?? expect.fail('No recovery code was made.')
  await load('/identity?tab=unlock')
  const form = await card('The recovery code')
  await press('Create a new one', form)
  const prove = await screen.findByRole('dialog')
  await fill('Passphrase', 'not the passphrase at all', prove)
  await press('Show the code', prove)
  expect(await within(prove).findByText(WRONG)).toBeDefined()
  await fill('Passphrase', PASSPHRASE, prove)
  await press('Show the code', prove)
  const fresh = (await within(form).findByLabelText('Recovery code')).textContent ?? ''
  expect(fresh).not.toBe(old)
  await fill('Paste it back', fresh, form)
  await press('I’ve saved it', form)
  expect(await within(form).findByText('The recovery code is saved.')).toBeDefined()

  await reload()
  const dialog = await openUnlockDialog()
  await press('Use the recovery code instead', dialog)
  await fill('Recovery code', old, dialog)
  await press('Unlock', dialog)
  expect(await within(dialog).findByText(/^This recovery code does not open it\./)).toBeDefined()
  await fill('Recovery code', fresh, dialog)
  await press('Unlock', dialog)
  await expectUnlocked()
})

test('after failed tries the next one has to wait, across a reload', async () => {
  await create()
  await vault().lock()
  // The clock stands still until it is set.
  const start = Date.now()
  const now = vi.spyOn(Date, 'now').mockReturnValue(start)
  const waits = 'Too many tries in a row.'
  await load('/')
  let dialog = await openUnlockDialog()
  const attempt = async (passphrase: string) => {
    await fill('Passphrase', passphrase, dialog)
    await press('Unlock', dialog)
  }
  for (const wrong of ['wrong the first time', 'wrong the second time', 'wrong the third time']) {
    await attempt(wrong)
    expect(await within(dialog).findByText(WRONG)).toBeDefined()
    // It can be typed over at once.
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Passphrase')))
  }
  await attempt(PASSPHRASE)
  expect(await within(dialog).findByText(waits)).toBeDefined()
  expect(within(dialog).getByText(/The next one can be made in 1 second\./)).toBeDefined()
  expect(within(dialog).getByRole('button', { name: 'Unlock' })).toHaveProperty('disabled', true)

  await reload()
  await within(header()).findByRole('button', { name: 'Unlock' })
  dialog = await openUnlockDialog()
  await attempt(PASSPHRASE)
  expect(await within(dialog).findByText(waits)).toBeDefined()
  now.mockReturnValue(start + 1_100)
  await waitFor(() => expect(within(dialog).queryByText(waits)).toBeNull())
  await press('Unlock', dialog)
  await expectUnlocked()
})

test('how long it waits can be set, and is kept', async () => {
  await create()
  await load('/identity?tab=unlock')
  const chosen = async () => (await screen.findByLabelText('Lock')).textContent
  await choose('Lock', 'After 1 minute', await card('Lock automatically'))
  await waitFor(async () => expect(await chosen()).toContain('After 1 minute'))
  await reload()
  await within(header()).findByRole('button', { name: 'Unlock' })
  await vault().unlock(PASSPHRASE)
  await waitFor(async () => expect(await chosen()).toContain('After 1 minute'))
  await choose('Lock', 'Never', await card('Lock automatically'))
  await waitFor(async () => expect(await chosen()).toContain('Never'))
})
