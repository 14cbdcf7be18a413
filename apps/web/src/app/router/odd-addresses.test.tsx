import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'

const { load } = openClient()

test.each([
  '/identity?tab=nonsense&token=5',
  '/search?kind=7&status=[]',
  '/demo?fn=rm',
  '/search?q=%7B%22a%22%3A1%7D&kind=7',
  '/register?tab=1',
  '/register?tab[]=x',
  '/?view=nonsense&span=eternity&from=soon',
])('an address with nonsense in it still opens the page: %s', async (address) => {
  await load(address)
  expect(await screen.findByRole('heading', { level: 1 })).toBeDefined()
  expect(screen.queryByText('This page did not open')).toBeNull()
})
