import { expect, test } from 'vitest'
import { endingAt, endings } from './ending.ts'

const DAY = 86_400

test('offers what was asked, and earlier ends', () => {
  expect(endings(7 * DAY, false).map(({ value }) => value)).toEqual(['asked', '1h', '24h'])
  expect(endings(60, false).map(({ value }) => value)).toEqual(['asked'])
})

test('offers later ends up to 30 days where a person may allow more, and says so', () => {
  const offered = endings(DAY, true)
  expect(offered.map(({ value }) => value)).toEqual(['asked', '1h', '7d', '30d'])
  expect(offered.map(({ label }) => label.includes('longer'))).toEqual([false, false, true, true])
  expect(endings(365 * DAY, true).map(({ value }) => value)).toEqual([
    'asked',
    '1h',
    '24h',
    '7d',
    '30d',
    '90d',
  ])
})

test('counts in seconds from now', () => {
  expect(endingAt('asked', 90, 1_000_500)).toBe(1090)
  expect(endingAt('1h', 7 * DAY, 1_000_500)).toBe(4600)
})
