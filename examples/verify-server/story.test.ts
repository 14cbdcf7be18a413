import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'

it('the story in the README runs and prints what the README says', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  // Imported by its address, so that its types aren't checked: it should stay short.
  await import(new URL('./story.js', import.meta.url).href)
  const [started, ...lines] = log.mock.calls.map((words) => words.join(' '))
  expect(started).toMatch(/^Verifying for did:key:z6Mk\w+ at http:/)
  const printed = lines.join('\n')
  log.mockRestore()
  const [story, readme] = ['./story.js', './README.md'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(`\`\`\`js\n${story}\`\`\``)
  expect(readme).toContain(`\`\`\`\n${printed}\n\`\`\``)
})
