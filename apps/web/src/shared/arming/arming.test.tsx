import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepArming } from './arming.ts'
import { Presses } from './presses.ts'
import { Sight } from './sight.ts'

/** Longer than anybody waits. */
const LONG = 60_000

/** What a browser says of a part of something that is in sight. */
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

/** Something tall to approve, and the answers to it; both in a window that is in front. */
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

test('no press is taken before all has been in sight, however long one waits; then after a moment', () => {
  const { presses, read, answers } = armed()
  tell(read(0, 300), read(700, 1_000), answers(40))
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(false)
  tell(read(300, 700))
  expect(presses.isTaken).toBe(false)
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(true)
})

test('no press is taken while the answers are not wholly in sight', () => {
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

test('no press is taken in a window that is behind another', () => {
  const { presses, read, answers } = armed()
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  tell(read(0, 1_000), answers(40))
  vi.advanceTimersByTime(LONG)
  expect(presses.isTaken).toBe(false)
})
