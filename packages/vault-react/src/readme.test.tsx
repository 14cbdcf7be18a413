import 'fake-indexeddb/auto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { App } from './test/example.tsx'

it('the example renders, and matches the README', async () => {
  // There is no server here, so the vault keeps loading until it is unmounted.
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const { unmount } = render(<App />)
  expect(screen.getByText('The vault is loading.')).toBeDefined()
  unmount()
  const here = fileURLToPath(import.meta.url)
  const [readme, example] = await Promise.all(
    ['../README.md', 'test/example.tsx'].map((path) => readFile(new URL(path, `file://${here}`), 'utf8')),
  )
  expect(readme).toContain(example)
})
