// Hundreds of calls that try to get past a policy: what reaches the API is held against an evaluator that shares no code with the gate.
import { request } from 'node:http'
import { connect } from 'node:net'
import { posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { policyHolds } from '../../../enclave/src/test/naive-evaluator.ts'
import { container, delegation, invocation } from '../../../enclave/src/test/naive-tokens.ts'
import { listen } from '../http/listen.ts'
import { CUT } from '../secrets/redactor.ts'
import { folder, type Opened, open, owner, receipts, stranger, VAULT } from '../test/parts.ts'
import {
  type Answers,
  filesIn,
  leaksIn,
  type Recorded,
  recordingApi,
  renamed,
  sendRaw,
  WRITINGS,
  watchConnections,
  writingsOfPost,
} from '../test/recording-api.ts'
import { signedCall, toValue } from '../test/signed.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What a server makes of a request, read by the platform alone. */
function argsOf({ method, target, body }: Recorded) {
  const url = new URL(target, 'http://api.example')
  const query: Record<string, string | string[]> = {}
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name)
    query[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return {
    command: `/http/${method.toLowerCase()}`,
    args: {
      service: 'api',
      path: decodeURIComponent(url.pathname),
      ...(Object.keys(query).length > 0 && { query }),
      ...(body !== '' && { body: JSON.parse(body) }),
    },
  }
}

const DOTS = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '..%2f',
  '..%5c',
  '..\\',
  '..;',
  '..;a=b',
  '%252e%252e',
  '．．',
  '․․',
  '‥',
  '.\u200b.',
  '..\u0000',
  '..\t',
  ' ..',
  '.. ',
  '..?',
  '..#',
  '/..',
  '../.',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
]
const PATHS = [
  ...DOTS.flatMap((dots) => [
    `/repos/me/${dots}/admin`,
    `/repos/me/a/${dots}/${dots}/admin`,
    `/repos/me/${dots}`,
    `/${dots}/repos/me/x`,
  ]),
  ...['/', '//', '/.', '', '\\', '／', '∕', '⁄', '%2f', '%5c', '\u2215', '\u29f8'].flatMap((slash) => [
    `/repos/me${slash}..${slash}admin`,
    `/repos${slash}me${slash}x`,
    `${slash}/evil.example/repos/me/x`,
  ]),
  ...[
    '@evil.example',
    'http://evil.example/repos/me/',
    '//evil.example/',
    '\\\\evil.example',
    ':80@evil.example',
  ],
  ...[
    '/repos/me/x?admin=1',
    '/repos/me/x#',
    '/repos/me/x&a=b',
    '/repos/me/x;a',
    '/repos/me/x\r\nHost: evil',
    '/repos/me/x HTTP/1.1',
  ],
  ...[
    '/repos/Me/x',
    '/REPOS/me/x',
    '/repos/m\u0435/x',
    '/repos/me\u200b/x',
    '/repos/ｍe/x',
    '/repos/me/e\u0301',
    '/repos/me',
  ],
  ...[
    '/repos/me/a b',
    '/repos/me/é',
    '/repos/me/中文',
    '/repos/me/a:b@c',
    "/repos/me/it's(1)!*",
    '/repos/me/x/',
    '/repos/me/%',
  ],
  `/repos/me/${'x'.repeat(5_000)}`,
]
const good = '/repos/me/x'
const QUERIES: unknown[] = [
  { owner: 'me' },
  { owner: ['me', 'other'] },
  { owner: ['me'] },
  { owner: { a: 'me' } },
  { owner: 'me', Owner: 'other' },
  { owner: 'me', 'owner[]': 'other' },
  { 'owner[]': 'me' },
  { owner: 'me', 'owner ': 'other' },
  { owner: 'me', 'owner.x': 'other' },
  { owner: 'me', ｏwner: 'other' },
  { owner: 'me', 'owner\u0000': 'other' },
  { owner: 'me&owner=other' },
  { owner: 'me;owner=other' },
  { owner: 'me#', x: '?' },
  { owner: 'me', __proto__x: '1' },
  { owner: 'me\r\nX-Evil: 1' },
  { owner: 'me', api_key: 'mine' },
  { owner: 'me', API_KEY: 'mine' },
  { owner: null },
  { owner: 1 },
  { owner: true },
  { owner: [] },
  { '': 'x', owner: 'me' },
  [],
  'owner=me',
  null,
  7,
  { owner: 'me', 'created[from]': '1', 'created[to]': '2' },
]
const BODIES: unknown[] = [
  { amount: 5 },
  { amount: 50 },
  { amount: '5' },
  { amount: 5.5 },
  { amount: [5] },
  { amount: { amount: 5 } },
  { amount: 5, Amount: 5_000 },
  { amount: 5, ａmount: 5_000 },
  { amount: 5, 'amount[]': 5_000 },
  { amount: 5, to: { a: 1, A: 2 } },
  { amount: 5, constructor: { x: 1 } },
  { amount: 5, '/': 'x' },
  { Amount: 5 },
  { amount: null },
  { amount: true },
  {},
  [],
  [{ amount: 5 }],
  '{"amount":5}',
  5,
  null,
  { amount: 5, nested: Array.from({ length: 70 }).reduce((inner) => ({ x: inner }), {}) },
  { amount: 5, text: '"},"amount":50,"x":{"' },
]

