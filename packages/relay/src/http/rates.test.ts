import { describe, expect, it } from 'vitest'
import { networkOf, Rates } from './rates.ts'

const rates = () =>
  new Rates({
    open: { burst: 3, perMinute: 60 },
    send: { burst: 1, perMinute: 1 },
    read: { burst: 1, perMinute: 1 },
    revoke: { burst: 1, perMinute: 1 },
    feed: { burst: 1, perMinute: 1 },
    report: { burst: 1, perMinute: 1 },
    append: { burst: 1, perMinute: 1 },
    records: { burst: 1, perMinute: 1 },
    room: { burst: 1, perMinute: 1 },
  })

describe('rate limits', () => {
  it('allow a burst, and refill', () => {
    const limits = rates()
    const take = (now: number) => limits.take('open', '192.0.2.1', now)
    expect([0, 0, 0, 0].map(take)).toEqual([true, true, true, false])
    expect([999, 1_000, 1_001].map(take)).toEqual([false, true, false])
    expect([1e9, 1e9, 1e9, 1e9].map(take)).toEqual([true, true, true, false])
  })

  it('count each kind of call and each network separately', () => {
    const limits = rates()
    expect(limits.take('send', '192.0.2.1', 0)).toBe(true)
    expect(limits.take('send', '192.0.2.1', 0)).toBe(false)
    expect(limits.take('read', '192.0.2.1', 0)).toBe(true)
    expect(limits.take('send', '192.0.2.2', 0)).toBe(true)
  })

  it("don't refill when the clock is set back", () => {
    const limits = rates()
    expect(limits.take('send', '192.0.2.1', 1e9)).toBe(true)
    expect(limits.take('send', '192.0.2.1', 0)).toBe(false)
    expect(limits.take('send', '192.0.2.1', 1)).toBe(false)
  })

  it('forget the network that was quiet the longest', () => {
    const limits = rates()
    const of = (at: number) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
    for (let at = 0; at < 20_001; at += 1) limits.take('send', of(at), 0)
    expect(limits.take('send', of(20_000), 0)).toBe(false)
    expect(limits.take('send', of(0), 0)).toBe(true)
  })
})

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:1::1', '2001:db8:0:00'],
    ['2001:db8:0:ff:1:2:3:4', '2001:db8:0:00'],
    ['2001:db8:0:1ff::', '2001:db8:0:01'],
    ['2001:db8::5:6:7', '2001:db8:0:00'],
    ['::1', '0:0:0:00'],
    ['fe80::1%eth0', 'fe80:0:0:00'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['[2001:db8:0:1::1]:50123', '2001:db8:0:00'],
    ['', ''],
  ])('%j is %j', (address, network) => expect(networkOf(address)).toBe(network))
})
