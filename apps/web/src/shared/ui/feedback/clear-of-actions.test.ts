import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Edges, liftOver } from './clear-of-actions.ts'

const at = (left: number, top: number, width: number, height: number): Edges => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const NOTICES = at(1000, 800, 384, 80)

test('notices stay where they are when nothing is in their way', () => {
  expect(liftOver(NOTICES, [])).toBe(0)
  expect(liftOver(NOTICES, [at(0, 780, 900, 120), at(1000, 100, 300, 44)])).toBe(0)
})

test('they move above a bar, and above the button that is above the bar', () => {
  expect(liftOver(NOTICES, [at(0, 780, 1440, 120)])).toBe(880 - 772)
  expect(liftOver(NOTICES, [at(0, 780, 1440, 120), at(1200, 720, 100, 44)])).toBe(880 - 712)
})

test('they fit between two buttons that are far enough apart', () => {
  expect(liftOver(NOTICES, [at(1000, 830, 300, 44), at(1000, 650, 300, 44)])).toBe(880 - 822)
})

test('where there is no room, it says so', () => {
  expect(liftOver(at(0, 100, 320, 80), [at(0, 60, 320, 140)])).toBeUndefined()
})

test('they never cover what must stay in view, and never leave the window', () => {
  const box = fc
    .tuple(fc.nat(1400), fc.nat(880), fc.integer({ min: 1, max: 1440 }), fc.integer({ min: 1, max: 300 }))
    .map(([left, top, width, height]) => at(left, top, width, height))
  fc.assert(
    fc.property(fc.array(box, { maxLength: 12 }), (boxes) => {
      const lift = liftOver(NOTICES, boxes)
      if (lift === undefined) return
      expect(lift).toBeGreaterThanOrEqual(0)
      expect(NOTICES.top - lift).toBeGreaterThanOrEqual(0)
      for (const each of boxes) {
        const apart =
          each.left >= NOTICES.right ||
          each.right <= NOTICES.left ||
          each.top >= NOTICES.bottom - lift ||
          each.bottom <= NOTICES.top - lift
        expect(apart).toBe(true)
      }
    }),
  )
})