/** A credential that is written differently in JSON, URLs and base64. */
const TOKEN = 'sk-Zx81"kQ/w72+LmNv0=pRtY'
const USER = 'gate'
/** Where the gate puts it, and where the API finds it. */
const PLACES = {
  query: [{ query: 'api_key' }, ({ target }: Recorded) => target.includes(encodeURIComponent(TOKEN))],
  header: [{ header: 'X-Key' }, ({ headers }: Recorded) => headers['x-key'] === `Bearer ${TOKEN}`],
  user: [
    { user: USER },
    ({ headers }: Recorded) => headers.authorization === `Basic ${btoa(`${USER}:${TOKEN}`)}`,
  ],
} as const

/** How an API gives away what it was sent. */
const GIVES: Readonly<Record<string, (written: string, request: Recorded) => ReturnType<Answers>>> = {
  everything: (written, request) => [200, JSON_TYPE, JSON.stringify({ ...request, written })],
  field: (written) => [200, JSON_TYPE, JSON.stringify({ a: [{ b: written }] })],
  name: (written) => [200, JSON_TYPE, JSON.stringify({ [written]: 1 })],
  text: (written, { target, headers, body }) => [
    200,
    { 'content-type': 'text/html' },
    `<p>${target} ${Object.entries(headers).join(' ')} ${body} ${written}</p>`,
  ],
  bytes: (written) => [
    200,
    { 'content-type': 'image/png' },
    Buffer.concat([Buffer.of(0x89, 0xff, 0), Buffer.from(written), Buffer.of(0xff)]),
  ],
  headers: (written) => [
    200,
    {
      'content-type': `text/plain; a="${written}"`,
      etag: `"${written}"`,
      link: `<https://a.example/?${written}>; rel="next"`,
      'x-request-id': written,
      'x-key': written,
      'set-cookie': `a=${written}`,
    },
    'ok',
  ],
  redirect: (written) => [302, { location: `/next/${written}?a=${written}` }, ''],
  elsewhere: (written) => [
    307,
    {
      location: `http://169.254.169.254/latest/meta-data?a=${encodeURIComponent(written)}`,
      refresh: '0; url=http://evil.example/',
      'alt-svc': 'http/1.1="evil.example:80"; ma=60',
      link: '<http://evil.example/>; rel=preload',
    },
    '',
  ],
  error: (written, { target }) => [401, JSON_TYPE, JSON.stringify({ error: `No ${written}`, target })],
  failure: (written) => [500, { 'content-type': 'text/plain', 'retry-after': written }, `at ${written}`],
  page: (written) => [403, { 'www-authenticate': `Basic realm="${written}"` }, written],
}
const JSON_TYPE = { 'content-type': 'application/json' }
/** Each way of giving with each way of writing. */
const GIVEN = Object.entries(GIVES).flatMap(([by, give]) =>
  Object.entries(WRITINGS).map(([as, write]) => ({ name: `${by}, ${as}`, give, write })),
)

