import { once } from 'node:events'
import { request as httpRequest, type Server } from 'node:http'
import { connect } from 'node:net'
import type { Enclave } from '@keyhole/enclave'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createService } from './server.js'

const ME = 'did:key:zMe'
const NOW = 1_000_000

/** What the enclave is to say of an invocation, of a revocation, and of what a text holds. */
type Said = (input: { invocation?: string; now: number; revocations?: string[] }) => unknown

const open: Server[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function start(said: Said, tokens: object[] = []): Promise<string> {
  const call = async (name: string, input: Parameters<Said>[0]) =>
    name === 'inspect_token' ? { tokens } : said(input)
  const enclave = { call, close: async () => {} } as unknown as Enclave
  const server = await createService({ did: ME, enclave, now: () => NOW })
  open.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const LINK = { cid: 'd1', issuer: ME, audience: 'did:key:zYou', subject: ME, expires_at: NOW + 100 }
const VALID = {
  valid: true,
  ...{ cid: 'i1', task: 't1', command: '/notes/read', args: { big: 2n ** 60n }, chain: [LINK] },
  ...{ subject: ME, issuer: 'did:key:zYou', expires_at: NOW + 300 },
}
const invalid = (name: string) => ({ valid: false, error: { name, message: `${name} it is.`, cid: 'i1' } })

const ask = (url: string, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', headers: { Authorization: 'Bearer Ctoken' }, ...init })

describe('an invocation', () => {
  it('that holds is answered with what it authorises, every digit of it', async () => {
    const asked: unknown[] = []
    const url = await start((input) => {
      asked.push(input)
      return VALID
    })
    const response = await ask(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toContain('"args":{"big":1152921504606846976}')
    expect(asked).toEqual([{ invocation: 'Ctoken', audience: ME, now: NOW, skew: 60 }])
  })

  it('is answered in words where words are asked for', async () => {
    const url = await start(() => VALID)
    const headers = { Authorization: 'bearer Ctoken', Accept: 'text/plain' }
    const response = await ask(url, { headers })
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(`did:key:zYou may /notes/read at ${ME}.\n`)
    expect(await (await ask(url, { headers })).text()).toBe('Replayed: This invocation was used before.\n')
  })

  it('is authorised once, however many come at a time', async () => {
    const url = await start(() => VALID)
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask(url)).status))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 401)])
  })

  it.each([
    [400, 'MalformedToken'],
    [400, 'UnsupportedVersion'],
    [401, 'InvalidSignature'],
    [401, 'Expired'],
    [401, 'TooEarly'],
    [401, 'Replayed'],
    [403, 'InvalidAudience'],
    [403, 'InvalidClaim'],
    [403, 'UnavailableProof'],
    [403, 'Revoked'],
    [403, 'InvalidSubject'],
    [403, 'InvalidCommand'],
    [403, 'MatchError'],
  ])('that does not hold is %i for %s, and says about which token', async (status, name) => {
    const response = await ask(await start(() => invalid(name)))
    expect(response.status).toBe(status)
    expect(response.headers.get('www-authenticate')).toBe(
      status === 401 ? 'Bearer error="invalid_token"' : null,
    )
    expect(await response.json()).toEqual({ error: { name, message: `${name} it is.`, cid: 'i1' } })
  })

  it('that does not hold is told with the reason, and what was compared, every digit of it', async () => {
    const error = {
      ...{ name: 'Expired', why: 'NotToken', message: 'It ended.', cid: 'd1' },
      ...{ expected: 2n ** 60n, found: NOW, unknown: 'kept back' },
    }
    const response = await ask(await start(() => ({ valid: false, error })))
    expect(await response.text()).toBe(
      `{"error":{"name":"Expired","why":"NotToken","expected":1152921504606846976,"found":${NOW},"message":"It ended.","cid":"d1"}}`,
    )
  })

  it.each([
    [
      { subject: 'did:key:zYou' },
      { name: 'InvalidSubject', why: 'NotServedHere', expected: ME, found: 'did:key:zYou' },
    ],
    [{ expires_at: null }, { name: 'LivesTooLong', expected: NOW + 3600, found: null }],
    [{ expires_at: NOW + 3601 }, { name: 'LivesTooLong', expected: NOW + 3600, found: NOW + 3601 }],
  ])('with %o is refused by name, reason and arguments', async (change, told) => {
    const response = await ask(await start(() => ({ ...VALID, ...change })))
    const { error } = (await response.json()) as { error: object }
    expect(error).toEqual({ ...told, message: expect.any(String), cid: 'i1' })
  })

  it('that was used before says so', async () => {
    const url = await start(() => VALID)
    await ask(url)
    expect(await (await ask(url)).json()).toMatchObject({ error: { name: 'Replayed', why: 'UsedBefore' } })
  })

  it.each([
    ['of somebody else’s resources', { subject: 'did:key:zYou' }, 'InvalidSubject'],
    ['that never expires', { expires_at: null }, 'LivesTooLong'],
    ['that expires in years', { expires_at: NOW + 3601 }, 'LivesTooLong'],
  ])('%s holds, and is refused all the same', async (_, change, name) => {
    const response = await ask(await start(() => ({ ...VALID, ...change })))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { name, cid: 'i1' } })
  })

  it('that the enclave cannot decide about is not authorised', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    for (const said of [
      () => ({ error: 'no', code: 'OPERATION_FAILED' }),
      () => {
        throw new Error('the worker is gone')
      },
    ]) {
      const response = await ask(await start(said))
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ error: { name: 'Unavailable' } })
    }
  })
})

