import { expect, test } from 'vitest'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import { NOBODY } from '../../../shared/words/who.ts'
import { partiesIn } from '../timeline/parties.ts'
import { inDrawnOrder, linePath, lineWidth, ROW, sideOf } from './graph-sides.ts'

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
const didOf = (person: number) => `did:key:z${String(person).padStart(3, '0')}`
const parties = (edges: number, people: number, contacts = NOBODY) =>
  inDrawnOrder(
    partiesIn(
      Array.from({ length: edges }, (_, n) => token(n, didOf(n % people))),
      ({ audienceDid }) => audienceDid,
      contacts,
    ),
  )

test('one party for each DID, the one with the most first, and always in the same order', () => {
  const found = parties(8, 3)
  expect(found.map(({ dids, tokens }) => [...dids, tokens.length])).toEqual([
    ['did:key:z000', 3],
    ['did:key:z001', 3],
    ['did:key:z002', 2],
  ])
})

test('a contact with two keys is one party, and an own key never is', () => {
  const anna = { id: 'anna', name: 'Anna', kind: 'person', isAlike: false }
  const named = new Map([0, 1, 2].map((person) => [didOf(person), anna]))
  const found = parties(8, 4, { own: new Set([didOf(2)]), named, isSealed: false })
  expect(found.map(({ id, dids, tokens }) => [id, dids, tokens.map(({ id: n }) => n)])).toEqual([
    ['anna', [didOf(0), didOf(1)], ['0', '1', '4', '5']],
    [didOf(2), [didOf(2)], ['2', '6']],
    [didOf(3), [didOf(3)], ['3', '7']],
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
