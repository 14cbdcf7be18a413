import { describe, expect, it } from 'vitest'
import { bar, evenScale, spanStart, wholeScale } from './time-scale.ts'

const NOW = 1_000_000_000
const DAY = 86_400_000

describe('the scale of everything', () => {
  const stretches = [
    { from: NOW - 1000, until: NOW + 3_600_000 },
    { from: NOW - 900_000, until: NOW + 31_536_000_000 },
    { from: NOW + 5000, until: NOW + 60_000 },
    { from: NOW, until: undefined },
  ]
  const scale = wholeScale(stretches, NOW)
  const bars = stretches.map((stretch) => bar(stretch, scale, NOW))

  it('keeps every bar within the width', () => {
    for (const { left, past, future } of bars) {
      expect(Math.min(left, past, future)).toBeGreaterThanOrEqual(0)
      expect(left + past + future).toBeLessThanOrEqual(100.001)
    }
  })

  it('keeps their order, and shows an hour beside a year', () => {
    expect(bars[0]?.future ?? 0).toBeGreaterThan(0.5)
    expect(bars[0]?.future ?? 0).toBeLessThan(bars[1]?.future ?? 0)
    expect(bars[2]?.past).toBe(0)
  })

  it('draws what never ends to the edge', () => {
    const { left = 0, past = 0, future = 0 } = bars[3] ?? {}
    expect(left + past + future).toBeCloseTo(100)
  })

  it('stands on nothing too', () => expect(wholeScale([], NOW).place(NOW)).toBeGreaterThan(0))
})

describe('an even scale', () => {
  const scale = evenScale('week', spanStart('week', NOW))

  it('has more of what is to come than of what was', () => expect(scale.place(NOW)).toBeCloseTo(12.5))

  it('cuts what reaches beyond it', () => {
    const { left, past, future } = bar({ from: NOW - 90 * DAY, until: NOW + 90 * DAY }, scale, NOW)
    expect([left, past + future]).toEqual([0, 100])
    expect(past).toBeCloseTo(12.5)
  })

  it('says where the rest is', () => {
    expect(bar({ from: NOW + 30 * DAY, until: undefined }, scale, NOW).beyond).toBe('after')
    expect(bar({ from: NOW - 30 * DAY, until: NOW - 20 * DAY }, scale, NOW).beyond).toBe('before')
    expect(bar({ from: NOW, until: NOW + 90 * DAY }, scale, NOW).beyond).toBe('after')
    expect(bar({ from: NOW, until: undefined }, scale, NOW).beyond).toBe('after')
    expect(bar({ from: NOW, until: NOW + DAY }, scale, NOW).beyond).toBeUndefined()
  })

  it('shows what is about to end', () => {
    const { past, future } = bar({ from: NOW - 10, until: NOW + 1 }, scale, NOW)
    expect(past + future).toBeGreaterThan(1)
  })
})
