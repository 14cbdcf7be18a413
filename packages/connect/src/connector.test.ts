import { createHash } from 'node:crypto'
import { createHolder, type Holder, memoryStore } from '@keyhole/holder'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectByRedirect } from './connect.ts'
import { createConnector } from './connector.ts'
import { FakePage, grantTo, VAULT } from './test/vault.ts'

const NOW = 1_800_000_000
let now: number
let page: FakePage
let holder: Holder
beforeEach(() => {
  now = NOW
  page = new FakePage()
  vi.stubGlobal('window', page)
  holder = createHolder({ store: memoryStore(), clock: () => now * 1_000 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function begin(changes: object = {}) {
  const connector = createConnector({ vault: VAULT, command: '/msg/send', holder, ...changes })
  const seen: string[] = []
  const stop = connector.subscribe(() => seen.push(connector.state.status))
  const becomes = (status: string) => vi.waitFor(() => expect(connector.state.status).toBe(status))
  return { connector, seen, stop, becomes }
}

describe('a connector', () => {
  it('asks when told to, and is connected', async () => {
    const { connector, seen, becomes } = begin()
    await becomes('none')
    const connecting = connector.connect()
    expect(page.opened).toHaveLength(1)
    expect(connector.state.status).toBe('asking')
    await page.grant()
    await connecting
    expect(connector.state).toMatchObject({
      status: 'connected',
      connection: { effective: { command: '/msg/send' } },
    })
    expect(seen).toEqual(['none', 'asking', 'connected'])
  })

  it('is connected at once if there is a matching grant', async () => {
    await holder.add(grantTo(await holder.did(), { cmd: '/crypto' }))
    await holder.add(grantTo(await holder.did(), { cmd: '/msg', exp: BigInt(NOW - 1) })).catch(() => {})
    await holder.add(grantTo(await holder.did(), { exp: BigInt(NOW + 1_000) }))
    const { connector, becomes } = begin()
    await becomes('connected')
    expect(connector.state.connection?.expiresAt).toBe(NOW + 1_000)
  })

  it('accepts a grant of every command', async () => {
    await holder.add(grantTo(await holder.did(), { cmd: '/' }))
    const { becomes } = begin()
    await becomes('connected')
  })

  it('accepts a grant of less than was requested', async () => {
    await holder.add(grantTo(await holder.did(), { cmd: '/msg/send/now' }))
    const { becomes } = begin()
    await becomes('connected')
  })

  it.each([
    ['another folder', ['==', '.folder', 'letters'], 'none'],
    ['the same folder', ['==', '.folder', 'recipes'], 'connected'],
    ['a narrower limit on another field', ['==', '.page', 1], 'connected'],
    ['a list of it', ['==', '.folder', ['recipes']], 'none'],
  ])('with a grant for %s', async (_, statement, status) => {
    await holder.add(grantTo(await holder.did(), { pol: [statement] }))
    const { becomes } = begin({ policy: [['==', '.folder', 'recipes']] })
    await becomes(status)
  })

  it('does nothing, and touches no window, before someone subscribes', () => {
    vi.stubGlobal('window', undefined)
    const connector = createConnector({ vault: VAULT, command: '/msg/send' })
    expect(connector.state).toEqual({ status: 'starting', connection: undefined, error: undefined })
  })

  it('keeps the connection if the person says no, and says why', async () => {
    await holder.add(grantTo(await holder.did()))
    const { connector, becomes } = begin()
    await becomes('connected')
    const { connection } = connector.state
    const connecting = connector.connect()
    await page.decline()
    await connecting
    expect(connector.state).toMatchObject({ status: 'connected', connection, error: { code: 'DECLINED' } })
  })

  it('opens one window for two presses', async () => {
    const { connector, becomes } = begin()
    await becomes('none')
    void connector.connect()
    await connector.connect()
    expect(page.opened).toHaveLength(1)
  })

  it('is expiring before its expiry, is renewed by another press, and expires', async () => {
    vi.useFakeTimers()
    await holder.add(grantTo(await holder.did(), { exp: BigInt(NOW + 1_000) }))
    const { connector, becomes } = begin({ renewWithin: 100 })
    await becomes('connected')
    const pass = async (seconds: number) => {
      now += seconds
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
    }
    await pass(899)
    expect(connector.state.status).toBe('connected')
    await pass(1)
    await becomes('expiring')
    expect(connector.state.connection).toBeDefined()
    vi.useRealTimers()
    const connecting = connector.connect()
    await page.grant({ exp: BigInt(NOW + 2_000) })
    await connecting
    expect(connector.state).toMatchObject({ status: 'connected', connection: { expiresAt: NOW + 2_000 } })
  })

  it('has no connection once its grant has expired', async () => {
    vi.useFakeTimers()
    await holder.add(grantTo(await holder.did(), { exp: BigInt(NOW + 50) }))
    const { connector, becomes } = begin({ renewWithin: 10 })
    await becomes('connected')
    now += 50
    await vi.advanceTimersByTimeAsync(50_000)
    await becomes('none')
    expect(connector.state.connection).toBeUndefined()
  })

  it('has no connection if its grant expired while the page slept, or no one listened', async () => {
    vi.useFakeTimers()
    await holder.add(grantTo(await holder.did(), { exp: BigInt(NOW + 50) }))
    const asleep = begin({ renewWithin: 10 })
    const unheard = begin({ renewWithin: 10 })
    await asleep.becomes('connected')
    await unheard.becomes('connected')
    unheard.stop()
    // Timers stand still meanwhile.
    now += 3_600
    await vi.advanceTimersByTimeAsync(50_000)
    await asleep.becomes('none')
    unheard.connector.subscribe(() => {})
    await unheard.becomes('none')
    expect(unheard.connector.state.connection).toBeUndefined()
  })

  it('watches its grant again for those who come back', async () => {
    vi.useFakeTimers()
    await holder.add(grantTo(await holder.did(), { exp: BigInt(NOW + 50) }))
    const { connector, stop, becomes } = begin({ renewWithin: 10 })
    await becomes('connected')
    stop()
    connector.subscribe(() => {})
    now += 40
    await vi.advanceTimersByTimeAsync(40_000)
    await becomes('expiring')
  })

  it('takes an answer by redirect, also if a page subscribes twice at once, as in the strict mode of React', async () => {
    const { link } = await new Promise<{ link: string }>((resolve) => {
      page.location.assign = (url) => resolve({ link: String(url) })
      void connectByRedirect({ vault: VAULT, command: '/msg/send', holder })
    })
    const request = createHash('sha256')
      .update(link.slice(link.indexOf('#') + 1))
      .digest('base64url')
    const said = { request, token: grantTo(await holder.did()) }
    page.location.href += `#keyhole-answer-1.${Buffer.from(JSON.stringify(said)).toString('base64url')}`
    const connector = createConnector({ vault: VAULT, command: '/msg/send', holder })
    connector.subscribe(() => {})()
    connector.subscribe(() => {})
    await vi.waitFor(() => expect(connector.state.status).not.toBe('starting'))
    expect(connector.state.status).toBe('connected')
  })

  it('stops waiting when no one listens any more', async () => {
    vi.useFakeTimers()
    await holder.add(grantTo(await holder.did(), { exp: BigInt(NOW + 50) }))
    const { stop, becomes } = begin()
    await becomes('expiring')
    stop()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
  })

  it('reports that nothing can be read', async () => {
    const broken = createHolder({
      store: { ...memoryStore(), tokens: () => Promise.reject(new Error('No disk.')) },
    })
    const { connector, becomes } = begin({ holder: broken })
    await becomes('none')
    expect(connector.state.error).toMatchObject({ message: 'No disk.' })
  })
})
