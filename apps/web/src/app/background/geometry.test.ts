import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  discAt,
  discDepths,
  HOLE_DEFAULTS,
  lightAt,
  linePoints,
  makeParticles,
  movingArea,
  type Place,
  particleAt,
  quietPlace,
  stagePlace,
} from './geometry.ts'

const stage = stagePlace({ width: 1440, height: 900 }, { x: 1025, y: 290, r: 72 }, 64)
const quiet = quietPlace({ width: 1440, height: 900 }, { x: 158, y: 32, r: 14 })

/** Any place that a page can have. */
const places: fc.Arbitrary<Place> = fc
  .record({
    width: fc.integer({ min: 320, max: 4000 }),
    height: fc.integer({ min: 320, max: 4000 }),
    across: fc.double({ min: 0, max: 1, noNaN: true }),
    down: fc.double({ min: 0, max: 1, noNaN: true }),
    r: fc.integer({ min: 8, max: 120 }),
    isStage: fc.boolean(),
    header: fc.integer({ min: 0, max: 160 }),
  })
  .map(({ width, height, across, down, r, isStage, header }) => {
    const [size, throat] = [
      { width, height },
      { x: across * width, y: down * height, r },
    ]
    return isStage ? stagePlace(size, throat, header) : quietPlace(size, throat)
  })

test('has the expected numbers, colours and durations', () => {
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

test('its throat is the mark’s circle, and it widens from there to the rim', () => {
  for (const place of [stage, quiet]) {
    const { x, y, r } = place.throat
    expect(discAt(1, place)).toEqual({ x, y, rx: r, ry: r })
    const discs = discDepths(0, HOLE_DEFAULTS).map((depth) => discAt(depth, place))
    expect(discs).toHaveLength(50)
    for (const [index, disc] of discs.entries()) {
      const above = discs[index - 1]
      if (!above) continue
      expect(disc.rx).toBeLessThan(above.rx)
      expect(disc.y).toBeGreaterThan(above.y)
    }
  }
})

test('the rim is further out than everything visible, so that its edge never shows', () => {
  fc.assert(
    fc.property(places, (place) => {
      const { rx, ry, y } = discAt(0, place)
      expect(rx).toBeGreaterThan(place.fade)
      expect(y + ry).toBeGreaterThan(place.throat.y + 0.8 * place.fade)
    }),
  )
})

test('each disc reaches the place of the next in the drift time, then the cycle repeats', () => {
  const depths = (time: number) => discDepths(time, HOLE_DEFAULTS)
  expect(depths(HOLE_DEFAULTS.drift)).toEqual(depths(0))
  expect(depths(HOLE_DEFAULTS.drift * 0.999).at(3)).toBeCloseTo(depths(0).at(4) ?? Number.NaN, 3)
})

test('lines follow the wall', () => {
  const points = linePoints(0, stage)
  const [x, y] = points
  const rim = discAt(0, stage)
  expect(x).toBeCloseTo(rim.x + rim.rx)
  expect(y).toBeCloseTo(rim.y)
  expect(points.at(-2)).toBeCloseTo(stage.throat.x + stage.throat.r)
})

test('particles rise out of the throat, stay in range, and have a valid opacity at any time', () => {
  let seed = 1
  const particles = makeParticles(HOLE_DEFAULTS, () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  })
  expect(particles).toHaveLength(100)
  fc.assert(
    fc.property(places, fc.nat(99), fc.double({ min: 0, max: 1e6, noNaN: true }), (place, index, time) => {
      const particle = particles[index]
      if (!particle) throw new Error('no such particle')
      const spot = particleAt(particle, time, place, HOLE_DEFAULTS)
      const { throat, fade, header } = place
      // Nothing of it is behind the header’s words.
      if (spot.y - spot.radius <= header) expect(spot.alpha).toBe(0)
      expect(Math.hypot(spot.x - throat.x, spot.y - throat.y)).toBeLessThanOrEqual(fade + 1e-6)
      expect(spot.alpha).toBeGreaterThanOrEqual(0)
      expect(spot.alpha).toBeLessThanOrEqual(0.8)
    }),
  )
})

test('the moving area is on whole pixels of the window and covers everything visible', () => {
  fc.assert(
    fc.property(places, (place) => {
      const { x, y, ...area } = movingArea(place)
      const { size, throat, fade } = place
      for (const number of [x, y, area.width, area.height]) expect(Number.isInteger(number)).toBe(true)
      expect(x).toBeLessThanOrEqual(Math.max(0, throat.x - fade))
      expect(y).toBeLessThanOrEqual(Math.max(0, throat.y - fade))
      expect(x + area.width).toBeGreaterThanOrEqual(Math.min(size.width, throat.x + fade))
      expect(y + area.height).toBeGreaterThanOrEqual(Math.min(size.height, throat.y + fade))
      expect(x + area.width).toBeLessThanOrEqual(size.width + 1)
      expect(y + area.height).toBeLessThanOrEqual(size.height + 1)
    }),
  )
})

test('the light runs from the throat to the rim once, in 0.45 s', () => {
  expect(lightAt(0, HOLE_DEFAULTS)).toBe(0)
  expect(lightAt(0.225, HOLE_DEFAULTS)).toBeCloseTo(0.5)
  for (const none of [-1, 0.45, 100, Number.POSITIVE_INFINITY])
    expect(lightAt(none, HOLE_DEFAULTS)).toBeUndefined()
})
