import { describe, expect, it } from 'vitest'
import { dueAt, readNote } from './expiry-reminder.ts'

const NOW = Date.UTC(2026, 10, 25)
const HOUR = 3_600_000
const note = { title: 'Grants expire soon', body: 'Renew them.', toldUntil: 0 }

describe('what is due', () => {
  it('is what expires within two days, and neither what has expired nor what has time', () => {
    const ends = [NOW - HOUR, NOW + HOUR, NOW + 48 * HOUR, NOW + 49 * HOUR]
    expect(dueAt({ ...note, ends }, NOW)).toEqual({ soon: 2, until: NOW + 48 * HOUR })
  })

  it('is told once', () => {
    const ends = [NOW + HOUR, NOW + 2 * HOUR]
    const { until } = dueAt({ ...note, ends }, NOW)
    expect(dueAt({ ...note, ends, toldUntil: until ?? 0 }, NOW)).toEqual({ soon: 2, until: undefined })
    expect(dueAt({ ...note, ends: [...ends, NOW + 3 * HOUR], toldUntil: until ?? 0 }, NOW)).toEqual({
      soon: 3,
      until: NOW + 3 * HOUR,
    })
  })
})

describe('a note', () => {
  it('is read as the page sends it and as it is kept', () => {
    expect(readNote({ ends: [NOW], title: 'a', body: 'b' })).toEqual({
      ...{ ends: [NOW], title: 'a', body: 'b', toldUntil: 0 },
    })
    expect(readNote({ ...note, ends: [NOW], toldUntil: 5 })?.toldUntil).toBe(5)
  })

  it.each([
    undefined,
    null,
    'let the new version in',
    {},
    { ends: 'never', title: 'a', body: 'b' },
    { ends: [], title: 1, body: 'b' },
  ])('is not taken from %j', (value) => expect(readNote(value)).toBeUndefined())

  it('keeps only ends that are numbers', () =>
    expect(readNote({ ...note, ends: [Number.NaN, '1', NOW] })?.ends).toEqual([NOW]))
})