describe('a revocation', () => {
  const revoking = {
    ...{ ...VALID, cid: 'r1', command: '/ucan/revoke', args: { revoke: { '/': 'd1' } } },
    ...{ subject: ME, issuer: ME, chain: [], expires_at: null },
  }
  const said: Said = ({ invocation, revocations }) => {
    if (invocation === 'Crevocation') return revoking
    return revocations ? invalid('Revoked') : VALID
  }

  it('is held against every chain with its delegation, by whoever issued some of it', async () => {
    const url = await start(said)
    const told = await ask(`${url}/revocations`, { body: 'Crevocation\n' })
    expect(told.status).toBe(202)
    expect(await told.json()).toEqual({ accepted: { cid: 'r1', revokes: 'd1', by: ME } })
    const response = await ask(url)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { name: 'Revoked' } })
  })

  it.each([
    ['about another delegation', { args: { revoke: 'd2' } }],
    ['by one who has issued nothing in the chain', { subject: 'did:key:zStranger' }],
  ])('%s changes nothing', async (_, change) => {
    const url = await start((input) =>
      input.invocation === 'Crevocation' ? { ...revoking, ...change } : said(input),
    )
    expect((await ask(`${url}/revocations`, { body: 'Crevocation' })).status).toBe(202)
    expect((await ask(url)).status).toBe(200)
  })

  it('that has expired is checked at the end of its time', async () => {
    const url = await start(
      ({ now }) => (now > 500 ? invalid('Expired') : revoking),
      [{ cid: 'r1', payload: { exp: 500 } }],
    )
    expect((await ask(`${url}/revocations`, { body: 'Crevocation' })).status).toBe(202)
  })

  it.each([
    [400, invalid('MalformedToken'), 'MalformedToken'],
    [401, invalid('InvalidSignature'), 'InvalidSignature'],
    [400, VALID, 'NotARevocation'],
    [400, { ...revoking, args: { revoke: 7 } }, 'NotARevocation'],
    [400, { ...revoking, args: { revoke: 'unreadable' } }, 'NotARevocation'],
  ])('that is none is %i', async (status, verdict, name) => {
    const refusal = { error: 'no CID', code: 'OPERATION_FAILED', name: 'MalformedToken' }
    const url = await start(({ invocation }) => (invocation ? verdict : refusal))
    const response = await ask(`${url}/revocations`, { body: 'C' })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { name } })
  })
})

describe('a request', () => {
  it.each([
    ['without a token', {}, 401, 'MissingToken'],
    ['with another scheme', { Authorization: 'Basic Ctoken' }, 400, 'MalformedHeader'],
    ['with an empty token', { Authorization: 'Bearer ' }, 400, 'MalformedHeader'],
    ['with two words', { Authorization: 'Bearer one two' }, 400, 'MalformedHeader'],
    ['with a long token', { Authorization: `Bearer ${'C'.repeat(49_152)}` }, 413, 'TooLarge', 'Token'],
    ['with longer headers', { Authorization: `Bearer ${'C'.repeat(70_000)}` }, 413, 'TooLarge', 'Headers'],
  ])('%s is %s %i %s', async (_, headers, status, name, why?: string) => {
    const response = await ask(await start(() => VALID), { headers })
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as { error: { why?: string } }
    expect(error).toMatchObject({ name, cid: null })
    expect(error.why).toBe(why)
  })

  it('with two tokens is 400', async () => {
    const url = await start(() => VALID)
    const sent = httpRequest(url, { method: 'POST' })
    sent.setHeader('Authorization', ['Bearer one', 'Bearer two'])
    const [response] = await once(sent.end(), 'response')
    expect(response.statusCode).toBe(400)
    response.resume()
  })

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('by %s is 405', async (method) => {
    const url = await start(() => VALID)
    for (const path of ['/', '/revocations']) {
      const response = await ask(url + path, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
    }
  })

  it.each(['/elsewhere', '/revocations/', '/toString'])('to %s is 404', async (path) => {
    expect((await ask((await start(() => VALID)) + path)).status).toBe(404)
  })

  it.each([
    ['none', '', 400, { name: 'MalformedBody', why: 'Empty' }],
    ['too long', 'C'.repeat(65_537), 413, { name: 'TooLarge', why: 'Body', expected: 65_536 }],
  ])('whose body is %s is refused, and the next is answered', async (_, body, status, error) => {
    const url = await start(() => VALID)
    const response = await ask(`${url}/revocations`, { body })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error })
    expect((await ask(url)).status).toBe(200)
  })

  it('that is no HTTP is 400', async () => {
    const { port } = new URL(await start(() => VALID))
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('what is this\r\n\r\n')
    let said = ''
    for await (const part of socket) said += part
    expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"MalformedRequest"/)
  })
})
