import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepArming } from './arming.ts'
import { Presses } from './presses.ts'
import { Sight } from './sight.ts'

/** Longer than anyone waits. */
const LONG = 60_000

/** What a browser reports about the visible part of an element. */
interface Part {
  target: Element
  height: number
  from: number
  to: number
}

let tell: (...parts: Part[]) => void = () => {}

class FakeObserver {
  constructor(callback: (entries: object[]) => void) {
    tell = (...parts) =>
      callback(
        parts.map(({ target, height, from, to }) => ({
          target,
          intersectionRatio: (to - from) / height,
          boundingClientRect: { height, top: 0 },
          intersectionRect: { top: from, bottom: to, height: to - from },
        })),
      )
  }

  observe() {}

  disconnect() {}
}

let end = () => {}

/** Something tall to approve, and its answers, in a window in front. */
function armed() {
  const [subject, block] = [document.createElement('p'), document.createElement('div')]
  const presses = new Presses()
  end = keepArming({ subject, block, presses, sight: new Sight(), onChange: () => undefined })
  const read = (from: number, to: number): Part => ({ target: subject, height: 1_000, from, to })
  const answers = (to: number): Part => ({ target: block, height: 40, from: 0, to })
  return { presses, read, answers }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IntersectionObserver', FakeObserver)
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
})
afterEach(() => {
  end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('no press counts before everything has been visible, however long you wait, and then a moment more', () => {
  const { presses, read, answers } = armed()
  tell(read(0, 300), read(700, 1_000), answers(40))
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(false)
  tell(read(300, 700))
  expect(presses.isTaken).toBe(false)
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(true)
})

test('no press counts while the answers are not completely visible', () => {
  const { presses, read, answers } = armed()
  tell(read(0, 1_000), answers(30))
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(false)
  tell(answers(40))
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(true)
  tell(answers(30))
  expect(presses.isTaken).toBe(false)
})

test('no press counts in a window behind another', () => {
  const { presses, read, answers } = armed()
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  tell(read(0, 1_000), answers(40))
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(false)
})
