import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'

const folder = mkdtempSync(fileURLToPath(new URL('../../dist/readme-', import.meta.url)))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['../../README.md', true],
  ['../../../../README.md', false],
])('%s runs as printed', { timeout: 60_000 }, async (path, printed) => {
  const readme = readFileSync(new URL(path, import.meta.url), 'utf8')
  const example = /## Smallest example\n[^`]*```js\n([\s\S]+?)```/.exec(readme)?.[1] ?? ''
  expect(example).toContain('createEnclave')
  const script = join(folder, `prints-${printed}.mjs`)
  writeFileSync(script, example.replace("'@keyhole/enclave'", "'../index.js'"))
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await import(/* @vite-ignore */ pathToFileURL(script).href)
  expect(log.mock.calls).toEqual([[printed]])
  log.mockRestore()
})

it('checks a token in process as printed', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const example = /## In process\n[^`]*(?:`[^`\n]+`[^`]*)*```js\n([\s\S]+?)```/.exec(readme)?.[1] ?? ''
  expect(example).toContain('createVerifier')
  const script = join(folder, 'in-process.mjs')
  writeFileSync(script, example.replace("'@keyhole/enclave'", "'../index.js'"))
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await import(/* @vite-ignore */ pathToFileURL(script).href)
  expect(log.mock.calls).toEqual([['MalformedToken']])
  log.mockRestore()
})

it('type-checks the smallest example', () => {
  const [readme, example] = ['../../README.md', './example.ts'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(example)
})
