import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Scene } from './scene.tsx'

afterEach(cleanup)

async function open(): Promise<{ told: boolean[] }> {
  const told: boolean[] = []
  const onOpen = vi.fn((isOpen: boolean) => void told.push(isOpen))
  const root = createRootRoute({ component: () => <Scene onOpen={onOpen} /> })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  await act(() => router.load())
  render(
    <I18nProvider i18n={i18n}>
      <RouterProvider router={router as never} />
    </I18nProvider>,
  )
  return { told }
}

const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))
const choose = (name: string) => act(async () => void fireEvent.click(screen.getByRole('radio', { name })))
const log = () =>
  within(screen.getByRole('log'))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

test('one folder: what is inside is read, what is outside is refused, and all of it once revoked', async () => {
  const { told } = await open()
  await press('Give it a grant instead')
  await screen.findByRole('button', { name: 'Sign grant' })
  expect(screen.getByText(/with no limits/)).toBeTruthy()
  await choose('Lisbon')
  await choose('1 hour')
  expect(screen.getByText(/“path” starts with “\/photos\/lisbon\/”/)).toBeTruthy()
  await press('Sign grant')
  expect(told.at(-1)).toBe(true)
  expect(log()).toEqual([
    'It reads /photos/lisbon/tram.jpg.',
    'Refused: /taxes/2025.pdf is outside the folder.',
  ])
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: /birthday\.jpg/ })))
  expect(log().at(-1)).toBe('Refused: /photos/family/birthday.jpg is outside the folder.')
  await press('Revoke')
  expect(told.at(-1)).toBe(false)
  expect(log().at(-1)).toBe('Refused: /photos/lisbon/tram.jpg. You revoked the grant.')
  await press('Play it again')
  expect(screen.getByRole('button', { name: 'Give it a grant instead' })).toBeTruthy()
})

test('everything: nothing is refused, and that is said', async () => {
  await open()
  await press('Give it a grant instead')
  await screen.findByRole('button', { name: 'Sign grant' })
  await press('Sign grant')
  expect(log()).toEqual(['It reads /photos/lisbon/tram.jpg.', 'It reads /taxes/2025.pdf.'])
  expect(screen.getByText(/you signed for all of it/)).toBeTruthy()
})
