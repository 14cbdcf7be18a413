import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readAnswer } from '../../../shared/contacts/did-answer.ts'
import { openClient } from '../../../test/open-client.tsx'
import { card, fill } from '../../../test/person.ts'

const { vault, create, load, reload } = openClient()

const answer = async () => {
  const link = within(await card('Your answer')).getByRole('region', { name: 'answer' }).textContent ?? ''
  return readAnswer(new URL(link.trim()).hash)
}

test('who is asked for a DID answers with a link, also while the vault is locked', async () => {
  await create()
  const did = vault().getSnapshot().issuerDid
  await load('/identity?tab=ask')
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Someone is asking for your DID' }),
  ).toBeDefined()
  expect(await answer()).toEqual({ did, name: '' })
  // What they are asked for: enough of it that no one can search for a key with the same end.
  const end =
    screen
      .getByText(/^If they ask/)
      .textContent?.match(/…(.*)\.$/)?.[1]
      ?.replaceAll(' ', '') ?? ''
  expect(end.length * Math.log2(58)).toBeGreaterThan(60)
  expect(did?.endsWith(end)).toBe(true)
  await fill('Your name', '  Bob & sons\u202e ', await card('Your answer'))
  expect(await answer()).toEqual({ did, name: 'Bob & sons' })
  await reload()
  expect(await answer()).toEqual({ did, name: '' })
})

test('who has no vault is told to make one first', async () => {
  await load('/identity?tab=ask')
  expect(await screen.findByText('Create a vault first. Then open this link again.')).toBeDefined()
  expect(await screen.findByText('There is no vault in this browser yet')).toBeDefined()
})
