import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
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
