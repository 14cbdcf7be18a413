import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from '../fixtures.ts'

const web = join(import.meta.dirname, '../..')

test('the component page is there in development and not in a build', async ({ request }) => {
  const answer = await request.get('/dev/components', { headers: { accept: 'text/html' } })
  expect(answer.status()).toBe(404)
  // Words that only that page has.
  const words = 'A line that is disabled'
  expect(readFileSync(join(web, 'dev/inputs.tsx'), 'utf8')).toContain(words)
  const dist = join(web, 'dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(html|js)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(10)
  for (const name of files) {
    expect(name).not.toContain('dev/')
    if (statSync(join(dist, name)).isFile())
      expect(readFileSync(join(dist, name), 'utf8'), name).not.toContain(words)
  }
})

test('the component page shows every part of the interface', () => {
  const ui = join(web, 'src/shared/ui')
  const reached = new Set<string>()
  const read = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import\()\s*'(\.[^']+\.tsx)'/g,
    )) {
      const next = join(dirname(file), path)
      if (next.startsWith(ui) || next.startsWith(join(web, 'dev'))) read(next)
    }
  }
  read(join(web, 'dev/components.tsx'))
  const parts = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx$/.test(name),
  )
  expect(parts.length).toBeGreaterThan(30)
  expect(parts.filter((name) => !reached.has(join(ui, name)))).toEqual([])
  expect([...reached].filter((file) => relative(web, file).startsWith('dev')).length).toBeGreaterThan(5)
})
