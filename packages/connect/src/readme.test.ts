import { readFile } from 'node:fs/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { PROTOCOL } from './messages.ts'
import { connect } from './test/example.ts'
import { FakeApp } from './test/windows.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('the example of the README runs, and is what the README shows', async () => {
  const app = new FakeApp()
  vi.stubGlobal('window', app)
  const answers = [connect, connect].map((run) =>
    run('https://vault.example', 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'),
  )
  const says = [
    { type: 'granted', token: 'Ctoken' },
    { type: 'refused', code: 'DECLINED', message: 'No.' },
  ]
  app.opened.forEach(({ window }, index) => {
    app.hears({ protocol: PROTOCOL, type: 'ready' }, 'https://vault.example', window)
    window.heard[0]?.ports[0]?.postMessage({ protocol: PROTOCOL, ...says[index] })
  })
  expect(await Promise.all(answers)).toEqual(['Ctoken', undefined])
  const [readme, example] = await Promise.all(
    ['../README.md', './test/example.ts'].map((path) => readFile(new URL(path, import.meta.url), 'utf8')),
  )
  expect(readme).toContain(example)
})
