import { describe, expect, it } from 'vitest'
import { TestClock } from '../test/clock.ts'
import { Relay, type RelayCall } from './relay.ts'

const ID = 'A'.repeat(43)
const json = (value: unknown, status = 200, headers = {}) => Response.json(value, { status, headers })

/** A relay that answers as a test says. */
function asked(answer: (request: Request) => Response | Promise<Response>) {
  const clock = new TestClock()
  const calls: RelayCall[] = []
  const audiences: string[] = []
  const requests: Request[] = []
  const ender = new AbortController()
  const relay = new Relay({
    url: 'https://vault.example:8443/relay',
    clock,
    signal: ender.signal,
    authorize: async (call, audience) => {
      calls.push(call)
      audiences.push(audience)
      return 'dG9rZW4'
    },
    fetch: async (url, init) => {
      const request = new Request(url, init)
      requests.push(request)
      return await answer(request)
    },
  })
  return { relay, clock, calls, audiences, requests, end: (why: unknown) => ender.abort(why) }
}

/** A body that goes on until it is cancelled. */
function endless(chunk: string) {
  let isCancelled = false
  let chunks = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks += 1
      controller.enqueue(new TextEncoder().encode(chunk))
    },
    cancel() {
      isCancelled = true
    },
  })
  return {
    body,
    get chunks() {
      return chunks
    },
    get isCancelled() {
      return isCancelled
    },
  }
}

