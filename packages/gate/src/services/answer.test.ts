import { expect, it } from 'vitest'
import { createRedactor } from '../secrets/redactor.ts'
import { cleanAnswer } from './answer.ts'

const SECRET = 'sk-live-0123456789abcdef'
const answered = (text: string) =>
  cleanAnswer(
    { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) },
    new URL('https://api.example/'),
    createRedactor([SECRET]),
  )

it('JSON that is nested too deep to be read through is withheld', () => {
  const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`
  expect(() => answered(deep)).toThrow(expect.objectContaining({ code: 'AnswerWithheld' }))
})

it.each([
  ['ligatures that stand for many letters', 'ﷺ'.repeat(1_000_000)],
  ['letters that are longer in lower case', 'İ'.repeat(1_000_000)],
  ['a name for each value', JSON.stringify(Array.from({ length: 100_000 }, (_, at) => ({ [`n${at}`]: at })))],
])('%s are passed on', (_what, text) => {
  expect(Buffer.from(answered(text).body).toString()).toBe(text)
})
