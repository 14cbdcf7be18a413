import type { KeyVault } from '@keyhole/vault'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { standingOf as StandingOf } from './delivered.ts'
import { type postRevocations as PostRevocations, RECHECK } from './post-revocations.ts'
import type { waitingOf as WaitingOf } from './waiting.ts'

const ADDRESS = 'kh1example'
const NOW = 1_000_000
const GRANTS = [
  { cid: 'one', token: 'token of one', expiresAt: NOW + 2 * RECHECK },
  { cid: 'two', token: 'token of two' },
  { cid: 'three', token: 'token of three' },
  { cid: 'four', token: 'token of four' },
  { cid: 'over', token: 'token of over', expiresAt: NOW },
]
const revocationOf = (cid: string) => ({ cid: `of ${cid}`, revokes: cid, token: `revocation of ${cid}` })

/** The vault's revocations, newest first. */
function vaultThat(...revoked: string[]): KeyVault {
  const revocations = async () => revoked.map(revocationOf)
  return { tokens: { revocations, list: async () => GRANTS } } as unknown as KeyVault
}

let standingOf: typeof StandingOf
let waitingOf: typeof WaitingOf
let postRevocations: typeof PostRevocations
let asked: string[]
/** An answer to a revocation: the relay's own, with its status and its code, or a function for any other. */
type Answer = 201 | 200 | readonly [status: number, error: string] | (() => Response)
const REFUSED = [422, 'not_a_revocation'] as const
const BUSY = [429, 'too_many_requests'] as const
const FULL = [503, 'unavailable'] as const

