// Hundreds of calls that try to get past a policy: what reaches the API is held against an evaluator that shares no code with the gate.
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { policyHolds } from '../../../enclave/src/test/naive-evaluator.ts'
import { folder, open, SECRET } from '../test/parts.ts'
import { type Recorded, recordingApi } from '../test/recording-api.ts'
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

it('none reaches the API unless the policy holds of what the API is asked', async () => {
  const { url, requests } = await recordingApi()
  const service = { url, private: true, methods: METHODS, auth: { query: 'api_key', secret: 'env:TOKEN' } }
  const { gate, errors, logs } = await open({}, await folder(), { services: { api: service } })
  const api = gate.services.get('api')
  const inFolder = [
    ['==', '.service', 'api'],
    ['like', '.path', '/repos/me/*'],
  ]
  const calls: { command: string; args: object; policy: unknown[] }[] = [
    ...PATHS.flatMap((path) => [
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
    ...['API', 'api ', 'аpi', 'other', '', null, ['api'], { api: 1 }].map((name) => ({
      command: '/http/get',
      args: { service: name, path: good },
      policy: [],
    })),
    ...[
      { path: good },
      { service: 'api' },
      {},
      { service: 'api', path: good, headers: { host: 'evil' } },
      { service: 'api', path: good, url: 'http://evil.example' },
      { service: 'api', path: good, method: 'DELETE' },
      { service: 'api', path: [good] },
      { service: 'api', path: null },
    ].map((args) => ({ command: '/http/get', args, policy: [] })),
  ]
  const reached: string[] = []
  const answers: unknown[] = []
  for (const { command, args, policy } of calls) {
    const before = requests.length
    const token = signedCall(gate.did, command, args, { policy })
    const answer = await api?.call(token).catch((error: Error) => error)
    answers.push(
      answer instanceof Error ? answer.message : [answer, Buffer.from(answer?.body ?? []).toString()],
    )
    const [request, ...more] = requests.slice(before)
    expect(more).toEqual([])
    if (!request) continue
    // The credential is the gate's to add.
    expect(request.target).toContain(`api_key=${SECRET}`)
    const sent = argsOf({ ...request, target: request.target.replace(/[?&]api_key=[^&]*/, '') })
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
  expect(JSON.stringify([answers, errors.map(String), logs])).not.toContain(SECRET)
})
