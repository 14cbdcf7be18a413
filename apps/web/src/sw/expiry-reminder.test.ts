import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dueAt, handleReminders, readNote } from './expiry-reminder.ts'

const NOW = Date.UTC(2026, 10, 25)
const HOUR = 3_600_000
const note = { title: 'Grants expire soon', body: 'Renew them.', told: [] }

describe('what is due', () => {
  it('is what expires within two days, and neither what has expired nor what has time', () => {
    const ends = [NOW - HOUR, NOW + HOUR, NOW + 48 * HOUR, NOW + 49 * HOUR]
    const soon = [NOW + HOUR, NOW + 48 * HOUR]
    expect(dueAt({ ...note, ends }, NOW)).toEqual({ soon, fresh: soon })
  })

  it('is told once', () => {
    const told = [NOW + HOUR, NOW + 3 * HOUR]
    expect(dueAt({ ...note, ends: told, told }, NOW)).toEqual({ soon: told, fresh: [] })
    const ends = [...told, NOW + 2 * HOUR]
    expect(dueAt({ ...note, ends, told }, NOW)).toEqual({ soon: ends, fresh: [NOW + 2 * HOUR] })
  })
})

describe('a note', () => {
  it('is read as the page sends it and as it is kept', () => {
    expect(readNote({ ends: [NOW], title: 'a', body: 'b' })).toEqual({
      ...{ ends: [NOW], title: 'a', body: 'b', told: [] },
    })
    expect(readNote({ ...note, ends: [NOW], told: [5, '6'] })?.told).toEqual([5])
  })

  it.each([
    undefined,
    null,
    'let the new version in',
    {},
    { ends: 'never', title: 'a', body: 'b' },
    { ends: [], title: 1, body: 'b' },
  ])('is not taken from %j', (value) => expect(readNote(value)).toBeUndefined())

  it('keeps only ends that are numbers', () =>
    expect(readNote({ ...note, ends: [Number.NaN, '1', NOW] })?.ends).toEqual([NOW]))
})

describe('the vaults of a browser', () => {
  let vaults: string[]
  let stored: Map<string, string>
  let shown: string[]
  let badges: number[]
  let now: number
  let send: (remind: unknown) => Promise<void>

  beforeEach(() => {
    ;[vaults, stored, shown, badges, now] = [['vault_a', 'vault_b'], new Map(), [], [], NOW]
    const pathOf = (at: string | Request) => (typeof at === 'string' ? at : new URL(at.url).pathname)
    const cache = {
      keys: async () => [...stored.keys()].map((path) => new Request(`https://vault.example${path}`)),
      match: async (at: string | Request) => {
        const text = stored.get(pathOf(at))
        return text === undefined ? undefined : new Response(text)
      },
      put: async (at: string, response: Response) => void stored.set(at, await response.text()),
      delete: async (at: Request) => stored.delete(pathOf(at)),
    }
    vi.stubGlobal('caches', { open: async () => cache, delete: async () => stored.clear() })
    vi.stubGlobal('indexedDB', { databases: async () => vaults.map((name) => ({ name })) })
    vi.stubGlobal('Notification', { permission: 'granted' })
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    const heard = new Map<string, (event: object) => void>()
    const worker = {
      addEventListener: (name: string, handle: (event: object) => void) => heard.set(name, handle),
      navigator: {
        setAppBadge: async (count: number) => void badges.push(count),
        clearAppBadge: async () => void badges.push(0),
      },
      registration: { showNotification: async (title: string) => void shown.push(title) },
    }
    handleReminders(worker as unknown as ServiceWorkerGlobalScope)
    send = async (remind) => {
      let work: Promise<unknown> = Promise.resolve()
      const waitUntil = (promise: Promise<unknown>) => {
        work = promise
      }
      heard.get('message')?.({ data: { remind }, waitUntil })
      await work
    }
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  const say = (vault: string, ...ends: number[]) => send({ vault, ends, title: `of ${vault}`, body: '' })

  it('each have a note, and are counted together', async () => {
    await say('vault_a', NOW + HOUR)
    await say('vault_b', NOW + 2 * HOUR, NOW + 3 * HOUR)
    expect(badges.at(-1)).toBe(3)
    expect(shown).toEqual(['of vault_a', 'of vault_b'])
    await say('vault_a', NOW + HOUR)
    expect(badges.at(-1)).toBe(3)
    expect(shown).toHaveLength(2)
  })

  it('are told of apart: the later end of one silences no other', async () => {
    await say('vault_a', NOW + 40 * HOUR)
    await say('vault_b', NOW + HOUR)
    expect(shown).toEqual(['of vault_a', 'of vault_b'])
  })

  it('leave no note when they are gone', async () => {
    await say('vault_a', NOW + HOUR)
    await say('vault_b', NOW + 2 * HOUR)
    vaults = ['vault_b']
    await send('due')
    expect(badges.at(-1)).toBe(1)
    expect(stored.size).toBe(1)
    vaults = []
    await send('due')
    expect(badges.at(-1)).toBe(0)
    expect(stored.size).toBe(0)
  })

  it('are named in no note', async () => {
    await say('vault_a', NOW + HOUR)
    expect(JSON.stringify([...stored].flat()).replaceAll('of vault_a', '')).not.toContain('vault_a')
  })

  it('are reminded in time, though the clock was ahead for a moment', async () => {
    now = NOW + 1_000 * HOUR
    await say('vault_a', now + HOUR, NOW + HOUR)
    expect(shown).toHaveLength(1)
    now = NOW
    await send('due')
    expect(shown).toHaveLength(2)
    now = NOW + 1_000 * HOUR
    await send('due')
    expect(shown).toHaveLength(3)
  })

  it('lose the note of an older version, which was for all of them', async () => {
    stored.set('/reminders', JSON.stringify({ ends: [NOW + HOUR], title: 'old', body: '' }))
    await send('due')
    expect(shown).toEqual([])
    expect(stored.size).toBe(0)
  })
})
