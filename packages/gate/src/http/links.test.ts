// What a caller that signs gets from the gate's own MCP endpoint for a call that no grant covers: a link that asks for exactly this call.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import {
  container,
  delegation,
  invocation,
  revocation,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { CallRefused } from '../errors.ts'
import { requestFor, takeTurns } from '../mcp/request-for.ts'
import { hostileServer, type Opened, open, owner, stranger, VAULT } from '../test/parts.ts'
import { toValue } from '../test/signed.ts'
import { listen } from './listen.ts'

const ANY = z.looseObject({})
const CALL = { server: 'bad', name: 'echo', arguments: { how: 'x' } }
const EXACT = {
  command: '/mcp/tools/call',
  audience: stranger.did,
  policy: [
    ['==', '.server', 'bad'],
    ['==', '.name', 'echo'],
    ['==', '.arguments.how', 'x'],
  ],
}

async function serve(config: object = {}) {
  const opened = await open({ bad: { ...hostileServer(), ...config } })
  const listener = await listen({ gate: opened.gate, vault: VAULT, owners: [owner.did], port: 0 })
  onTestFinished(() => listener.close())
  return { opened, url: `${listener.url}/mcp/bad` }
}

/** A call that the stranger signs, under these grants. */
function signed({ gate }: Opened, proofs: readonly Token[] = [], args: object = CALL): string {
  const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
  const fields = { cmd: '/mcp/tools/call', aud: gate.did, exp, args: toValue(args) as never }
  return container([...proofs, invocation(stranger, owner, proofs, fields)])
}

const granted = (pol: unknown = []) =>
  delegation(owner, stranger, { cmd: '/mcp/tools/call', pol: toValue(pol) })

async function connected(
  url: string,
  mode: 'legacy' | { readonly pin: '2026-07-28' },
  onLink?: (url: string) => 'accept' | 'decline',
) {
  const capabilities = onLink ? { elicitation: { url: {} } } : {}
  const client = new Client({ name: 'x', version: '1' }, { capabilities, versionNegotiation: { mode } })
  if (onLink)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: onLink('url' in params ? params.url : ''),
    }))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  const call = (token: string) =>
    client.request(
      { method: 'tools/call', params: { name: 'echo', _meta: { 'keyhole/invocation': token } } },
      ANY,
    )
  return call
}

function requestIn(link: unknown): unknown {
  return JSON.parse(
    Buffer.from(String(link).split('/connect#keyhole-request-1.')[1] ?? '', 'base64url').toString(),
  )
}

/** Sends a call as a client of an older protocol does. */
async function post(url: string, token: string, version: string, more: object = {}) {
  const params = { name: 'echo', _meta: { 'keyhole/invocation': token, ...more } }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const text = await (await fetch(url, { method: 'POST', headers, body })).text()
  return JSON.parse(text.replace(/^event:.*\ndata: /, '')).error
}

describe('a client that opens links', () => {
  it('opens one that asks for exactly this call, and the call goes on once it is signed under the grant', async () => {
    const { opened, url } = await serve()
    const links: string[] = []
    const call = await connected(url, { pin: '2026-07-28' }, (link) => {
      links.push(link)
      return 'accept'
    })
    // The client makes the same request again, which shows no grant yet.
    await expect(call(signed(opened))).rejects.toMatchObject({
      code: -32_003,
      data: { error: expect.any(String), request: expect.any(String) },
    })
    expect(links).toHaveLength(1)
    expect(requestIn(links[0])).toMatchObject(EXACT)
    const { policy } = Object(requestIn(links[0]))
    expect(await call(signed(opened, [granted(policy)]))).toMatchObject({ content: [{ type: 'text' }] })
    expect(links).toHaveLength(1)
  })

  it('of 2025-11-25 gets it by the error of that protocol', async () => {
    const { opened, url } = await serve()
    const call = await connected(url, 'legacy', () => 'accept')
    const error = await call(signed(opened)).catch((error) => error)
    expect(error.code).toBe(-32_042)
    const [{ mode, url: link, elicitationId, message }] = error.elicitations
    expect(mode).toBe('url')
    expect(elicitationId).toEqual(expect.any(String))
    expect(message).toMatch(/ [0-9A-Z]{4}-[0-9A-Z]{4}\.$/)
    expect(requestIn(link)).toMatchObject(EXACT)
  })
})

