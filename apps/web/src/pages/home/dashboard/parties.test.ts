import { expect, test } from 'vitest'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import { linePath, lineWidth, partiesOf, ROW, sideOf } from './parties.ts'

const token = (n: number, audienceDid: string): ListedToken => ({
  id: `${n}`,
  token: '',
  type: 'origin',
  issuer: 'did:key:zOwn',
  audience: audienceDid,
  audienceDid,
  cid: `bafy${n}`,
  command: '/msg/send',
  policy: [],
  subject: 'did:key:zOwn',
  createdAt: n,
  revoked: false,
})
const parties = (edges: number, people: number) =>
  partiesOf(
    Array.from({ length: edges }, (_, n) => token(n, `did:key:z${String(n % people).padStart(3, '0')}`)),
    ({ audienceDid }) => audienceDid,
  )

test('one party for each DID, the one with the most first, and always in the same order', () => {
  const found = parties(8, 3)
  expect(found.map(({ did, tokens }) => [did, tokens.length])).toEqual([
    ['did:key:z000', 3],
    ['did:key:z001', 3],
    ['did:key:z002', 2],
  ])
})

test.each([
  [1, 1, 0],
  [5, 5, 0],
  [13, 13, 0],
  [50, 12, 38],
  [500, 12, 488],
])('of %i parties %i are drawn and %i are one', (edges, shown, others) => {
  const side = sideOf(parties(edges, edges), 12)
  expect([side.shown.length, side.others.length]).toEqual([shown, others])
})

test('lines meet in the middle, whichever side has more rows', () => {
  expect(linePath(0, 1, 5)).toBe(`M0 ${2.5 * ROW}C50 ${2.5 * ROW} 50 ${2.5 * ROW} 100 ${2.5 * ROW}`)
  expect(linePath(0, 5, 5)).toContain(`M0 ${0.5 * ROW}C`)
  expect(lineWidth(1)).toBeLessThan(lineWidth(5))
  expect(lineWidth(100_000)).toBe(6)
})