/** An API that gives its credential away, each time in another way. */
async function tellingApi() {
  let asked = 0
  const given = new Set<string>()
  const api = await recordingApi((request) => {
    // In steps: the first calls meet some of each kind already. Their number and 13 have no factor in common.
    const { name, give, write } = GIVEN[(asked * 13) % GIVEN.length] as (typeof GIVEN)[number]
    asked += 1
    given.add(name)
    return give(write(TOKEN), request)
  })
  return { ...api, given }
}

/** All texts that a caller, an operator or someone who reads the gate's folder gets to see. */
async function seenOf({ gate, data, errors, logs }: Opened, answers: readonly unknown[]): Promise<string[]> {
  const told = [...answers, ...errors].flatMap((each) => {
    if (!(each instanceof Error)) return String(each)
    // What grant is missing says the call again, to its caller.
    return [
      String(each),
      String(each.stack),
      String(each.cause),
      JSON.stringify({ ...each, missing: undefined }),
    ]
  })
  return [...told, ...logs, await gate.metrics(), ...(await filesIn(data))]
}

/** A text of all of an answer. */
const told = (answer: { status: number; headers: object; body: Uint8Array }) =>
  [answer.status, ...Object.entries(answer.headers), Buffer.from(answer.body).toString('latin1')].join('\n')

/** The calls, each with the policy of its caller's grant. */
function hostileCalls(other = 'http://127.0.0.1:1') {
  const { host } = new URL(other)
  const inFolder = [
    ['==', '.service', 'api'],
    ['like', '.path', '/repos/me/*'],
  ]
  const calls: { command: string; args: object; policy: unknown[] }[] = [
    ...[
      ...PATHS,
      ...[`@${host}`, `@${host}/`, `//${host}/`, `${other}/repos/me/`, `/${other}`, `\\\\${host}/`],
      ...['.evil.example', ':80', ':1@evil.example', '\r\nHost: evil.example', 'http://169.254.169.254/'],
    ].flatMap((path) => [
      { command: '/http/get', args: { service: 'api', path }, policy: inFolder },
      {
        command: '/http/get',
        args: { service: 'api', path },
        policy: [['not', ['like', '.path', '/admin*']]],
      },
    ]),
    ...QUERIES.map((query) => ({
      command: '/http/get',
      args: { service: 'api', path: good, query },
      policy: [...inFolder, ['==', '.query.owner', 'me']],
    })),
    ...BODIES.flatMap((body) =>
      ['/http/post', '/http/get'].map((command) => ({
        command,
        args: { service: 'api', path: good, body },
        policy: [...inFolder, ['<=', '.body.amount', 10]],
      })),
    ),
    ...[
      '/http/get',
      '/http/delete',
      '/http/trace',
      '/http/connect',
      '/http/options',
      '/http/GET',
      '/http',
      '/http/get/x',
      '/http/x',
    ].map((command) => ({ command, args: { service: 'api', path: good }, policy: inFolder })),
    ...['API', 'api ', 'аpi', 'other', '', null, ['api'], { api: 1 }, other].map((name) => ({
      command: '/http/get',
      args: { service: name, path: good },
      policy: [],
    })),
    // Some guess the credential, in what is written down of calls.
    ...[TOKEN, encodeURIComponent(TOKEN), TOKEN.replace('/', ''), btoa(TOKEN)].flatMap((guess) => [
      { command: '/http/get', args: { service: 'api', path: `/repos/me/${guess}` }, policy: inFolder },
      { command: '/http/get', args: { service: 'api', path: `/admin/${guess}` }, policy: inFolder },
      { command: '/http/get', args: { service: 'api', path: good, query: { q: guess } }, policy: inFolder },
      { command: `/http/${guess}`, args: { service: 'api', path: good }, policy: inFolder },
      { command: '/http/get', args: { service: guess, path: good }, policy: inFolder },
    ]),
    ...[
      { path: good },
      { service: 'api' },
      {},
      { service: 'api', path: good, headers: { host: 'evil' } },
      { service: 'api', path: good, url: other },
      { service: 'api', path: good, host },
      { service: 'api', path: good, method: 'DELETE' },
      { service: 'api', path: [good] },
      { service: 'api', path: null },
    ].map((args) => ({ command: '/http/get', args, policy: [] })),
  ]
  return calls
}

