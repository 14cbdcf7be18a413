import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { card, fill, inside, press, sees } from '../../test/person.ts'

const { create, load, vault, address } = openClient()

const PANEL = 'Call a function'
const choose = async (name: string) => {
  const functions = await within(await card(PANEL)).findByRole('navigation', { name: 'Functions' })
  await press(name, functions)
  await waitFor(() => inside(PANEL).getByRole('heading', { name: new RegExp(name) }))
}

test('functions answer, say how long it took, what it means, and how to do the same', async () => {
  await load('/demo')
  // One from each group. A faster test checks that all of them answer.
  for (const [name, words] of [
    ['new_origin_token', /A token that anyone can check/],
    ['validate_invocation', /Allowed: /],
    ['verify_data', /The signature is valid/],
    ['list_keys', undefined],
    ['check_backup', undefined],
  ] as const) {
    await choose(name)
    await waitFor(() => expect(address()).toContain(`fn=${name}`))
    await press('Call', PANEL)
    await sees('answered', PANEL)
    await sees(/[\d.,]+ ms round trip/, PANEL)
    if (words) await sees(words, PANEL)
    if (name === 'new_origin_token') expect((await card(PANEL)).textContent).toContain('You let Helper')
  }
  fireEvent.click(await screen.findByText('The same in your own code'))
  const code = await screen.findByRole('region', { name: 'code' })
  expect(code.textContent).toContain("enclave.call('check_backup', {")

  // Functions that close the vault can be followed by opening it again.
  await choose('lock_vault')
  await press('Call', PANEL)
  await sees('answered', PANEL)
  await choose('invoke')
  await press('Call', PANEL)
  await sees('refused', PANEL)
  await choose('validate_invocation')
  await press('Open it again', PANEL)
  await press('Call', PANEL)
  await sees('answered', PANEL)
})

test('input that isn’t JSON and input that the plugin refuses get different messages', async () => {
  await load('/demo?fn=new_origin_token')
  await fill('In', '{oops', PANEL)
  await press('Call', PANEL)
  await sees(/This is not JSON: line 1, column 2/, PANEL)
  await fill('In', '{"audience_did": "nobody", "command": "/x"}', PANEL)
  await press('Call', PANEL)
  await sees('refused', PANEL)
})

test('every attack is refused, and the real account is untouched', async () => {
  await create()
  const before = vault().getSnapshot()
  await load('/demo?tab=attacks')
  const list = await card('Attacks to try')
  const [first] = await within(list).findAllByRole('listitem')
  fireEvent.click(within(first ?? expect.fail()).getByRole('button', { name: /^Try it:/ }))
  expect(await within(first ?? expect.fail()).findByText(/^Refused/)).toBeDefined()
  await press('Try them all', list)
  await sees('18 of 18 tried, 18 refused.', list)
  expect(within(list).getAllByText(/^Refused/)).toHaveLength(18)
  expect(vault().getSnapshot()).toMatchObject({ phase: 'unlocked', address: before.address })
  expect(vault().getSnapshot().revision).toBe(before.revision)
  const databases = (await indexedDB.databases()).map(({ name }) => name)
  expect(databases.filter((name) => name?.startsWith('vault_'))).toEqual([`vault_${before.address}`])
})
