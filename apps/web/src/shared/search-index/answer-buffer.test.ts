import { afterEach, expect, test, vi } from 'vitest'
import { hearAnswers, newAnswerBuffer, writeAnswer } from './answer-buffer.ts'

const ROOM = 1_000
const newBuffer = () => new SharedArrayBuffer(4 + ROOM)
const isWiped = (buffer: SharedArrayBuffer) => new Uint8Array(buffer, 4).every((byte) => byte === 0)

/** What is heard, and a promise for the next of it. */
function listener() {
  let heard: (answer: unknown) => void = () => undefined
  const next = () => new Promise((resolve) => (heard = resolve))
  return { next, hear: vi.fn((answer: unknown) => heard(answer)) }
}

afterEach(() => vi.unstubAllGlobals())

test('there is shared memory in an isolated page only', () => {
  vi.stubGlobal('crossOriginIsolated', false)
  expect(newAnswerBuffer()).toBeUndefined()
  vi.stubGlobal('crossOriginIsolated', true)
  expect(newAnswerBuffer()).toBeInstanceOf(SharedArrayBuffer)
})

test('a browser that says the page is isolated may have no shared memory all the same', () => {
  vi.stubGlobal('crossOriginIsolated', true)
  vi.stubGlobal('SharedArrayBuffer', undefined)
  expect(newAnswerBuffer()).toBeUndefined()
})

test('an answer is heard as it was written, one after the other', async () => {
  const buffer = newBuffer()
  const { hear, next } = listener()
  const end = hearAnswers(buffer, hear)
  for (const answer of [{ id: 1, answer: { items: [], total: 0 } }, 'Zoë 𝄞 \ud800', [null, -1.5]]) {
    const coming = next()
    expect(writeAnswer(buffer, answer)).toBe(true)
    expect(await coming).toEqual(answer)
    expect(isWiped(buffer)).toBe(true)
  }
  end()
})

test('an answer that was there before anyone listened is heard', async () => {
  const buffer = newBuffer()
  writeAnswer(buffer, 'early')
  const { hear, next } = listener()
  const coming = next()
  const end = hearAnswers(buffer, hear)
  expect(await coming).toBe('early')
  end()
})

test('an answer has to wait while the one before was not read', () => {
  const buffer = newBuffer()
  expect(writeAnswer(buffer, 'first')).toBe(true)
  expect(writeAnswer(buffer, 'second')).toBe(false)
})

test.each([
  ['fits to the byte', 'a'.repeat(ROOM - 2), true],
  ['is one byte too long', 'a'.repeat(ROOM - 1), false],
  ['is too long in bytes alone', 'é'.repeat(ROOM / 2), false],
  ['has a long integer, for which JSON has no form', [2n ** 60n], false],
])('an answer that %s', (_, answer, fits) => {
  const buffer = newBuffer()
  expect(writeAnswer(buffer, answer)).toBe(fits)
  expect(isWiped(buffer)).toBe(!fits)
})

test('nothing is heard after the end, and nothing stays', async () => {
  const buffer = newBuffer()
  const { hear } = listener()
  const end = hearAnswers(buffer, hear)
  writeAnswer(buffer, 'sealed in storage')
  end()
  // Its own wait is over before a later one on the same memory.
  const later = Atomics.waitAsync(new Int32Array(buffer, 0, 1), 0, 0).value
  Atomics.notify(new Int32Array(buffer, 0, 1), 0)
  await later
  expect(writeAnswer(buffer, 'too late')).toBe(false)
  expect(hear).not.toHaveBeenCalled()
  expect(isWiped(buffer)).toBe(true)
})
