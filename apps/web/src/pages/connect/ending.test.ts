import { expect, test } from 'vitest'
import { endingAt, endings } from './ending.ts'

const DAY = 86_400

test('offers what was asked, and earlier ends', () => {
  expect(endings(7 * DAY).map(({ value }) => value)).toEqual(['asked', '1h', '24h'])
  expect(endings(60).map(({ value }) => value)).toEqual(['asked'])
})

test('counts in seconds from now', () => {
  expect(endingAt('asked', 90, 1_000_500)).toBe(1090)
  expect(endingAt('1h', 7 * DAY, 1_000_500)).toBe(4600)
})
