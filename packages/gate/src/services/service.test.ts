import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  container,
  delegation,
  invocation,
  revocation,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { listen } from '../index.ts'
import { folder, open, owner, receipts, SECRET, stranger, VAULT } from '../test/parts.ts'
import { type Answers, recordingApi } from '../test/recording-api.ts'
import { signedCall, toValue } from '../test/signed.ts'
import { isPublic } from './addresses.ts'

async function served(answers?: Answers, config: object = {}) {
  const api = await recordingApi(answers)
  const service = {
    url: `${api.url}/v1`,
    private: true,
    methods: ['GET', 'POST'],
    auth: { header: 'Authorization', secret: 'env:TOKEN' },
    ...config,
  }
  const opened = await open({}, await folder(), { services: { api: service } })
  const listener = await listen({ gate: opened.gate, vault: VAULT, owners: [owner.did], port: 0 })
  onTestFinished(() => listener.close())
  const call = (command: string, args: object, more: RequestInit = {}, grant = {}) =>
    fetch(`${listener.url}/http/api`, {
      method: 'POST',
      redirect: 'manual',
      ...more,
      headers: {
        authorization: `Bearer ${signedCall(opened.gate.did, command, { service: 'api', ...args }, grant)}`,
        ...more.headers,
      },
    })
  return { ...api, ...opened, opened, call, base: listener.url }
}

/** The status and name of a refusal. */
async function refusal(answer: Promise<Response>): Promise<readonly [number, string]> {
  const response = await answer
  const said = await response.json()
  return [response.status, said.error.name]
}

const json = (body: unknown, headers = {}) =>
  [200, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)] as const

it('sends what was signed, with the credential, and nothing else of the request', async () => {
  const { requests, call, opened } = await served(() => json({ ok: true }))
  const body = { amount: 5, title: 'é' }
  const args = { path: '/repos/me/a b', query: { page: '1', tag: ['a', 'b&c'] }, body }
  const headers = {
    'x-http-method-override': 'DELETE',
    'x-forwarded-host': 'evil.example',
    cookie: 'a=b',
    'content-type': 'text/evil',
  }
  const response = await call('/http/post', args, { headers, body: '{"amount":5000}' })
  expect([response.status, await response.json()]).toEqual([200, { ok: true }])
  expect(response.headers.get('x-keyhole-answered-by')).toBe('service')
  expect(requests).toEqual([
    {
      method: 'POST',
      target: '/v1/repos/me/a%20b?page=1&tag=a&tag=b%26c',
      headers: {
        host: expect.stringMatching(/^127\.0\.0\.1:/),
        connection: 'close',
        authorization: `Bearer ${SECRET}`,
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(JSON.stringify(body))),
      },
      body: JSON.stringify(body),
    },
  ])
  const lines = await receipts(opened)
  expect(lines).toMatchObject([
    { server: 'api', name: 'POST /repos/me/a b', outcome: 'ok', issuer: stranger.did },
  ])
  expect(JSON.stringify(lines)).not.toContain('amount')
})

it('takes invocations that are almost as long as they may be', async () => {
  const { requests, call } = await served()
  const body = { text: randomBytes(25_000).toString('base64') }
  expect((await call('/http/post', { path: '/x', body })).status).toBe(200)
  expect(requests).toMatchObject([{ body: JSON.stringify(body) }])
})

it('uses an invocation once', async () => {
  const { gate, requests, base } = await served()
  const authorization = `Bearer ${signedCall(gate.did, '/http/get', { service: 'api', path: '/x' })}`
  const post = () => fetch(`${base}/http/api`, { method: 'POST', headers: { authorization } })
  expect(
    await Promise.all([post(), post(), post()]).then((all) => all.map(({ status }) => status).sort()),
  ).toEqual([200, 401, 401])
  expect(requests).toHaveLength(1)
})

