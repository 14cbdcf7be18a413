import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'

const { create, load, vault } = openClient()

const hasLooked = () => waitFor(() => expect(vault().getSnapshot().phase).toBe('empty'))

test('without a vault, an unknown address leads home and offers no search', async () => {
  await load('/holiday/mails')
  await hasLooked()
  expect(await screen.findByRole('heading', { level: 1, name: 'There is no page here' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Go home' }).getAttribute('href')).toBe('/')
  expect(screen.queryByRole('link', { name: /^Search the vault/ })).toBeNull()
  expect(screen.queryByText(/search your vault/)).toBeNull()
})

test('with a vault, an unknown address offers to search for it', async () => {
  await create()
  await load('/holiday/mails')
  const search = await screen.findByRole('link', { name: 'Search the vault for “holiday mails”' })
  expect(search.getAttribute('href')).toMatch(/^\/search\?q=holiday(?:\+|%20)mails$/)
  expect(screen.getByText(/search your vault/)).toBeDefined()
})

test('without a vault, the search page leads to where a token can be checked', async () => {
  await load('/search')
  await hasLooked()
  const check = await screen.findByRole('link', { name: 'Check it' })
  expect(check.getAttribute('href')).toBe('/identity?tab=check')
  expect(screen.queryByText(/paste a token/)).toBeNull()
})

test('with a vault, the search page says what to paste into its field', async () => {
  await create()
  await load('/search')
  expect(await screen.findByText(/paste a token/)).toBeDefined()
  expect(await screen.findByRole('combobox', { name: 'Search the vault' })).toBeDefined()
})
