import { readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { freshBrowser } from './test/browser.ts'

freshBrowser()
it('the example runs, and matches the README', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import('./test/example.ts')
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^[CP][\w-]+$/))
  const [readme, example] = await Promise.all(
    ['../README.md', './test/example.ts'].map((path) => readFile(new URL(path, import.meta.url), 'utf8')),
  )
  expect(readme).toContain(example)
})