it('says what grant was missing, and that the refusal is its own', async () => {
  const { call, gate, requests } = await served()
  const response = await call('/http/get', { path: '/x' }, {}, { policy: [['==', '.path', '/y']] })
  expect(response.status).toBe(403)
  expect(response.headers.get('x-keyhole-answered-by')).toBe('gate')
  expect(await response.json()).toMatchObject({
    error: { name: 'MatchError' },
    subject: owner.did,
    audience: gate.did,
    request: { command: '/http/get', policy: [['==', '.', { service: 'api', path: '/x' }]], vault: VAULT },
  })
  expect(requests).toEqual([])
})

it('writes forms for services that take them', async () => {
  const { call, requests } = await served(undefined, { bodies: 'form' })
  await call('/http/post', {
    path: '/charges',
    body: { amount: 5, card: { name: 'a&b' }, items: ['x', { y: true }] },
  })
  expect(requests.at(0)).toMatchObject({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'amount=5&card%5Bname%5D=a%26b&items%5B0%5D=x&items%5B1%5D%5By%5D=true',
  })
  expect((await call('/http/post', { path: '/charges', body: { a: 5, 'a[b]': 1 } })).status).toBe(400)
})

describe('a body beside the call', () => {
  const bytes = Buffer.from([0, 255, ...Buffer.from('--form\r\n'), ...Buffer.alloc(50_000, 7)])
  const digest = (of: Buffer) => createHash('sha256').update(of).digest('base64url')
  const type = 'multipart/form-data; boundary=form'
  const signed = { sha256: digest(bytes), length: bytes.length, type }
  const sent = { body: new Uint8Array(bytes) }
  const files = { path: '/files', body: signed }

  it('is sent to the byte, with the type that was signed', async () => {
    const { call, requests } = await served(undefined, { uploads: 100_000, bodies: 'form' })
    const headers = { 'content-type': 'text/evil' }
    expect((await call('/http/post', files, { ...sent, headers })).status).toBe(200)
    expect(requests).toMatchObject([
      {
        headers: { 'content-type': type, 'content-length': String(bytes.length) },
        body: bytes.toString('utf8'),
      },
    ])
    const none = { sha256: digest(Buffer.alloc(0)), length: 0 }
    expect((await call('/http/post', { path: '/empty', body: none })).status).toBe(200)
    expect(requests.at(1)).toMatchObject({
      headers: { 'content-type': 'application/octet-stream' },
      body: '',
    })
  })

  it.each<[string, object, RequestInit, number]>([
    ['another body', files, { body: new Uint8Array(Buffer.from(bytes).fill(1)) }, 400],
    ['a longer one', files, { body: new Uint8Array(Buffer.concat([bytes, bytes])) }, 400],
    ['a shorter one', files, { body: new Uint8Array(bytes.subarray(1)) }, 400],
    ['none', files, {}, 400],
    ['a length that is too long', { path: '/files', body: { ...signed, length: 100_001 } }, sent, 413],
  ])('is refused, and reaches no one: %s', async (_, args, more, status) => {
    const { call, requests } = await served(undefined, { uploads: 100_000, bodies: 'form' })
    expect((await call('/http/post', args, more)).status).toBe(status)
    expect(requests).toEqual([])
  })

  it('is refused where the operator did not allow it, and with a method without bodies', async () => {
    const { call, requests } = await served()
    expect((await call('/http/post', files, sent)).status).toBe(413)
    expect((await call('/http/get', files, sent)).status).toBe(400)
    expect(requests).toEqual([])
  })

  it.each([
    [[['!=', '.body.to', 'bob']]],
    [[['not', ['==', '.body.to', 'bob']]]],
    [
      [
        [
          'or',
          [
            ['==', '.path', '/files'],
            ['!=', '.body["to"]', 'bob'],
          ],
        ],
      ],
    ],
    [[['any', '.', ['!=', '.', 'bob']]]],
    // JSON has fields of these names too.
    [[['!=', '.body.type', 'refund']]],
    [[['<=', '.body.length', 100_000]]],
    [[['!=', '.body.sha256', 'x']]],
    [
      [
        ['==', '.body.type', type],
        ['!=', '.body.to', 'bob'],
      ],
    ],
    // What isn't a media type may be a value of JSON's.
    [
      [
        ['like', '.body.type', '*'],
        ['<=', '.body.length', 100_000],
      ],
    ],
    [
      [
        ['not', ['==', '.body.type', 'image/png']],
        ['<=', '.body.length', 100_000],
      ],
    ],
    [
      [
        [
          'or',
          [
            ['==', '.body.sha256', signed.sha256],
            ['==', '.path', '/files'],
          ],
        ],
      ],
    ],
  ])('is refused where a limit is about what is in it: %j', async (policy) => {
    const { call, requests } = await served(undefined, { uploads: 100_000, bodies: 'form' })
    expect(await refusal(call('/http/post', files, sent, { policy }))).toEqual([403, 'BodyUnseen'])
    expect(requests).toEqual([])
  })

  it.each([
    [
      [
        ['like', '.path', '/files*'],
        ['==', '.body.type', type],
        ['<=', '.body.length', 60_000],
      ],
    ],
    [
      [
        ['<=', '.body.length', 60_000],
        ['like', '.body.type', 'multipart/*'],
      ],
    ],
    [[['==', '.body', signed]]],
    // What is asked for after a refusal.
    [[['==', '.', { service: 'api', path: '/files', body: signed }]]],
    [
      [
        ['==', '.body.sha256', signed.sha256],
        [
          'or',
          [
            ['==', '.body.length', signed.length],
            ['==', '.path', '/other'],
          ],
        ],
      ],
    ],
  ])('is allowed by limits that show that they mean one: %j', async (policy) => {
    const { call, requests } = await served(undefined, { uploads: 100_000, bodies: 'form' })
    expect((await call('/http/post', files, sent, { policy })).status).toBe(200)
    expect(requests).toHaveLength(1)
  })

  it.each([
    [{ ask: [{ policy: [['==', '.body.branch', 'main']] }] }],
    [{ ask: [{ policy: [['==', '.body.type', 'payment']] }] }],
    [{ ask: [{ policy: [['==', '.body', signed]] }] }],
    [{ ask: [{ policy: [['any', '.[]', ['==', '.type', 'payment']]] }] }],
    [{ budgets: [{ per: 'day', sum: { of: '.body.amount', most: 5 } }] }],
    [{ budgets: [{ per: 'day', sum: { of: '.body.length', most: 1_000_000 } }] }],
    [{ budgets: [{ per: 'day', calls: 5, policy: [['==', '.body.type', 'payment']] }] }],
  ])('goes round no rule of the operator: %j', async (rules) => {
    const { call, requests } = await served(undefined, { uploads: 100_000, bodies: 'form', ...rules })
    expect(await refusal(call('/http/post', files, sent))).toEqual([403, 'BodyUnseen'])
    expect(requests).toEqual([])
  })
})

