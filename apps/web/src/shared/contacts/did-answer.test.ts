// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { takeHandedOver } from '../tokens/handed-over.ts'
import {
  answerIn,
  answerLink,
  askLink,
  bringAnswer,
  nameToldBy,
  onAnswer,
  readAnswer,
  takeAnswer,
  waitingAnswer,
} from './did-answer.ts'

const DID = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const ORIGIN = 'https://keyhole.example'

afterEach(takeAnswer)

it.each(['', 'Bob', 'Ana María & “Söhne” #1 &name=x', 'بوب', '100 %'])('reads back the name %j', (name) => {
  const link = answerLink({ did: DID, name }, ORIGIN)
  expect(link).toMatch(/^https:\/\/keyhole\.example\/identity\?tab=grants#to=did:key:z6Mk/)
  expect(readAnswer(new URL(link).hash)).toEqual({ did: DID, name })
  expect(answerIn(` ${link}\n`)).toEqual({ did: DID, name })
})

it('asks everyone alike', () => {
  expect(askLink(ORIGIN)).toBe('https://keyhole.example/identity?tab=ask')
})

it.each([
  ['nothing', ''],
  ['no DID', '#to='],
  ['words', '#to=Bob'],
  ['markup', `#to=${DID}<img src=x onerror=alert(1)>`],
  ['another parameter', `#to=${DID}&next=https://evil.example`],
  ['two names', `#to=${DID}&name=Bob&name=Anna`],
  ['a line break', `#to=${DID}\n`],
  ['a token', `#token=${'C'.padEnd(300, 'a')}`],
  ['megabytes', `#to=${DID}&name=${'a'.repeat(5_000_000)}`],
])('takes no answer with %s', (_what, hash) => {
  expect(readAnswer(hash)).toBeUndefined()
})

it('leaves out a name that is written wrongly', () => {
  expect(readAnswer(`#to=${DID}&name=%E0%A4%A`)).toEqual({ did: DID, name: '' })
})

it.each([DID, `#to=${DID}`, `javascript:alert(1)#to=${DID}`, `see https://a.example/#to=${DID}`, 'Bob'])(
  'finds no answer in the text %j',
  (text) => {
    expect(answerIn(text)).toBeUndefined()
  },
)

it('takes an answer out of the address at once, and keeps it until a form takes it', () => {
  let heard = 0
  const stop = onAnswer(() => {
    heard += 1
  })
  history.replaceState({ kept: 1 }, '', `/identity?tab=grants#to=${DID}&name=Bob`)
  takeHandedOver()
  expect(location.href).toMatch(/\/identity\?tab=grants$/)
  expect(history.state).toEqual({ kept: 1 })
  expect(waitingAnswer()).toEqual({ did: DID, name: 'Bob' })
  takeAnswer()
  expect(waitingAnswer()).toBeUndefined()
  expect(heard).toBe(2)
  stop()
})

it('knows a name only for the DID that it came with last', () => {
  bringAnswer({ did: DID, name: 'Bob' })
  expect(nameToldBy(DID)).toBe('Bob')
  expect(nameToldBy('did:web:bob.example')).toBeUndefined()
  bringAnswer({ did: DID, name: '' })
  expect(nameToldBy(DID)).toBeUndefined()
})
