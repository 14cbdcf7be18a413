import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedClaims } from '@keyhole/verify/embedded'
import { expect, it, onTestFinished } from 'vitest'
import { spendsOf } from './spends-of-call.ts'

const at = (text: string) => Date.parse(text) / 1_000
const call = { subject: '', issuer: '', command: '/x', args: {}, cid: '', task: '', chain: [], expiresAt: 0 }
const ends = (per: 'hour' | 'day' | 'week' | 'month', now: string) =>
  spendsOf('x', { per, calls: 1, policy: [], each: 'gate' }, call, at(now)).map(({ until }) =>
    new Date(until * 1_000).toISOString(),
  )

it.each([
  ['hour', '2026-11-25T09:59:59Z', '2026-11-25T10:00:00.000Z'],
  ['hour', '2026-11-25T10:00:00Z', '2026-11-25T11:00:00.000Z'],
  ['day', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00.000Z'],
  ['week', '2026-11-29T23:59:59Z', '2026-11-30T00:00:00.000Z'],
  ['week', '2026-11-30T00:00:00Z', '2026-12-07T00:00:00.000Z'],
  ['month', '2028-02-29T12:00:00Z', '2028-03-01T00:00:00.000Z'],
  ['month', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00.000Z'],
] as const)('a %s that has %s ends at %s', (per, now, end) => {
  expect(ends(per, now)).toEqual([end])
})

it('a period begins with all of it, and one that is over gives nothing when the clock is set back', async () => {
  const store = embeddedClaims(join(await mkdtemp(join(tmpdir(), 'keyhole-budgets-')), 'data'))
  onTestFinished(() => store.close())
  const spend = (now: string) =>
    store.spend(spendsOf('x', { per: 'hour', calls: 1, policy: [], each: 'gate' }, call, at(now)), at(now))
  expect(await spend('2026-11-25T09:10:00Z')).toBeUndefined()
  expect(await spend('2026-11-25T09:50:00Z')).toBe(0)
  expect(await spend('2026-11-25T10:00:00Z')).toBeUndefined()
  expect(await spend('2026-11-25T12:00:00Z')).toBeUndefined()
  for (const earlier of ['2026-11-25T09:10:00Z', '2026-11-25T10:30:00Z', '2026-11-25T12:10:00Z'])
    expect(await spend(earlier)).toBe(0)
})