describe('the bytes of a body beside the call', () => {
  const bytes = new Uint8Array(100)
  const args = {
    path: '/files',
    body: { sha256: createHash('sha256').update(bytes).digest('base64url'), length: bytes.length },
  }

  /** A service, and a call of it. Its bytes come when they are asked for, after `before`. */
  async function receiving(config: object = {}) {
    let later = 0
    const api = await recordingApi()
    const service = { url: api.url, private: true, methods: ['POST'], uploads: 100, ...config }
    const clock = () => Date.now() + later
    const { gate } = await open({}, await folder(), { services: { api: service } }, { clock })
    const start = async (before: (grant: Token) => unknown = () => {}) => {
      const grant = delegation(owner, stranger, { cmd: '/http', exp: 4_000_000_000n })
      const made = invocation(stranger, owner, [grant], {
        cmd: '/http/post',
        aud: gate.did,
        exp: BigInt(Math.floor(Date.now() / 1_000) + 60),
        args: toValue({ service: 'api', ...args }),
      })
      const pull = vi.fn(async (controller: ReadableStreamDefaultController<Uint8Array>) => {
        await before(grant)
        controller.enqueue(bytes)
        controller.close()
      })
      const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
      const called = gate.services.get('api')?.call(container([grant, made]), undefined, body)
      const ended = called?.then(
        () => 'sent',
        (error) => error.code,
      )
      return { ended, pull }
    }
    const pass = (milliseconds: number) => {
      later = milliseconds
    }
    return { ...api, gate, start, pass }
  }

  it('are not read of a call that a rule refuses', async () => {
    const { start, requests } = await receiving({ budgets: [{ per: 'month', calls: 1 }] })
    expect(await (await start()).ended).toBe('sent')
    const { ended, pull } = await start()
    expect(await ended).toBe('OverBudget')
    expect(pull).not.toHaveBeenCalled()
    expect(requests).toHaveLength(1)
  })

  it('are not sent on if a grant was revoked while they came', async () => {
    const { start, gate, requests } = await receiving()
    const { ended } = await start((grant) => gate.revoke(container([revocation(owner, grant)])))
    expect(await ended).toBe('Revoked')
    expect(requests).toEqual([])
  })

  it('are not sent on if the call expired while they came', async () => {
    const { start, pass, requests } = await receiving()
    const { ended } = await start(() => pass(121_000))
    expect(await ended).toBe('Expired')
    expect(requests).toEqual([])
  })

  it('are held to a bound over all calls', async () => {
    const { start, requests } = await receiving()
    let go = () => {}
    const free = new Promise<void>((resolve) => {
      go = resolve
    })
    const calls: ReturnType<typeof start>[] = []
    for (const _ of [1, 2, 3, 4])
      await new Promise<void>((isRead) => {
        const before = () => {
          isRead()
          return free
        }
        calls.push(start(before))
      })
    expect(await (await start()).ended).toBe('Busy')
    go()
    expect(await Promise.all(calls.map(async (call) => (await call).ended))).toEqual([
      'sent',
      'sent',
      'sent',
      'sent',
    ])
    expect(await (await start()).ended).toBe('sent')
    expect(requests).toHaveLength(5)
  })
})