describe('a call to the relay', () => {
  it('shows an invocation for this relay, this command and this record, and no cookie', async () => {
    const { relay, calls, audiences, requests } = asked(() => json({ place: 3 }, 201))
    expect(await relay.append('AgEC', ID)).toBe(3)
    expect(await relay.append('AQEC', ID, 4)).toBe(3)
    expect(calls[0]).toEqual({ append: { record: ID } })
    expect(audiences[0]).toBe('did:web:vault.example%3A8443')
    const [first, second] = requests
    expect(first?.url).toBe('https://vault.example:8443/relay/records/append')
    expect(first?.headers.get('authorization')).toBe('Bearer dG9rZW4')
    expect([first?.credentials, first?.redirect]).toEqual(['omit', 'error'])
    expect(await first?.json()).toEqual({ record: 'AgEC' })
    expect(await second?.json()).toEqual({ record: 'AQEC', heads_read: 4 })
  })

  it('reads from a place on', async () => {
    const { relay, calls } = asked(() => json({ before: ID, records: ['AgEC'] }))
    expect(await relay.read(5)).toEqual({ before: ID, records: ['AgEC'] })
    expect(calls[0]).toEqual({ read: { from: 5 } })
  })

  it('posts a revocation, which needs no invocation', async () => {
    const { relay, calls, requests } = asked(() => json({ cid: 'bafy' }, 201))
    await relay.revoke('revocation', 'permission')
    expect(calls).toEqual([])
    expect(requests[0]?.url).toBe('https://vault.example:8443/relay/revocations')
    expect(await requests[0]?.json()).toEqual({ revocation: 'revocation', token: 'permission' })
  })

  it.each([
    [401, 'unauthorized', 'refused'],
    [403, 'forbidden', 'refused'],
    [404, 'not_found', 'refused'],
    [409, 'conflict', 'conflict'],
    [409, 'full', 'full'],
    [413, 'too_large', 'refused'],
    [429, 'too_many_requests', 'busy'],
    [503, 'unavailable', 'busy'],
  ])('that is answered %i %s failed as %s', async (status, error, why) => {
    const { relay } = asked(() => json({ error, rule: 'Revoked' }, status, { 'retry-after': '5' }))
    await expect(relay.read(1)).rejects.toMatchObject({ why, rule: 'Revoked', wait: 5_000 })
  })

  it('waits no longer than ten minutes, whatever the relay asks for', async () => {
    const { relay } = asked(() => json({ error: 'unavailable' }, 503, { 'retry-after': '1e300' }))
    await expect(relay.read(1)).rejects.toMatchObject({ why: 'busy', wait: 600_000 })
  })

  it('fails if the network does', async () => {
    const { relay } = asked(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(relay.read(1)).rejects.toMatchObject({ why: 'network' })
  })

  it.each([
    ['no JSON', new Response('<html>')],
    ['a list', json([])],
    ['a digest that is none', json({ before: 'x', records: [] })],
    ['a record that is none', json({ before: ID, records: ['!'] })],
    ['a record that is too long', json({ before: ID, records: ['A'.repeat(1_048_577)] })],
    ['too many records', json({ before: ID, records: Array(1_001).fill('AgEC') })],
    ['bytes that are no text', new Response(Uint8Array.of(0xff))],
  ])('refuses %s', async (_, response) => {
    const { relay } = asked(() => response)
    await expect(relay.read(1)).rejects.toMatchObject({ why: 'nonsense' })
  })

  it('stops reading an answer that has no end', async () => {
    const answer = endless('x'.repeat(100_000))
    const { relay } = asked(() => new Response(answer.body))
    await expect(relay.read(1)).rejects.toMatchObject({ why: 'nonsense' })
    expect(answer.chunks).toBeLessThan(80)
    expect(answer.isCancelled).toBe(true)
  })

  it('stops reading a refusal that has no end', async () => {
    const answer = endless('x'.repeat(10_000))
    const { relay } = asked(() => new Response(answer.body, { status: 403 }))
    await expect(relay.read(1)).rejects.toMatchObject({ why: 'refused' })
    expect(answer.isCancelled).toBe(true)
  })

  it('ends after a minute, also if the relay ignores that it was ended', async () => {
    let reached = () => {}
    const isReached = new Promise<void>((resolve) => {
      reached = resolve
    })
    const { relay, clock } = asked(() => {
      reached()
      return new Promise(() => {})
    })
    const reading = relay.read(1)
    await isReached
    clock.pass(60_000)
    await expect(reading).rejects.toMatchObject({ why: 'network' })
    expect(clock.timers).toBe(0)
  })

  it('ends when the account is locked, with that as the reason', async () => {
    const { relay, end } = asked(() => new Promise(() => {}))
    const reading = relay.read(1)
    const why = new Error('locked')
    end(why)
    await expect(reading).rejects.toBe(why)
    await expect(relay.read(1)).rejects.toBe(why)
  })
})

describe('a stream of hints', () => {
  it('gives each hint, also one that comes in pieces', async () => {
    const parts = [
      'retry: 1000\n\nevent: chan',
      'ged\ndata: {}\n\nevent: alive\ndata: {}\n\n',
      'event: changed\n\n',
    ]
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    const { relay, clock } = asked(() => new Response(body))
    let hints = 0
    await expect(relay.watch(() => hints++)).rejects.toMatchObject({ why: 'network' })
    expect([hints, clock.timers]).toEqual([2, 0])
  })

  it('ends if the relay is silent, and not while it says that it is there', async () => {
    let say: (text: string) => void = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        say = (text) => controller.enqueue(new TextEncoder().encode(text))
      },
    })
    const { relay, clock } = asked(() => new Response(body))
    let hints = 0
    let heard = () => {}
    const watching = relay.watch(() => {
      hints += 1
      heard()
    })
    for (let round = 0; round < 3; round += 1) {
      const isHeard = new Promise<void>((resolve) => {
        heard = resolve
      })
      say('event: changed\n\n')
      await isHeard
      clock.pass(40_000)
    }
    expect(hints).toBe(3)
    clock.pass(5_000)
    await expect(watching).rejects.toMatchObject({ why: 'network' })
  })

  it.each([
    ['a line', 'x'.repeat(5_000), 'nonsense'],
    ['a stream', 'event: changed\n\n'.repeat(1_000), 'network'],
  ])('ends if %s has no end', async (_, chunk, why) => {
    const answer = endless(chunk)
    const { relay } = asked(() => new Response(answer.body))
    await expect(relay.watch(() => undefined)).rejects.toMatchObject({ why })
    expect(answer.isCancelled).toBe(true)
  })
})
