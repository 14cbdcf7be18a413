import type { KeyVault } from '@keyhole/vault'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deliveredOf, hasDelivered } from './delivered.ts'
import { postRevocations } from './post-revocations.ts'

const ADDRESS = 'kh1example'
const NOW = 1_000_000
const GRANTS = [
  { cid: 'one', token: 'token of one', expiresAt: NOW + 1 },
  { cid: 'two', token: 'token of two' },
  { cid: 'over', token: 'token of over', expiresAt: NOW },
]
const revocationOf = (cid: string) => ({ cid: `of ${cid}`, revokes: cid, token: `revocation of ${cid}` })

/** The vault's revocations, newest first. */
function vaultThat(...revoked: string[]): KeyVault {
  const revocations = async () => revoked.map(revocationOf)
  return { tokens: { revocations, list: async () => GRANTS } } as unknown as KeyVault
}

let asked: string[]
/** A server whose relay answers with these statuses, in order. */
function serve(statuses: readonly number[], hasRelay = true): void {
  const left = [...statuses]
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    asked.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`.trim())
    const headers = hasRelay ? { 'Keyhole-Relay': '/relay' } : undefined
    return new Response(null, {
      status: method === 'HEAD' ? 200 : (left.shift() ?? 201),
      ...(headers && { headers }),
    })
  })
}
const HEAD = 'HEAD /manifest.webmanifest'
const post = (cid: string) =>
  `POST /relay/revocations ${JSON.stringify({ revocation: `revocation of ${cid}`, token: `token of ${cid}` })}`

beforeEach(() => {
  asked = []
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('sends each revocation once, with what it revokes; none for expired grants', async () => {
  serve([201, 200])
  const vault = vaultThat('two', 'over', 'one', 'gone')
  expect(await postRevocations(vault, ADDRESS, NOW)).toBe('done')
  expect(asked).toEqual([HEAD, post('two'), post('one')])
  expect(hasDelivered(ADDRESS, 'two')).toBe(true)
  expect(await postRevocations(vault, ADDRESS, NOW)).toBe('done')
  expect(asked).toHaveLength(3)
})

test('sends nothing if the server has no relay, and asks no one if nothing is revoked', async () => {
  serve([], false)
  expect(await postRevocations(vaultThat(), ADDRESS, NOW)).toBe('done')
  expect(asked).toEqual([])
  expect(await postRevocations(vaultThat('one'), ADDRESS, NOW)).toBe('no-relay')
  expect(asked).toEqual([HEAD])
})

test.each([429, 503])('tries again after %i, but not after a refusal', async (status) => {
  serve([422, status])
  expect(await postRevocations(vaultThat('two', 'one'), ADDRESS, NOW)).toBe('later')
  expect([...deliveredOf(ADDRESS)]).toEqual(['two'])
  // It isn't sent again, and no one is told that the relay has it.
  expect(hasDelivered(ADDRESS, 'two')).toBe(false)
})

test('waits while offline, without an error', async () => {
  serve([])
  vi.stubGlobal('navigator', { onLine: false })
  expect(await postRevocations(vaultThat('one'), ADDRESS, NOW)).toBe('later')
  expect(asked).toEqual([])
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await postRevocations(vaultThat('one'), ADDRESS, NOW)).toBe('later')
})