describe('another method than the one that was signed', () => {
  const bodyOf = (text: string, type: string) => {
    const bytes = new TextEncoder().encode(text)
    const sha256 = createHash('sha256').update(bytes).digest('base64url')
    return [{ path: '/x', body: { sha256, length: bytes.length, type } }, { body: bytes }] as const
  }
  const urlencoded = 'application/x-www-form-urlencoded; charset=utf-8'
  const multipart = 'multipart/form-data; boundary=b'
  const field = (name: string) =>
    `--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n_method=delete\r\n--b--\r\n`

  it.each(['_method', '_METHOD', '_method[]', ' .method', '_HttpMethod', 'X-HTTP-Method-Override'])(
    'is not said by a field: %s',
    async (name) => {
      for (const bodies of ['form', 'json']) {
        const { call, requests } = await served(undefined, { bodies })
        expect((await call('/http/post', { path: '/x', query: { [name]: 'delete' } })).status).toBe(400)
        expect((await call('/http/post', { path: '/x', body: { [name]: 'delete' } })).status).toBe(400)
        const other = { path: '/x', query: { method: 'a' }, body: { _method_name: 'b', http_method: 'c' } }
        expect((await call('/http/post', other)).status).toBe(200)
        expect(requests).toHaveLength(1)
      }
    },
  )

  it.each([
    ['a=1', urlencoded],
    [field('name="a"'), multipart],
    [field('name="a"'), 'Multipart/Mixed; boundary=b'],
  ])('is not said by a form to a service that takes none: %j', async (text, type) => {
    const { call, requests } = await served(undefined, { uploads: 1_000 })
    expect(await refusal(call('/http/post', ...bodyOf(text, type)))).toEqual([400, 'MalformedCall'])
    expect(requests).toEqual([])
  })

  it.each([
    ['_method=delete', urlencoded],
    ['a=1&%5Fm%65thod=delete', urlencoded],
    [`${'a'.repeat(1_048_570)}&_method=delete`, urlencoded],
    ['a=1;+_method[]=delete', urlencoded],
    [`a=1&${' '.repeat(1_200_000)}_method=delete`, urlencoded],
    [`${' '.repeat(1_200_000)}_method=delete`, urlencoded],
    [field('name="_method"'), multipart],
    [field('name=_method'), multipart],
    [field(`name=${' '.repeat(100_000)}"_method"`), multipart],
    [field(`name*=utf-8''%5fmethod`), multipart],
    [field('\r\n name="_\\method"'), multipart],
    ['{"a":1,"\\u005fmethod" : "delete"}', 'application/json'],
  ])('is not said by bytes beside a call: %#', async (text, type) => {
    const { call, requests } = await served(undefined, { uploads: 2_000_000, bodies: 'form' })
    expect(await refusal(call('/http/post', ...bodyOf(text, type)))).toEqual([400, 'MalformedCall'])
    expect(requests).toEqual([])
  })

  it.each([
    ['method=card&payment_method=1&a=_method', urlencoded],
    [field('name="payment_method"; filename="_method"'), multipart],
    ['{"a":"_method","payment_method":1}', 'application/json'],
    ['_method=delete', 'text/plain'],
  ])('is told from what only looks like it: %j', async (text, type) => {
    const { call, requests } = await served(undefined, { uploads: 1_000, bodies: 'form' })
    expect((await call('/http/post', ...bodyOf(text, type))).status).toBe(200)
    expect(requests).toMatchObject([{ body: text }])
  })
})

