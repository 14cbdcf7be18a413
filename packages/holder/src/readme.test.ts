import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it("the README's first example runs, and prints a link", async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /^```js\n([\s\S]+?)^```/m.exec(readme) ?? []
  const said: unknown[] = []
  const run = new Function(
    'holder',
    'console',
    `return (async () => {${example
      .replace(/^import .+$/m, 'const { createHolder, memoryStore } = holder')
      .replace('const holder = createHolder', 'const own = createHolder')
      .replace('holder.ask', 'own.ask')}})()`,
  )
  await run(await import('./index.ts'), { log: (text: unknown) => said.push(text) })
  expect(said).toEqual([
    expect.stringMatching(/^https:\/\/vault\.example\/connect#keyhole-request-1\.[\w-]+$/),
  ])
})
