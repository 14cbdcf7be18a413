import type { InspectedToken } from '@keyhole/vault'
import { describe, expect, it } from 'vitest'
import { makeReport, rootFirst } from './report.ts'

const NOW = Date.UTC(2026, 10, 21)

function link(
  cid: string,
  iss: string,
  aud: string,
  more: Partial<InspectedToken['payload']> = {},
): InspectedToken {
  return {
    cid,
    kind: 'delegation',
    algorithm: 'ed25519',
    signature_valid: true,
    payload: { iss, aud, sub: 'did:a', cmd: '/msg', pol: [], exp: NOW / 1000 + 60, ...more },
  }
}
const ROOT = link('c1', 'did:a', 'did:b')
const MIDDLE = link('c2', 'did:b', 'did:c')
const LEAF = link('c3', 'did:c', 'did:d', { cmd: '/msg/send' })
const GOOD = holds(['c1', 'c2', 'c3'])

/** What the engine says of a chain that holds. */
function holds(cids: readonly string[]) {
  const link = {
    ...{ issuer: 'did:a', audience: 'did:b', subject: 'did:a', command: '/msg', policy: [] },
    ...{ not_before: null, expires_at: null },
  }
  return {
    valid: true as const,
    chain: cids.map((cid) => ({ cid, ...link })),
    token: 'C',
    address: 'kh1',
    effective: { command: '/msg/send', policy: [], not_before: null, expires_at: NOW / 1000 + 60 },
  }
}

describe('rootFirst', () => {
  it('puts links in the order of the chain', () => {
    expect(rootFirst([LEAF, ROOT, MIDDLE]).map(({ cid }) => cid)).toEqual(['c1', 'c2', 'c3'])
  })
  it('loses no stray and ends on a circle', () => {
    const circle = [link('x', 'did:p', 'did:q'), link('y', 'did:q', 'did:p')]
    expect(rootFirst([...circle, LEAF])).toHaveLength(3)
  })
})

describe('makeReport', () => {
  it('finds no fault with a chain that holds', () => {
    const report = makeReport([LEAF, MIDDLE, ROOT], GOOD, NOW)
    expect(report).toMatchObject({
      holds: true,
      effective: { command: '/msg/send', expiresAt: NOW + 60_000 },
    })
    expect(report.links.map(({ cid, fault }) => [cid, fault])).toEqual([
      ['c1', undefined],
      ['c2', undefined],
      ['c3', undefined],
    ])
  })

  it('puts the fault at the link it is about', () => {
    const refused = {
      valid: false as const,
      error: { name: 'InvalidCommand' as const, message: 'no', cid: 'c3' },
    }
    const report = makeReport([ROOT, MIDDLE, LEAF], refused, NOW)
    expect(report.holds).toBe(false)
    expect(report.refusal?.title).toContain('more than was granted')
    expect(report.links.map(({ fault }) => fault !== undefined)).toEqual([false, false, true])
  })

  it('tells every bad signature, and what has ended', () => {
    const broken = { ...MIDDLE, signature_valid: false }
    const ended = link('c3', 'did:c', 'did:d', { exp: NOW / 1000 - 100 })
    const refused = {
      valid: false as const,
      error: { name: 'InvalidSignature' as const, message: 'no', cid: 'c2' },
    }
    const [, second, third] = makeReport([ROOT, broken, ended], refused, NOW).links
    expect(second?.fault).toContain('signature')
    expect(third?.fault).toContain('expired')
  })

  it('shows a payload it does not know without a sentence', () => {
    const odd: InspectedToken = { ...ROOT, payload: { iss: 'did:a' } }
    expect(makeReport([odd], holds(['c1']), NOW).links[0]?.capability).toBeUndefined()
  })
})
