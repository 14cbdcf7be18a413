import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import {
  card,
  confirm,
  expectUnlocked,
  fill,
  OTHER_PASSPHRASE,
  openUnlockDialog,
  press,
} from '../../../test/person.ts'

const { vault, create, load, lose, reload } = openClient()

const title = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })

test('a lost vault is forgotten only by typing, and then it is a new browser', async () => {
  await create()
  await lose()
  await load('/')
  expect(await title('Your vault is missing')).toBeDefined()
  await press('Forget vault')
  const forget = await screen.findByRole('button', { name: 'Forget for good' })
  expect(forget).toHaveProperty('disabled', true)
  await confirm('Forget for good')
  expect(await title(/one folder/)).toBeDefined()
  await reload()
  expect(await title(/one folder/)).toBeDefined()
})

test('the other vaults of the browser go on as they were', async () => {
  await create({ label: 'Lost one' })
  const { address } = vault().getSnapshot()
  await create({ label: 'Still here', passphrase: OTHER_PASSPHRASE })
  await lose(address)
  await load('/')
  const dialog = await openUnlockDialog()
  await fill('Passphrase', OTHER_PASSPHRASE, dialog)
  await press('Unlock', dialog)
  await expectUnlocked()
  expect(await title('Still here')).toBeDefined()
  const lost = await card('The missing vault')
  await waitFor(() => expect(lost.textContent).toContain(address))
  await waitFor(() => expect(vault().getSnapshot().lost).toMatchObject([{ address }]))
})