it.each(Object.keys(PLACES) as (keyof typeof PLACES)[])(
  'none reaches the API unless the policy holds of what the API is asked: credential in %s',
  async (place) => {
    const [auth, isIn] = PLACES[place]
    const { url, requests, given } = await tellingApi()
    const other = await recordingApi()
    const { tried, asked } = watchConnections([url])
    const service = { url, private: true, methods: METHODS, auth: { ...auth, secret: 'env:TOKEN' } }
    const opened = await open({}, await folder(), { services: { api: service } }, { env: { TOKEN } })
    const { gate } = opened
    const api = gate.services.get('api')
    const calls = hostileCalls(other.url)
    const reached: string[] = []
    const answers: unknown[] = []
    const call = async (command: string, args: object, policy: unknown[]) => {
      const token = signedCall(gate.did, command, args, { policy })
      answers.push(await api?.call(token).then(told, (error: Error) => error))
    }
    for (const { command, args, policy } of calls) {
      const before = requests.length
      await call(command, args, policy)
      const [request, ...more] = requests.slice(before)
      expect(more).toEqual([])
      if (!request) continue
      // The credential is the gate's to add.
      expect(isIn(request)).toBe(true)
      const { target } = request
      const bare = place === 'query' ? target.replace(/[?&]api_key=[^&]*$/, '') : target
      const sent = argsOf({ ...request, target: bare })
      expect(sent).toEqual({ command, args })
      expect(policyHolds(toValue(policy), toValue(sent.args))).toBe(true)
      // No server that decodes once more, resolves dots or changes the Unicode form finds another path.
      const { path } = sent.args
      expect(posix.normalize(path)).toBe(path)
      expect(posix.normalize(path.normalize('NFKC'))).toBe(path.normalize('NFKC'))
      expect(decodeURIComponent(path)).toBe(path)
      expect(request.headers.host).toBe(new URL(url).host)
      reached.push(path)
    }
    expect(calls.length).toBeGreaterThanOrEqual(300)
    expect(reached).toEqual(
      expect.arrayContaining([good, '/repos/me/a b', '/repos/me/é', '/repos/me/中文', "/repos/me/it's(1)!*"]),
    )
    expect(reached).not.toContain('/admin')

    // The API gives the credential away in every way there is.
    const before = requests.length
    for (const _each of GIVEN) await call('/http/get', { service: 'api', path: good }, [])
    expect(requests.length - before).toBe(GIVEN.length)
    expect([...given].sort()).toEqual(GIVEN.map(({ name }) => name).sort())
    // A connection for each request, and none besides: not to another port of this machine either.
    expect([tried, asked]).toEqual([requests.map(() => new URL(url).host), []])
    expect(other.requests).toEqual([])
    await gate.close()
    const lines = await receipts(opened)
    const outcomes = new Set(lines.map(({ outcome }) => outcome))
    expect([...outcomes]).toEqual(
      expect.arrayContaining(['ok', 'error', 'AnswerWithheld', 'MatchError', 'UnclearPath', 'MalformedCall']),
    )
    expect(lines.every(({ receipt }) => receipt !== undefined)).toBe(true)
    const seen = await seenOf(opened, answers)
    expect(seen.some((text) => text.includes(CUT))).toBe(true)
    for (const secret of place === 'user' ? [TOKEN, btoa(`${USER}:${TOKEN}`)] : [TOKEN])
      expect(leaksIn(seen, secret)).toEqual([])
  },
)

it('finds a credential in every writing that an API gives it away in', () => {
  for (const [name, write] of Object.entries(WRITINGS))
    for (const text of [write(TOKEN), `{"a":["${write(TOKEN)}"]}`, `x ${write(TOKEN)} y`])
      expect(leaksIn([text], TOKEN), name).toEqual([text])
  expect(leaksIn([JSON.stringify(hostileCalls().slice(0, 100))], TOKEN)).toEqual([])
})

const PRIVATE = [
  ...['127.0.0.1', '127.8.9.1', '0.0.0.0', '10.0.0.1', '100.64.0.1', '169.254.169.254', '172.16.0.1'],
  ...['192.168.1.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:a00:1'],
  ...['fe80::1', 'fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::'],
]

