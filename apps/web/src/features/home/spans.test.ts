import { describe, expect, it } from 'vitest'
import { spans } from './spans.ts'

const NOW = 1_000_000_000

describe('spans', () => {
  it('stay within the width and in order', () => {
    const bars = spans(
      [
        { from: NOW - 1000, until: NOW + 3_600_000 },
        { from: NOW - 900_000, until: NOW + 31_536_000_000 },
        { from: NOW + 5000, until: NOW + 60_000 },
        { from: NOW, until: undefined },
      ],
      NOW,
    )
    for (const { left, past, future } of bars) {
      expect(left).toBeGreaterThanOrEqual(0)
      expect(past).toBeGreaterThanOrEqual(0)
      expect(future).toBeGreaterThanOrEqual(0)
      expect(left + past + future).toBeLessThanOrEqual(100.001)
    }
    expect((bars[0]?.future ?? 0) < (bars[1]?.future ?? 0)).toBe(true)
    expect(bars[2]?.past).toBe(0)
    const last = bars[3]
    expect((last?.left ?? 0) + (last?.past ?? 0) + (last?.future ?? 0)).toBeCloseTo(100)
  })

  it('show what is about to end', () => {
    const [bar] = spans(
      [
        { from: NOW - 10, until: NOW + 1 },
        { from: NOW, until: NOW + 1e12 },
      ],
      NOW,
    )
    expect((bar?.past ?? 0) + (bar?.future ?? 0)).toBeGreaterThan(1)
  })

  it('have nothing to draw of nothing', () => expect(spans([], NOW)).toEqual([]))
})
