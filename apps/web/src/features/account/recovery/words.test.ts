import { expect, test } from 'vitest'
import { lostWords, restoredWords } from './words.ts'

test.each([
  ['whole', 'good', /put back/],
  ['partial', 'warn', /damaged/],
  ['none', 'bad', /A passphrase or passkey alone can’t/],
] as const)('%s: says what is left and what is gone', (mirror, tone, words) => {
  const said = lostWords({ mirror, tokens: 3 })
  expect(said.tone).toBe(tone)
  expect(`${said.title} ${said.text}`).toMatch(words)
})

test.each(['whole', 'partial', 'none'] as const)(
  '%s: nothing is said to be gone if the database did not answer',
  (mirror) => {
    const said = lostWords({ mirror, tokens: 3, noAnswer: true })
    expect(said).toMatchObject({ tone: 'warn', title: 'It may be whole.' })
  },
)

test('a restore says what came back, and what did not', () => {
  expect(restoredWords({ tokens: 1, unreadable: 0 })).toContain('one token')
  expect(restoredWords({ tokens: 0, unreadable: 2 })).toContain('2 records could not be read')
})
