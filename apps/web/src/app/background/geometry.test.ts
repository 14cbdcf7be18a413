import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  discAt,
  discDepths,
  HOLE_DEFAULTS,
  linePoints,
  makeParticles,
  movingArea,
  particleAt,
} from './geometry.ts'

const size = { width: 1440, height: 900 }

test('has the numbers, colours and durations it is known by', () => {
  expect(HOLE_DEFAULTS).toMatchObject({
    lines: 50,
    discs: 50,
    particles: 100,
    particle: '#ffffff',
    drift: 5,
    fade: 0.45,
  })
  const [red, green, blue] = HOLE_DEFAULTS.stroke.slice(1).match(/../g) ?? []
  expect(new Set([red, green, blue]).size).toBe(1)
})

test('narrows and sinks from rim to bottom', () => {
  const discs = discDepths(0, HOLE_DEFAULTS).map((depth) => discAt(depth, size))
  expect(discs).toHaveLength(50)
  for (const [index, disc] of discs.entries()) {
    const above = discs[index - 1]
    if (!above) continue
    expect(disc.rx).toBeLessThan(above.rx)
    expect(disc.y).toBeGreaterThan(above.y)
  }
})

test('discs take the place of the next in the drift time, and then it begins again', () => {
  const depths = (time: number) => discDepths(time, HOLE_DEFAULTS)
  expect(depths(HOLE_DEFAULTS.drift)).toEqual(depths(0))
  expect(depths(HOLE_DEFAULTS.drift * 0.999).at(3)).toBeCloseTo(depths(0).at(4) ?? Number.NaN, 3)
})

test('lines follow the wall', () => {
  const points = linePoints(0, size)
  const [x, y] = points
  const rim = discAt(0, size)
  expect(x).toBeCloseTo(rim.x + rim.rx)
  expect(y).toBeCloseTo(rim.y)
})

test('particles stay above the bottom of the hole and between unseen and seen, at any time', () => {
  let seed = 1
  const particles = makeParticles(HOLE_DEFAULTS, () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  })
  expect(particles).toHaveLength(100)
  fc.assert(
    fc.property(fc.nat(99), fc.double({ min: 0, max: 1e6, noNaN: true }), (index, time) => {
      const particle = particles[index]
      if (!particle) throw new Error('no such particle')
      const spot = particleAt(particle, time, size, HOLE_DEFAULTS)
      expect(spot.y).toBeLessThanOrEqual(discAt(1, size).y)
      expect(spot.y).toBeGreaterThanOrEqual(0)
      expect(spot.alpha).toBeGreaterThanOrEqual(0)
      expect(spot.alpha).toBeLessThanOrEqual(0.8)
    }),
  )
})

test('what moves lies on whole pixels of the window, and has the mouth of the hole and every particle in it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 320, max: 4000 }), fc.integer({ min: 320, max: 4000 }), (width, height) => {
      const { x, y, ...area } = movingArea({ width, height })
      for (const number of [x, y, area.width, area.height]) expect(Number.isInteger(number)).toBe(true)
      expect(x + area.width).toBeLessThanOrEqual(width)
      expect(y + area.height).toBeLessThanOrEqual(height)
      const mouth = discAt(1, { width, height })
      // A particle sways by two mouths at most, from anywhere across it.
      expect(mouth.x - 3 * mouth.rx).toBeGreaterThan(x)
      expect(mouth.x + 3 * mouth.rx).toBeLessThan(x + area.width)
      expect(mouth.y + mouth.ry).toBeLessThan(y + area.height)
    }),
  )
})
