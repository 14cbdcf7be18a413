import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { AppList } from './app-list.tsx'

const { vault, show } = openVault()

const connect = (label: string) =>
  vault().sessions.connect({
    grant: {
      ...{ audience_did: STRANGER, command: '/msg/send', policy: [], label },
      expires_at: Math.floor(Date.now() / 1_000) + 3_600,
    },
    origin: label,
  })

test('locked, sessions can’t be ended, and each grey button says why', async () => {
  await connect('https://a.example')
  await connect('https://b.example')
  await vault().lock()
  const routeTree = createRootRoute({ component: AppList })
  show(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() }) as never} />)
  const ends = await screen.findAllByRole('button', { name: /^End session/ })
  expect(ends.map(({ title }) => title)).toEqual(['Unlock to end it', 'Unlock to end it'])
  expect(screen.getByRole('button', { name: 'End all' }).title).toBe('Unlock to end them')
})