/** A server whose relay has this store, and gives these answers, in order. Without a store it has no relay. One that is `waiting` names none yet. */
function serve(answers: readonly Answer[], store: string | undefined = 'first'): void {
  const left = [...answers]
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    asked.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`.trim())
    const relay = store === 'waiting' ? '/relay' : `/relay; store=${store}`
    const headers = { ...(store !== '' && { 'Keyhole-Relay': relay }) }
    if (method === 'HEAD') return new Response(null, { headers })
    const answer = left.shift() ?? 201
    if (typeof answer === 'function') return answer()
    if (typeof answer !== 'number') return Response.json({ error: answer[1] }, { status: answer[0] })
    const { token } = JSON.parse(String(body))
    return Response.json({ cid: token.replace('token of ', '') }, { status: answer })
  })
}
const HEAD = 'HEAD /manifest.webmanifest'
const post = (cid: string) =>
  `POST /relay/revocations ${JSON.stringify({ revocation: `revocation of ${cid}`, token: `token of ${cid}` })}`

beforeEach(async () => {
  asked = []
  // A new page: these remember what they learned until it is left.
  vi.resetModules()
  ;({ standingOf } = await import('./delivered.ts'))
  ;({ waitingOf } = await import('./waiting.ts'))
  ;({ postRevocations } = await import('./post-revocations.ts'))
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
  expect(standingOf(ADDRESS, 'two')).toBe('taken')
  expect(await postRevocations(vault, ADDRESS, NOW)).toBe('done')
  expect(asked).toHaveLength(3)
  expect(waitingOf(ADDRESS)).toBe(0)
})

test('sends nothing if the server has no relay, and asks no one if nothing is revoked', async () => {
  serve([], '')
  expect(await postRevocations(vaultThat(), ADDRESS, NOW)).toBe('done')
  expect(asked).toEqual([])
  expect(await postRevocations(vaultThat('one'), ADDRESS, NOW)).toBe('no-relay')
  expect(asked).toEqual([HEAD])
  // Without a relay, people hand revocations over: none waits.
  expect(waitingOf(ADDRESS)).toBe(0)
})

test.each([BUSY, FULL])('tries again after %s, but not after a refusal', async (...answer) => {
  serve([REFUSED, answer])
  expect(await postRevocations(vaultThat('two', 'one'), ADDRESS, NOW)).toBe('later')
  // It isn't sent again, and no one is told that the relay has it.
  expect(standingOf(ADDRESS, 'two')).toBe('refused')
  expect(standingOf(ADDRESS, 'one')).toBeUndefined()
  expect(waitingOf(ADDRESS)).toBe(1)
  asked = []
  serve([])
  expect(await postRevocations(vaultThat('two', 'one'), ADDRESS, NOW)).toBe('done')
  expect(asked).toEqual([HEAD, post('one')])
  expect(waitingOf(ADDRESS)).toBe(0)
})

test.each([
  ['a proxy that forbids it', () => new Response('<h1>Forbidden</h1>', { status: 403 })],
  ['a server without these routes', () => new Response('Not found', { status: 404 })],
  ['a server that only reads', () => Response.json({ error: 'bad_method' }, { status: 405 })],
  ['a proxy with its own 400', () => new Response('Bad request', { status: 400 })],
  ['a network that wants a login', () => new Response('<h1>Welcome</h1>', { status: 200 })],
  ['an answer about something else', () => Response.json({ cid: 'other' }, { status: 201 })],
])('takes no answer but the relay’s for the last word: not that of %s', async (_name, answer) => {
  serve([answer])
  expect(await postRevocations(vaultThat('one'), ADDRESS, NOW)).toBe('later')
  expect(standingOf(ADDRESS, 'one')).toBeUndefined()
  expect(waitingOf(ADDRESS)).toBe(1)
  serve([201])
  expect(await postRevocations(vaultThat('one'), ADDRESS, NOW)).toBe('done')
  expect(standingOf(ADDRESS, 'one')).toBe('taken')
})

test('sends all again to a relay with another store', async () => {
  serve([201, REFUSED])
  const vault = vaultThat('two', 'one')
  await postRevocations(vault, ADDRESS, NOW)
  asked = []
  serve([REFUSED, 201], 'second')
  expect(await postRevocations(vault, ADDRESS, NOW + RECHECK)).toBe('done')
  expect(asked).toEqual([HEAD, post('two'), post('one')])
  expect(standingOf(ADDRESS, 'two')).toBe('refused')
  expect(standingOf(ADDRESS, 'one')).toBe('taken')
})

test('asks again for each account, whenever it asked for another', async () => {
  serve([])
  const vault = vaultThat('one')
  await postRevocations(vault, ADDRESS, NOW)
  await postRevocations(vault, 'kh1other', NOW + RECHECK - 1)
  asked = []
  serve([], 'second')
  expect(await postRevocations(vault, ADDRESS, NOW + RECHECK)).toBe('done')
  expect(asked).toEqual([HEAD, post('one')])
  expect(await postRevocations(vault, 'kh1other', NOW + RECHECK)).toBe('done')
  expect(asked).toHaveLength(2)
})

test('says of no revocation that the new relay has it before it does', async () => {
  serve([201])
  await postRevocations(vaultThat('two'), ADDRESS, NOW)
  serve([FULL], 'second')
  expect(await postRevocations(vaultThat('two'), ADDRESS, NOW + RECHECK)).toBe('later')
  expect(standingOf(ADDRESS, 'two')).toBeUndefined()
})

test('sends again what was sent before stores had names', async () => {
  localStorage.setItem(`keyhole:delivered:${ADDRESS}`, JSON.stringify(['one', '!two']))
  serve([200, 200])
  expect(await postRevocations(vaultThat('two', 'one'), ADDRESS, NOW)).toBe('done')
  expect(asked).toEqual([HEAD, post('two'), post('one')])
})

test('a revocation that the relay has no room for holds up no other', async () => {
  serve([FULL, 201, FULL, 201])
  const vault = vaultThat('four', 'three', 'two', 'one')
  expect(await postRevocations(vault, ADDRESS, NOW)).toBe('later')
  expect(asked).toEqual([HEAD, ...['four', 'three', 'two', 'one'].map(post)])
  expect(waitingOf(ADDRESS)).toBe(2)
})

test('a relay that is gone is not asked for each of them', async () => {
  serve([() => new Response('Bad gateway', { status: 502 })])
  expect(await postRevocations(vaultThat('two', 'one'), ADDRESS, NOW)).toBe('later')
  expect(asked).toEqual([HEAD, post('two')])
  expect(waitingOf(ADDRESS)).toBe(2)
})

test('waits while offline, without an error', async () => {
  serve([201])
  await postRevocations(vaultThat('two'), ADDRESS, NOW)
  vi.stubGlobal('navigator', { onLine: false })
  asked = []
  expect(await postRevocations(vaultThat('one', 'over', 'two'), ADDRESS, NOW)).toBe('later')
  expect(asked).toEqual([])
  expect(waitingOf(ADDRESS)).toBe(1)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await postRevocations(vaultThat('one'), ADDRESS, NOW)).toBe('later')
  expect(waitingOf(ADDRESS)).toBe(1)
})

test('counts what waits if the server that had a relay has none now', async () => {
  serve([201])
  await postRevocations(vaultThat('two'), ADDRESS, NOW)
  serve([], '')
  expect(await postRevocations(vaultThat('one', 'two'), ADDRESS, NOW)).toBe('later')
  expect(waitingOf(ADDRESS)).toBe(1)
})

test('sends nothing twice to a relay that waited for its store', async () => {
  const vault = vaultThat('one')
  serve([])
  expect(await postRevocations(vault, ADDRESS, NOW)).toBe('done')
  const now = NOW + RECHECK
  serve([], 'waiting')
  expect(await postRevocations(vault, ADDRESS, now)).toBe('done')
  expect(standingOf(ADDRESS, 'one')).toBe('taken')
  asked = []
  expect(await postRevocations(vaultThat('two', 'one'), ADDRESS, now)).toBe('later')
  // Until it has its store it can take none.
  expect(asked).toEqual([HEAD])
  expect(waitingOf(ADDRESS)).toBe(1)
  asked = []
  serve([])
  expect(await postRevocations(vaultThat('two', 'one'), ADDRESS, now)).toBe('done')
  expect(asked).toEqual([HEAD, post('two')])
})

test('sends a relay nothing before it has its store, and counts all as waiting', async () => {
  serve([], 'waiting')
  expect(await postRevocations(vaultThat('two', 'over', 'one'), ADDRESS, NOW)).toBe('later')
  expect(asked).toEqual([HEAD])
  expect(waitingOf(ADDRESS)).toBe(2)
})
