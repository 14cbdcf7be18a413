import { expect, it } from 'vitest'
import { RelayClock } from './relay-clock.ts'

const T = 1_800_000_000_000

it('takes what arrived fastest as sent when it arrived', () => {
  const clock = new RelayClock()
  expect(clock.sentAt(T, [T + 70, 5_000])).toEqual([T + 70, 5_000])
  // The relay's clock may be far off.
  expect(new RelayClock().sentAt(1_000, [T, 5_000])).toEqual([T, 5_000])
})

it('tells how much later the next ones arrive', () => {
  const clock = new RelayClock()
  clock.sentAt(T, [T + 70, 5_000])
  expect(clock.sentAt(T + 10_000, [T + 13_070, 18_000])).toEqual([T + 10_070, 15_000])
  expect(clock.sentAt(T + 20_000, [T + 20_060, 24_990])).toEqual([T + 20_060, 24_990])
  expect(clock.sentAt(T + 30_000, [T + 30_070, 35_000])).toEqual([T + 30_060, 34_990])
})

it('never says that something was sent after it arrived, however clocks are set', () => {
  const clock = new RelayClock()
  let wall = T
  let monotonic = 0.123
  for (const [relay, own] of [
    [0, 0],
    [3_600_000, 0],
    [-7_200_000, 0],
    [0, -60_000],
    [0, 90_000],
    [1e15, 1e9],
  ] as const) {
    wall += 10_000 + own
    monotonic += 10_000.7
    const arrival = [wall, monotonic]
    const sent = clock.sentAt(wall + relay, arrival)
    expect(sent.every((time, each) => time <= (arrival[each] ?? 0))).toBe(true)
  }
})