describe('a service that may not be private', () => {
  /** Calls each of these services once. @param names what each name leads to */
  async function callEach(urls: readonly string[], names: Readonly<Record<string, readonly string[]>> = {}) {
    const { tried, asked } = watchConnections([], names)
    const services = Object.fromEntries(urls.map((url, at) => [`s${at}`, { url }]))
    const { gate } = await open({}, await folder(), { services })
    const answers: [string, unknown][] = []
    for (const [at, url] of urls.entries()) {
      const token = signedCall(gate.did, '/http/get', { service: `s${at}`, path: good })
      const answer = await gate.services.get(`s${at}`)?.call(token).then(told, String)
      answers.push([url, answer])
    }
    return { answers, tried, asked }
  }
  const refused = expect.stringMatching(/gave no answer.* Its address is a private one/)

  it('is not connected to by an address of this machine or its network, however it is written', async () => {
    const hosts = [
      ...PRIVATE.map((address) => (address.includes(':') ? `[${address}]` : address)),
      ...['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '%31%32%37.0.0.1', '１２７.0.0.1'],
    ]
    const urls = hosts.flatMap((host) => [`http://${host}:8080`, `https://${host}`])
    const { answers, tried, asked } = await callEach(urls)
    expect(answers).toEqual(urls.map((url) => [url, refused]))
    expect([tried, asked]).toEqual([[], []])
  })

  it('is not connected to by a name that leads to such an address', async () => {
    const names = Object.fromEntries([
      ...PRIVATE.map((address, at) => [`n${at}.example`, [address]]),
      ['localhost', ['127.0.0.1', '::1']],
      ['metadata.google.internal', ['169.254.169.254']],
    ])
    const urls = Object.keys(names).flatMap((name) => [`http://${name}`, `https://${name}:8443`])
    const { answers, tried, asked } = await callEach(urls, names)
    expect(answers).toEqual(urls.map((url) => [url, refused]))
    expect(tried).toEqual([])
    expect(asked).toEqual(urls.map((url) => new URL(url).hostname))
  })

  it('is connected to at the public addresses of a name alone', async () => {
    const found = ['127.0.0.1', '8.8.8.8', '::1', '2606:4700::1', '169.254.169.254']
    const { answers, tried, asked } = await callEach(['http://api.example'], { 'api.example': found })
    expect(answers).toEqual([['http://api.example', expect.stringContaining('EBLOCKED')]])
    expect(asked).toEqual(['api.example'])
    expect(tried).toEqual(['8.8.8.8:80', '[2606:4700::1]:80'])
  })
})

it('sees each connection that anything here tries to make', async () => {
  const { url, requests } = await recordingApi()
  const { tried } = watchConnections([url], { 'evil.example': ['192.0.2.1'] })
  const get = (to: string) => fetch(to).catch(() => {})
  await get('http://169.254.169.254/latest')
  await get('https://evil.example/')
  await get(`${url}/x`)
  await new Promise((resolve) => request('http://evil.example:81/').on('error', resolve).end())
  await new Promise((resolve) => connect(9, '127.0.0.1').on('error', resolve))
  expect(tried).toEqual([
    ...['169.254.169.254:80', '192.0.2.1:443', new URL(url).host, '192.0.2.1:81', '127.0.0.1:9'],
  ])
  expect(requests).toHaveLength(1)
})

describe('by HTTP', () => {
  /** A call, and the policy of its caller's grant. */
  interface Call {
    readonly command: string
    readonly args: object
    readonly policy: unknown[]
  }
  const allowed = { command: '/http/get', args: { service: 'api', path: good }, policy: [] }
  const refused = { ...allowed, args: { service: 'api', path: '/admin' }, policy: [['==', '.path', good]] }

  async function served() {
    const { url, requests } = await tellingApi()
    const other = await recordingApi()
    const service = { url, private: true, methods: METHODS, auth: { header: 'X-Key', secret: 'env:TOKEN' } }
    const opened = await open({}, await folder(), { services: { api: service } }, { env: { TOKEN } })
    const { gate } = opened
    const listener = await listen({ gate, vault: VAULT, owners: [owner.did], port: 0 })
    onTestFinished(() => listener.close())
    const { tried, asked } = watchConnections([url, listener.url])
    const headersOf = ({ command, args, policy }: Call) => [
      `Authorization: Bearer ${signedCall(gate.did, command, args, { policy })}`,
    ]
    const answers: string[] = []
    /** What of these calls reached the API, each with its place among them. Anything else fails. */
    const reachedBy = async (calls: readonly Call[], text: string) => {
      const before = requests.length
      answers.push(await sendRaw(listener.url, text))
      return requests.slice(before).map((request) => {
        const sent = argsOf(request)
        const at = calls.findIndex(({ command, args }) => isDeepStrictEqual({ command, args }, sent))
        expect(at, JSON.stringify([sent, calls])).toBeGreaterThanOrEqual(0)
        expect(policyHolds(toValue(calls[at]?.policy), toValue(sent.args))).toBe(true)
        // Nothing of the request goes along but what was signed.
        const { 'content-type': _type, 'content-length': _length, ...headers } = request.headers
        expect(headers).toEqual({
          host: new URL(url).host,
          connection: 'close',
          'accept-encoding': 'identity',
          'x-key': `Bearer ${TOKEN}`,
        })
        return at
      })
    }
    const end = async () => {
      await gate.close()
      expect(other.requests).toEqual([])
      // A call whose caller went away may have a connection, and no request.
      const { host } = new URL(url)
      expect(tried.filter((each) => ![host, new URL(listener.url).host].includes(each))).toEqual([])
      expect(tried.filter((each) => each === host).length).toBeGreaterThanOrEqual(requests.length)
      expect(asked).toEqual([])
      expect(leaksIn(await seenOf(opened, answers), TOKEN)).toEqual([])
    }
    const post = { url: listener.url, path: '/http/api', body: '', elsewhere: other.url }
    return { gate, post, answers, reachedBy, headersOf, end }
  }

  it('none reaches the API unless the policy holds', async () => {
    const { post, reachedBy, headersOf, end } = await served()
    const calls = hostileCalls(post.elsewhere).filter((_call, at) => at % 5 === 0)
    let count = 0
    for (const call of [...calls, allowed, refused]) {
      const { clear } = writingsOfPost({ ...post, headers: headersOf(call), hidden: '' })
      count += (await reachedBy([call], clear.plain)).length
    }
    expect(calls.length).toBeGreaterThanOrEqual(70)
    expect(count).toBeGreaterThanOrEqual(10)
    await end()
  })

  it('none reaches it by a request that is written for two readers, or in other ways', async () => {
    const { post, reachedBy, headersOf, answers, end } = await served()
    const posts = (call: Call, hidden = '') => writingsOfPost({ ...post, headers: headersOf(call), hidden })
    for (const way of Object.keys(posts(allowed).clear) as (keyof ReturnType<typeof posts>['clear'])[]) {
      expect(await reachedBy([allowed], posts(allowed).clear[way]), way).toEqual([0])
      expect(await reachedBy([refused], posts(refused).clear[way]), way).toEqual([])
    }
    for (const way of Object.keys(posts(allowed).unclear) as (keyof ReturnType<typeof posts>['unclear'])[])
      for (const call of [allowed, refused])
        for (const inner of [allowed, refused]) {
          const text = posts(call, posts(inner).clear.plain).unclear[way]
          expect(await reachedBy([call, inner], text), way).toEqual([])
          expect(answers.at(-1), way).not.toMatch(/^HTTP\/1\.1 [123]/)
        }
    for (const way of ['after', 'afterChunks', 'twice'] as const) {
      const text = posts(allowed, posts(refused).clear.plain).hiding[way]
      expect(await reachedBy([allowed, refused], text), way).toEqual([0])
      expect(answers.at(-1)?.match(/HTTP\/1\.1 \d/g)).toHaveLength(2)
    }
    const reversed = posts(refused, posts(allowed).clear.plain).hiding.after
    expect(await reachedBy([refused, allowed], reversed)).toEqual([1])
    const either = Object.keys(posts(allowed).either) as (keyof ReturnType<typeof posts>['either'])[]
    for (const way of either) expect(await reachedBy([refused], posts(refused).either[way]), way).toEqual([])
    // Some may be on their way still when their connection is closed.
    const hidden = posts(refused).clear.plain
    for (const way of either)
      for (const at of await reachedBy([allowed, refused], posts(allowed, hidden).either[way]))
        expect(at).toBe(0)
    await end()
  })

  it('of two tokens, none is carried out that is refused', async () => {
    const { post, reachedBy, headersOf, end } = await served()
    for (const calls of [
      [allowed, refused],
      [refused, allowed],
    ]) {
      const [one = '', two = ''] = calls.flatMap(headersOf)
      for (const headers of [[one, two], [`${one}, ${two}`], [`${one} ${two.split(' ').at(-1)}`]]) {
        const { plain } = writingsOfPost({ ...post, headers, hidden: '' }).clear
        for (const at of await reachedBy(calls, plain)) expect(calls[at]).toBe(allowed)
      }
    }
    await end()
  })

  it('none is carried out in whose invocation or grant something stands twice', async () => {
    const { gate, post, answers, reachedBy, end } = await served()
    const doubled: [string, string, object][] = [
      ['path', 'patz', { service: 'api', path: good, patz: '/admin' }],
      ['path', 'pata', { service: 'api', path: good, pata: '/admin' }],
      ['service', 'servicz', { service: 'api', path: good, servicz: 'other' }],
      ['owner', 'ownez', { service: 'api', path: good, query: { owner: 'me', ownez: 'other' } }],
      ['owner', 'ownea', { service: 'api', path: good, query: { owner: 'me', ownea: 'other' } }],
      ['amount', 'amounz', { service: 'api', path: good, body: { amount: 5, amounz: 5_000 } }],
    ]
    const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
    // What was renamed is signed again, and taken if nothing is there twice.
    const whole = delegation(owner, stranger, { cmd: '/http' })
    const sent = {
      cmd: '/http/get',
      aud: gate.did,
      exp,
      args: toValue({ service: 'api', path: '/repos/me/y' }),
    }
    const changed = renamed(invocation(stranger, owner, [whole], sent), stranger, '/repos/me/y', good)
    const clear = writingsOfPost({
      ...{ ...post, hidden: '' },
      headers: [`Authorization: Bearer ${container([whole, changed])}`],
    }).clear.plain
    expect(await reachedBy([allowed], clear)).toEqual([0])
    for (const [name, second, args] of doubled) {
      const granted = delegation(owner, stranger, { cmd: '/http' })
      const command = name === 'amount' ? '/http/post' : '/http/get'
      const fields = { cmd: command, aud: gate.did, exp, args: toValue(args) }
      const made = invocation(stranger, owner, [granted], fields)
      const token = container([granted, renamed(made, stranger, second, name)])
      const headers = [`Authorization: Bearer ${token}`]
      const { plain } = writingsOfPost({ ...post, headers, hidden: '' }).clear
      expect(await reachedBy([], plain), second).toEqual([])
      expect(answers.at(-1), second).toContain('MalformedToken')
    }
    for (const [name, second, changes] of [
      ['args', 'argz', { argz: toValue({ service: 'api', path: '/admin' }) }],
      ['cmd', 'cmz', { cmz: '/http/delete' }],
      ['cmd', 'cma', { cma: '/http/delete' }],
      ['exp', 'exz', { exz: exp + 1n }],
    ] as const) {
      const granted = delegation(owner, stranger, { cmd: '/http' })
      const fields = { cmd: '/http/get', aud: gate.did, exp, args: toValue(allowed.args), ...changes }
      const made = invocation(stranger, owner, [granted], fields)
      const headers = [`Authorization: Bearer ${container([granted, renamed(made, stranger, second, name)])}`]
      const { plain } = writingsOfPost({ ...post, headers, hidden: '' }).clear
      expect(await reachedBy([], plain), second).toEqual([])
      expect(answers.at(-1), second).toContain('MalformedToken')
    }
    // A grant whose second policy is wider.
    const narrow = toValue([['==', '.path', '/y']])
    const granted = renamed(
      delegation(owner, stranger, { cmd: '/http', pol: narrow, poz: [] }),
      ...([owner, 'poz', 'pol'] as const),
    )
    const fields = { cmd: '/http/get', aud: gate.did, exp, args: toValue(allowed.args) }
    const headers = [
      `Authorization: Bearer ${container([granted, invocation(stranger, owner, [granted], fields)])}`,
    ]
    const { plain } = writingsOfPost({ ...post, headers, hidden: '' }).clear
    expect(await reachedBy([], plain)).toEqual([])
    expect(answers.at(-1)).toContain('MalformedToken')
    await end()
  })
})