describe('credentials', () => {
  it.each([
    ['header', { header: 'X-Api-Key', prefix: '', secret: 'env:TOKEN' }],
    ['basic', { user: 'me', secret: 'env:TOKEN' }],
    ['query', { query: 'key', secret: 'env:TOKEN' }],
  ])('are put in and echoed to no one: %s', async (_name, auth) => {
    const echo: Answers = ({ target, headers }) =>
      json(
        { target, headers },
        { link: `<http://x${target}>`, etag: JSON.stringify(headers['x-api-key'] ?? '') },
      )
    const { call, requests, opened } = await served(echo, { auth })
    const response = await call('/http/get', { path: '/x' })
    const said = JSON.stringify([await response.text(), [...response.headers]])
    expect(JSON.stringify(requests)).toContain(
      'user' in auth ? Buffer.from(`me:${SECRET}`).toString('base64') : SECRET,
    )
    expect(said).not.toContain(SECRET)
    expect(said).not.toContain(Buffer.from(`me:${SECRET}`).toString('base64'))
    expect(said).toContain('[credential removed]')
    expect(JSON.stringify([await receipts(opened), opened.logs, opened.errors.map(String)])).not.toContain(
      SECRET,
    )
  })

  it.each<[string, string | Buffer, Record<string, string>]>([
    ['spread over fields', JSON.stringify(SECRET.match(/.{1,6}/g)), {}],
    ['in bytes', Buffer.concat([Buffer.from([0xff, 0, 1]), Buffer.from(SECRET)]), {}],
    ['in UTF-16', Buffer.from(`x${SECRET}`, 'utf16le'), {}],
    ['packed', Buffer.from('x'), { 'content-encoding': 'gzip' }],
  ])('that can only be found withhold the answer: %s', async (_name, body, headers) => {
    const { call } = await served(() => [200, headers, body])
    const response = await call('/http/get', { path: '/x' })
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ error: { name: 'AnswerWithheld' } })
  })

  it('do not change answers without them', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at))
    const { call } = await served(({ target }) => [
      200,
      {},
      target === '/v1/bytes' ? bytes : '{"id":12345678901234567890,"é":"\\u00e9"}',
    ])
    expect(Buffer.from(await (await call('/http/get', { path: '/bytes' })).arrayBuffer())).toEqual(bytes)
    expect(await (await call('/http/get', { path: '/json' })).text()).toBe(
      '{"id":12345678901234567890,"é":"\\u00e9"}',
    )
  })
})

