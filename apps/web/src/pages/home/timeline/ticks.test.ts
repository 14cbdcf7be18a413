import { expect, it } from 'vitest'
import { wholeTicks } from './ticks.ts'
import { wholeScale } from './time-scale.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400_000

it.each([
  ['an hour', 1 / 24, ['Now']],
  ['a week', 7, ['Now', 'in 1 day', 'in 3 days']],
  ['a year', 365, ['Now', 'in 1 mo', 'in 6 mo']],
])('the scale of everything up to %s has marks that let it be read', (_name, days, words) => {
  const scale = wholeScale([{ from: NOW, until: NOW + days * DAY }], NOW)
  const ticks = wholeTicks(scale, NOW)
  expect(ticks.map((tick) => tick.words)).toEqual(words)
  const places = ticks.map(({ at }) => at)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})