describe('a client that opens none', () => {
  it.each([
    ['2026-07-28', -32_003],
    ['2025-06-18', -32_003],
  ] as const)('gets the link and its code in the data of the error: %s', async (version, code) => {
    const { opened, url } = await serve()
    const token = signed(opened)
    const error =
      version === '2026-07-28'
        ? await (await connected(url, { pin: version }))(token).catch((error) => error)
        : await post(url, token, version)
    expect(error).toMatchObject({ code, data: { code: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/) } })
    expect(error.message).toContain(error.data.request)
    expect(requestIn(error.data.request)).toMatchObject(EXACT)
  })

  it('gets one for a grant that was revoked or is too narrow, and for a call that the owner allows one by one', async () => {
    const { opened, url } = await serve({ ask: [{ command: '/mcp/tools/call' }] })
    const [revoked, narrow] = [granted(), granted([['==', '.name', 'other']])]
    await opened.gate.revoke(container([revocation(owner, revoked)]))
    const errorOf = async (token: string) => (await post(url, token, '2025-06-18')).data
    const first = await errorOf(signed(opened, [revoked]))
    expect([first.error, requestIn(first.request)]).toMatchObject(['Revoked', EXACT])
    const second = await errorOf(signed(opened, [narrow]))
    expect([second.error, requestIn(second.request)]).toMatchObject(['MatchError', EXACT])
    const third = await errorOf(signed(opened, [granted()]))
    expect(third).toMatchObject({ error: 'AskFirst', once: expect.any(String) })
    expect(requestIn(third.request)).toMatchObject({
      policy: expect.arrayContaining([['==', '.once', third.once]]),
    })
  })

  it('gets one that describes the tool, if a grant of the caller reaches it', async () => {
    const { opened, url } = await serve({ ask: [{ command: '/mcp/tools/call' }] })
    const errorOf = async (token: string) => (await post(url, token, '2025-06-18')).data
    const other = { ...CALL, arguments: { how: 'y' } }
    const narrow = granted([['==', '.arguments.how', 'x']])
    const described = await opened.gate.servers.get('bad')?.describe?.('/mcp/tools/call', CALL, [])
    for (const token of [signed(opened, [narrow], other), signed(opened, [narrow])]) {
      const { service } = Object(requestIn((await errorOf(token)).request))
      expect(service).toMatch(/^keyhole-service-1\./)
      expect(service).toBe(described)
    }
    // What else there is, is not told.
    const [elsewhere, revoked] = [granted([['==', '.name', 'other']]), granted([['==', '.server', 'bad']])]
    await opened.gate.revoke(container([revocation(owner, revoked)]))
    const own = delegation(stranger, stranger, { cmd: '/' })
    for (const proofs of [[], [elsewhere], [revoked], [own]]) {
      const { request } = await errorOf(signed(opened, proofs))
      expect(requestIn(request)).toMatchObject(EXACT)
      expect(requestIn(request)).not.toHaveProperty('service')
    }
  })

  it('gets none where no grant would help, or if it writes its requests itself', async () => {
    const { opened, url } = await serve()
    const errorOf = async (token: string, more = {}) => (await post(url, token, '2025-11-25', more)).data
    const other = { ...CALL, server: 'other' }
    const huge = { ...CALL, arguments: { how: 2n ** 60n } }
    const long = { ...CALL, name: 'x'.repeat(20_000) }
    const none = granted([['==', '.name', 'none']])
    for (const token of [
      'nonsense',
      signed(opened).slice(0, -8),
      signed(opened, [none], other),
      signed(opened, [none], huge),
      signed(opened, [none], long),
      signed(opened, [granted()], { ...CALL, name: 'unknown' }),
    ]) {
      const data = await errorOf(token)
      expect(data.error).toEqual(expect.any(String))
      expect(data).not.toHaveProperty('request')
    }
    expect(await errorOf(signed(opened), { 'keyhole/asks': true })).not.toHaveProperty('request')
    expect(opened.errors).toEqual([])
  })
})

describe('requests that the gate writes', () => {
  it('are written one at a time, and of one network only a few wait', async () => {
    const turns = takeTurns(false)
    let [running, most] = [0, 0]
    const work = Array.from({ length: 20 }, (_, at) =>
      turns('192.0.2.1', async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        if (at === 3) throw new Error('This one fails.')
        return at
      }).catch(() => 'failed'),
    )
    const done = await Promise.all(work)
    expect(most).toBe(1)
    expect(done).toEqual([0, 1, 2, 'failed', 4, ...Array(15).fill(undefined)])
    expect(await turns('192.0.2.1', async () => 'next')).toBe('next')
  })

  it('wait for no server that describes nothing in time, and of another none waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const payload = { iss: stranger.did, cmd: '/mcp/tools/call', args: CALL }
    const inspected = { tokens: [{ kind: 'invocation', signature_valid: true, payload }] }
    const turns = takeTurns(false)
    const writer = (describe: () => Promise<string>) =>
      requestFor({
        ...{ vault: VAULT, name: 'bad', turns, describe },
        enclave: { call: async () => inspected as never },
        readGrants: async () => [{ command: '/', policy: [] }] as never,
      })
    const proof = granted()
    const token = container([proof, invocation(stranger, owner, [proof], { cmd: '/mcp/tools/call' })])
    const refusal = new CallRefused('MatchError', 'No grant allows it.')
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const slow = writer(() => {
      asked()
      return new Promise(() => {})
    })(token, refusal, '192.0.2.1')
    await isAsked
    const other = await writer(async () => 'keyhole-service-1.x')(token, refusal, '192.0.2.2')
    expect(requestIn(other?.link)).toMatchObject({ ...EXACT, service: 'keyhole-service-1.x' })
    await vi.advanceTimersByTimeAsync(1_000)
    const late = requestIn((await slow)?.link)
    expect(late).toMatchObject(EXACT)
    expect(late).not.toHaveProperty('service')
  })

  it('are written for others first, however many a few networks ask for', async () => {
    const turns = takeTurns(false)
    const written: string[] = []
    const ask = (address: string) =>
      turns(address, async () => {
        await new Promise(setImmediate)
        written.push(address)
        return address
      })
    const strangers = Array.from({ length: 12 }, (_, at) => `192.0.2.${at}`)
    await Promise.all(strangers.map(ask))
    written.length = 0
    const asked = strangers.flatMap((address) => Array.from({ length: 20 }, () => ask(address)))
    expect(await ask('198.51.100.1')).toBe('198.51.100.1')
    // One was being written already.
    expect(written.indexOf('198.51.100.1')).toBeLessThan(2)
    expect((await Promise.all(asked)).filter((each) => each === undefined).length).toBeGreaterThan(200)
  })
})
