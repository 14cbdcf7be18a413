import { describe, expect, it } from 'vitest'
import { median, rate } from './rate.ts'

describe('rate', () => {
  it('counts calls, and runs for at least the requested time', async () => {
    let calls = 0
    const once = async () => {
      calls += 1
    }
    expect(await rate(once, new AbortController().signal, { least: 5, together: 4 })).toBeGreaterThan(0)
    expect(calls % 4).toBe(0)
  })

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController()
    const once = async () => {
      stop.abort(new Error('enough'))
    }
    await expect(rate(once, stop.signal, { least: 60_000 })).rejects.toThrow('enough')
  })
})

describe('median', () => {
  it('is not changed by one outlier', () => {
    expect(median([3, 900, 1])).toBe(3)
  })
})