describe('a service', () => {
  it.each([
    ['http://169.254.169.254/latest/meta-data', undefined],
    ['/v1/next?a=b', '/next?a=b'],
    ['/admin', undefined],
    ['//evil.example/v1/x', undefined],
    ['x', undefined],
  ])('redirects no one to another place: %s', async (location, told) => {
    const { call, requests } = await served(() => [302, { location, 'set-cookie': 'a=b' }, ''])
    const response = await call('/http/get', { path: '/x' })
    expect([response.status, response.headers.get('location') ?? undefined]).toEqual([302, told])
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(requests).toHaveLength(1)
  })

  it.each([
    'http://127.0.0.1:PORT',
    'http://localhost:PORT',
    'http://[::1]:PORT',
    'http://0x7f000001:PORT',
    'http://2130706433:PORT',
    'http://[::ffff:127.0.0.1]:PORT',
  ])('on this machine is not asked unless that was configured: %s', async (url) => {
    const api = await recordingApi()
    const config = { url: url.replace('PORT', new URL(api.url).port), private: false }
    const { call } = await served(undefined, config)
    const response = await call('/http/get', { path: '/x' })
    expect([response.status, await response.json()]).toMatchObject([502, { error: { name: 'ServerFailed' } }])
    expect(api.requests).toEqual([])
  })

  it('that answers too long, too late or not in HTTP is cut off', async () => {
    const long = await served(() => [200, {}, 'x'.repeat(3_000)], { longestAnswer: 2_000 })
    const tooLong = await long.call('/http/get', { path: '/x' })
    expect(await tooLong.json()).toMatchObject({
      error: { name: 'AnswerTooLong' },
    })
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (data) => {
        if (data.includes('/garbage'))
          socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n${SECRET}`)
        if (data.includes('/upgrade'))
          socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const raw = await served(undefined, { url: `http://127.0.0.1:${port}`, timeout: 1 })
    for (const path of ['/garbage', '/upgrade', '/never']) {
      const answer = await (await raw.call('/http/get', { path })).text()
      expect(answer).toContain('ServerFailed')
      expect(answer).not.toContain(SECRET)
    }
  })
})

it('answers no page, no other service, and nothing without a token', async () => {
  const { base, requests, call } = await served()
  expect((await fetch(`${base}/http/api`, { method: 'POST' })).status).toBe(401)
  expect((await fetch(`${base}/http/api`)).status).toBe(405)
  for (const path of ['/http', '/http/', '/http/other', '/http/api/x', '/http/__proto__', '/http/%61pi'])
    expect((await fetch(`${base}${path}`, { method: 'POST' })).status).toBe(404)
  expect(
    (await call('/http/get', { path: '/x' }, { headers: { origin: 'https://evil.example' } })).status,
  ).toBe(403)
  expect(requests).toEqual([])
})

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.0.0.1', false],
  ['100.64.0.1', false],
  ['127.8.8.8', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:0:1::', false],
  ['nonsense', false],
])('%s is on the internet: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected)
})

it('answers 503 and when to try again, while it can not know what was revoked', async () => {
  const { opened, call, requests } = await served()
  await opened.gate.close()
  const response = await call('/http/get', { path: '/x' })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toMatchObject({ error: { name: 'Unavailable' } })
  expect(requests).toEqual([])
})
