import { createHolder, memoryStore } from '@keyhole/holder'
import { afterAll, describe, expect, it } from 'vitest'
import { forwardAuth } from './forward-auth.ts'
import { callText, closeSharedEnclave, friend, makeVerifier, owner } from './test/calls.ts'

afterAll(closeSharedEnclave)

const GRANT = { cmd: '/http' }
const READING = {
  cmd: '/http/get',
  args: new Map([
    ['service', 'notes'],
    ['path', '/a b'],
  ]),
}

async function begin(options = {}) {
  const verifier = await makeVerifier(options)
  const errors: unknown[] = []
  const answer = forwardAuth(verifier, { service: 'notes', onError: (error) => errors.push(error) })
  const ask = (token: string | undefined, uri: string, headers: Record<string, string> = {}) =>
    answer(
      new Request('http://127.0.0.1/', {
        headers: {
          'x-forwarded-method': 'GET',
          'x-forwarded-uri': uri,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      }),
    )
  return { ask, errors }
}

const nameOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { name: string } }).error.name,
]

describe('a proxy that asks', () => {
  it('gets one yes for a request, and who calls', async () => {
    const { ask } = await begin()
    const token = callText(READING, GRANT)
    const first = await ask(token, '/a%20b')
    expect(first.status).toBe(200)
    expect(first.headers.get('x-keyhole-issuer')).toBe(friend.did)
    expect(first.headers.get('x-keyhole-subject')).toBe(owner.did)
    expect(first.headers.get('x-keyhole-command')).toBe('/http/get')
    expect(first.headers.get('x-keyhole-invocation')).toMatch(/^bafy/)
    expect(await nameOf(await ask(token, '/a%20b'))).toEqual([401, 'Replayed'])
  })

  it('compares parameters in any order', async () => {
    const query = new Map<string, string | string[]>([
      ['b', ['1', '2']],
      ['a', 'x y'],
    ])
    const { ask } = await begin()
    const token = () =>
      callText(
        { ...READING, args: new Map<string, unknown>([...READING.args, ['query', query]]) as never },
        GRANT,
      )
    expect((await ask(token(), '/a%20b?a=x+y&b=1&b=2')).status).toBe(200)
    for (const uri of ['/a%20b', '/a%20b?a=x+y&b=2&b=1', '/a%20b?a=x+y&b=1', '/a%20b?a=x+y&b=1&b=2&c'])
      expect(await nameOf(await ask(token(), uri))).toEqual([403, 'InvalidArguments'])
  })

  it.each([
    ['another path', READING, '/b', {}, 'InvalidArguments'],
    ['more parameters', READING, '/a%20b?admin=1', {}, 'InvalidArguments'],
    ['another method', READING, '/a%20b', { 'x-forwarded-method': 'POST' }, 'InvalidCommand'],
    [
      'another service',
      {
        ...READING,
        args: new Map([
          ['service', 'mail'],
          ['path', '/a b'],
        ]),
      },
      '/a%20b',
      {},
      'InvalidArguments',
    ],
    [
      'a body, which the proxy does not send',
      { ...READING, args: new Map([...READING.args, ['body', 'x']]) },
      '/a%20b',
      {},
      'InvalidArguments',
    ],
    [
      'an argument that is nothing of the request',
      { ...READING, args: new Map([...READING.args, ['once', 'x']]) },
      '/a%20b',
      {},
      'InvalidArguments',
    ],
    [
      'a parameter that is a huge number',
      {
        ...READING,
        args: new Map<string, unknown>([...READING.args, ['query', new Map([['a', 2n ** 60n]])]]),
      },
      '/a%20b?a=1152921504606846976',
      {},
      'InvalidArguments',
    ],
    ['a parameter that overrides the method', READING, '/a%20b?_method=DELETE', {}, 'AmbiguousRequest'],
    [
      'a missing path',
      { ...READING, args: new Map([['service', 'notes']]) },
      '/a%20b',
      {},
      'InvalidArguments',
    ],
    ['an ambiguous path', READING, '/x/../a%20b', {}, 'AmbiguousRequest'],
    ['a path without a leading slash', READING, '', {}, 'AmbiguousRequest'],
    [
      'a header that overrides the method',
      READING,
      '/a%20b',
      { 'x-http-method-override': 'DELETE' },
      'AmbiguousRequest',
    ],
    [
      'a header that overrides the path',
      READING,
      '/a%20b',
      { 'x-original-url': '/admin' },
      'AmbiguousRequest',
    ],
  ])('gets a no for %s', async (_, fields, uri, headers, name) => {
    const { ask } = await begin()
    expect(await nameOf(await ask(callText(fields as never, GRANT), uri, headers))).toEqual([403, name])
  })

  it.each([
    'x-http-method-override',
    'x_http_method_override',
    'X-Http_Method-Override',
    'x_original_url',
    'x-keyhole-subject',
    'x_keyhole_subject',
    'X-Keyhole_Issuer',
    'x-keyhole-anything',
  ])('gets a no for a client that sends %s, and the call is not used up', async (name) => {
    const { ask } = await begin()
    const token = callText(READING, GRANT)
    expect(await nameOf(await ask(token, '/a%20b', { [name]: 'DELETE' }))).toEqual([403, 'AmbiguousRequest'])
    expect((await ask(token, '/a%20b', { 'x-keyholes': '1', x_request_id: '2' })).status).toBe(200)
  })

  it('gets a no if the grant is too narrow', async () => {
    const { ask } = await begin()
    const token = callText(READING, { ...GRANT, pol: [['like', '.path', '/public/*']] })
    expect(await nameOf(await ask(token, '/a%20b'))).toEqual([403, 'MatchError'])
  })

  it.each(['C', 'C'.repeat(49_153), 'x y'])('only gets statuses that proxies pass on (%#)', async (token) => {
    const { ask } = await begin()
    expect((await ask(token, '/')).status).toBe(403)
  })

  it('gets the ready request in a header too, so that a holder can ask with it', async () => {
    const { ask } = await begin()
    const response = await ask(undefined, '/a%20b?x=1')
    expect(response.status).toBe(401)
    const ready = response.headers.get('x-keyhole-request') ?? ''
    const { subject, request } = JSON.parse(Buffer.from(ready, 'base64url').toString())
    expect(subject).toBe(owner.did)
    expect(request).toEqual({
      command: '/http/get',
      policy: [['==', '.', { service: 'notes', path: '/a b', query: { x: '1' } }]],
    })
    const asked = await createHolder({ store: memoryStore() }).ask({
      vault: 'https://vault.example',
      ...request,
    })
    expect(asked.link).toContain('/connect#')
    const long = await ask(undefined, `/${'a'.repeat(3_000)}`)
    expect([long.status, long.headers.get('x-keyhole-request')]).toEqual([401, null])
  })

  it('gets a 503 if no decision can be made', async () => {
    const { ask, errors } = await begin({
      replay: { claim: () => Promise.reject(new Error('disk')), close: async () => {} },
    })
    expect((await ask(callText(READING, GRANT), '/a%20b')).status).toBe(503)
    expect(errors).toHaveLength(1)
  })
})

describe('an endpoint for a proxy is not made', () => {
  it.each([
    ['no options', undefined],
    ['options without a service', {}],
    ['an option that does not exist', { service: 'notes', command: '/http/get' }],
  ])('with %s', async (_, options) => {
    const verifier = await makeVerifier()
    const wrong = expect.objectContaining({ name: 'VerifyError', code: 'INVALID_OPTIONS' })
    expect(() => Reflect.apply(forwardAuth, undefined, [verifier, options])).toThrow(wrong)
    expect(() => Reflect.apply(forwardAuth, undefined, [makeVerifier(), { service: 'notes' }])).toThrow(wrong)
  })
})
