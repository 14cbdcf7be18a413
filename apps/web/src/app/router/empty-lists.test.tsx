import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { press } from '../../test/person.ts'

const { create, load } = openClient()

/** The part of the page that says that a list is empty. */
const emptyState = async (title: string) =>
  (await screen.findByText(title)).parentElement ?? expect.fail(`Nothing says “${title}”.`)

test.each([
  ['/identity?tab=received', 'Nothing yet', 'Show your DID', '/identity?tab=overview'],
  ['/identity?tab=sessions', 'No app is connected', 'Try the demo’s app', '/demo?tab=app'],
  ['/payment?tab=history', 'No payments yet', 'Try the demo’s shop', '/demo?tab=shop'],
  ['/?view=graph', 'No one holds a grant from you', 'New grant', '/identity?tab=grants'],
])('the empty list at %s leads to what fills it', async (address, title, action, target) => {
  await create()
  await load(address)
  const links = within(await emptyState(title)).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([[action, target]])
})

test('the empty list of grants leads to the form above it', async () => {
  await create()
  await load('/identity?tab=grants')
  await press('Create your first grant', await emptyState('No grants yet'))
  expect(document.activeElement).toBe(screen.getByLabelText('Who'))
})
