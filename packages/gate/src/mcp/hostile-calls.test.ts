// Hundreds of calls that try to get past a policy: what reaches the server is held against an evaluator that shares no code with the gate.
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { policyHolds } from '../../../enclave/src/test/naive-evaluator.ts'
import { container, delegation, invocation, type Token } from '../../../enclave/src/test/naive-tokens.ts'
import { listen } from '../http/listen.ts'
import { CUT } from '../secrets/redactor.ts'
import { folder, hostileServer, open, owner, receipts, stranger, VAULT } from '../test/parts.ts'
import { filesIn, leaksIn, recordingApi, renamed, sendRaw, writingsOfPost } from '../test/recording-api.ts'
import { signedCall, toValue } from '../test/signed.ts'
import type { Talk } from './talk.ts'

/** Ways to write "the folder above", and a link that leads there. */
const BACK = [
  '..',
  '%2e%2e',
  '.%2e',
  '..%2f',
  '..\\',
  '．．',
  '..;',
  '%252e%252e',
  '\u2025',
  '.\u200b.',
  '../.',
  '..//',
  'up',
]

/** A folder with a file and a link that leads out of it, beside another file. */
async function places() {
  const home = await folder()
  const notes = join(home, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'a.txt'), 'a')
  await writeFile(join(home, 'b.txt'), 'b')
  await symlink(home, join(notes, 'up'))
  const seen = join(home, 'seen')
  /** What reached the server since it was asked last, each as its parameters. */
  let read = 0
  const reached = async () => {
    const text = await readFile(seen, 'utf8').catch(() => '')
    const lines = text.slice(read).split('\n').filter(Boolean)
    read = text.length
    return lines.map((line) => {
      const { _meta, ...params } = JSON.parse(line)
      // By which the gate tells the call's progress. It sends nothing else that wasn't signed.
      expect(_meta ?? { progressToken: 0 }).toEqual({ progressToken: expect.any(Number) })
      return params
    })
  }
  return { home, notes, seen, reached, leaks: join(home, 'leaks') }
}

/** A credential that is written differently in JSON, URLs and base64. */
const TOKEN = 'sk-Zx81"kQ/w72+LmNv0=pRtY'

/** Opens a gate before a server that gives its credential away in each answer, and calls it. */
async function openLeaking(leaks: string, env: Record<string, string>) {
  const server = { ...hostileServer({ ...env, LEAKS: leaks }), interactive: true }
  const opened = await open({ bad: server }, undefined, {}, { env: { TOKEN } })
  const bad = opened.gate.servers.get('bad')
  if (!bad) throw new Error('There is no server.')
  const heard: unknown[] = []
  const talk: Talk = {
    agent: heard,
    progress: (params) => void heard.push(['progress', params]),
    log: (params) => void heard.push(['log', params]),
    async ask(question, params) {
      heard.push([question, params])
      return { action: 'decline' }
    },
  }
  const answers: unknown[] = []
  const call = async (token: string) => {
    answers.push(await bad.call(token, undefined, undefined, talk).catch((error: Error) => error))
  }
  return { opened, bad, heard, answers, call }
}

/** All that a caller, an operator or someone who reads the gate's folder gets to see. Ends the gate. */
async function seenOf({ opened, bad, heard, answers }: Awaited<ReturnType<typeof openLeaking>>) {
  const { gate, data, errors, logs } = opened
  const grant = container([delegation(owner, stranger, { cmd: '/mcp' })])
  const lists = await Promise.all(KINDS.map((kind) => bad.list(kind, [grant])))
  expect(lists.flat().length).toBeGreaterThan(9)
  const told = [...lists, await bad.tools(), await bad.offers(), ...answers, ...heard, ...errors].flatMap(
    (each) =>
      // What grant is missing says the call again, to its caller.
      each instanceof Error
        ? [
            String(each),
            String(each.stack),
            String(each.cause),
            JSON.stringify({ ...each, missing: undefined }),
          ]
        : textsIn(each),
  )
  const metrics = await gate.metrics()
  await gate.close()
  return [...told, ...logs, metrics, ...(await filesIn(data))]
}

/** A value as JSON, and each text in it as it is. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const all = JSON.stringify(value, (key, each) => {
    texts.push(key, ...(typeof each === 'string' ? [each] : []))
    return each
  })
  return [String(all), ...texts]
}

/** In which ways the server gave its credential away in answers to a method. */
async function waysOf(leaks: string, method: string) {
  const lines = (await readFile(leaks, 'utf8')).trim().split('\n')
  const ways = lines.map((line) => JSON.parse(line)).filter((each) => each.method === method)
  return { given: new Set(ways.map(({ name }) => name)).size, of: ways[0].of }
}

/** Checks that what was heard, answered and written down has receipts, and no credential in it. */
async function expectNoCredential(leaking: Awaited<ReturnType<typeof openLeaking>>) {
  const { answers, heard, opened } = leaking
  await expect.poll(() => opened.logs.some((line) => line.includes(CUT))).toBe(true)
  const seen = await seenOf(leaking)
  const lines = await receipts(opened)
  const outcomes = [...new Set(lines.map(({ outcome }) => outcome))]
  expect(outcomes).toEqual(
    expect.arrayContaining(['ok', 'error', 'ServerFailed', 'AnswerWithheld', 'MatchError']),
  )
  expect(lines.every(({ receipt }) => receipt !== undefined)).toBe(true)
  for (const kind of ['progress', 'log', 'elicitation/create'])
    expect(JSON.stringify(heard.filter((each) => [each].flat()[0] === kind))).toContain(CUT)
  expect(JSON.stringify(answers)).toContain(CUT)
  expect(answers.map(String)).toContainEqual(expect.stringContaining(CUT))
  expect(leaksIn(seen, TOKEN)).toEqual([])
}
const KINDS = ['tools', 'prompts', 'resources', 'templates'] as const

/** A call, and the policy of its caller's grant. */
interface Call {
  readonly command: string
  readonly args: object
  readonly policy: unknown[]
}

/** Calls of tools with paths. */
function toolCalls({ home, notes }: { home: string; notes: string }): readonly Call[] {
  const policies = [
    [['like', '.arguments.path', `${notes}/*`]],
    [
      ['==', '.name', 'echo'],
      ['like', '.arguments.path', `${notes}/*`],
    ],
    [
      ['not', ['like', '.arguments.path', `${home}/b*`]],
      ['==', '.name', 'echo'],
    ],
    [
      [
        'and',
        [
          ['!=', '.arguments.path', `${home}/b.txt`],
          ['like', '.arguments.path', `${home}/*`],
        ],
      ],
    ],
  ]
  const ends = ['b.txt', 'b.txt ', 'B.TXT', 'b.txt"', 'b.txt\0', 'b.txt/', 'b.txt/.', 'b%2etxt', 'ｂ.txt']
  const paths: unknown[] = [
    `${notes}/a.txt`,
    `${home}/b.txt`,
    ...BACK.flatMap((dots) => ends.map((end) => `${notes}/${dots}/${end}`)),
    ...ends.map((end) => `${home}/${end}`),
    [`${notes}/a.txt`, `${home}/b.txt`],
    { path: `${notes}/a.txt` },
    null,
    true,
    7,
  ]
  const names = ['echo', 'Echo', 'echo ', 'ech\u043e', 'pieces']
  const calls = paths.flatMap((path, at) => {
    const name = names[at % names.length]
    return [
      { name: 'echo', arguments: { path } },
      { name, arguments: { path } },
      { name, arguments: { path, how: 'x' } },
    ]
  })
  return calls.map((call, at) => ({
    command: '/mcp/tools/call',
    args: { server: 'bad', ...call },
    policy: policies[at % policies.length] ?? [],
  }))
}

it('none reaches the server unless the policy holds of what the server is sent', async () => {
  const { home, notes, seen, reached, leaks } = await places()
  const leaking = await openLeaking(leaks, { SEEN: seen })
  const { gate } = leaking.opened
  let tried = 0
  const allowed: unknown[] = []
  for (const { command, args, policy } of toolCalls({ home, notes })) {
    await leaking.call(signedCall(gate.did, command, args, { command, policy }))
    const [params, ...more] = await reached()
    expect(more).toEqual([])
    tried += 1
    if (params === undefined) continue
    expect({ server: 'bad', ...params }).toEqual(args)
    expect(policyHolds(toValue(policy), toValue({ server: 'bad', ...params }))).toBe(true)
    // What the server would open is what was compared.
    const { path } = params.arguments
    expect(await realpath(path).catch(() => path)).toBe(path)
    allowed.push(path)
  }
  expect(tried).toBeGreaterThanOrEqual(300)
  expect(allowed).toContain(`${notes}/a.txt`)
  const args = { server: 'bad', name: 'echo', arguments: {} }
  const { of } = await waysOf(leaks, 'tools/call')
  for (let made = 0; made < of; made += 1)
    await leaking.call(signedCall(gate.did, '/mcp/tools/call', args, { command: '/mcp' }))
  expect(await waysOf(leaks, 'tools/call')).toEqual({ given: of, of })
  await expectNoCredential(leaking)
})

/** Calls of other kinds, and by other names. */
function otherCalls({ home, notes }: { home: string; notes: string }): readonly Call[] {
  const folderUri = `file://${notes}`
  const long = 'x'.repeat(20_000)
  const good = { server: 'bad', name: 'echo', arguments: { how: 'x' } }
  const path = `${notes}/a.txt`
  const uris: unknown[] = [
    `${folderUri}/a.txt`,
    `file://${home}/b.txt`,
    ...BACK.flatMap((dots) =>
      ['b.txt', 'notes/a.txt', 'b%2Etxt'].map((end) => `${folderUri}/${dots}/${end}`),
    ),
    ...[
      'FILE://',
      'file:/',
      'file:',
      'file://localhost',
      'file://evil.example',
      'file:////',
      'file:///.',
      ' file://',
    ].map((start) => `${start}${notes}/a.txt`),
    ...['?', '#', '?/../../b.txt', '#/../../b.txt', '%00', '\0', '\n', '/', '%2F..%2Fb.txt', ' '].map(
      (end) => `${folderUri}/a.txt${end}`,
    ),
    ...['http://169.254.169.254/', 'test://a/../b', `${folderUri}/${long}`, '', 'notes/a.txt', path],
    ...[[`${folderUri}/a.txt`], { uri: `${folderUri}/a.txt` }, null, true, 7],
  ]
  const inFolder = [['like', '.uri', `${folderUri}/*`]]
  const notOther = [['not', ['like', '.uri', `file://${home}/b*`]]]
  const sayIn = [
    ['==', '.name', 'say'],
    ['like', '.arguments.path', `${notes}/*`],
  ]
  return [
    ...uris.flatMap((uri) =>
      [inFolder, notOther].map((policy) => ({
        command: '/mcp/resources/read',
        args: { server: 'bad', uri },
        policy,
      })),
    ),
    ...['say', 'Say', 'say ', 's\u0430y', 'say\u200b', 'echo', '', null, ['say'], { say: 1 }].flatMap(
      (name) =>
        [
          { path },
          { path: `${notes}/../b.txt` },
          { path: [path] },
          { path, Path: `${home}/b.txt` },
          { path, ｐath: `${home}/b.txt` },
          { path, arguments: { path: `${home}/b.txt` } },
          { how: path },
          [path],
          null,
          long,
        ].map((given) => ({
          command: '/mcp/prompts/get',
          args: { server: 'bad', name, arguments: given },
          policy: sayIn,
        })),
    ),
    // What another command has, beside what counts.
    ...[
      { command: '/mcp/resources/read', args: { server: 'bad', uri: `file://${home}/b.txt`, name: 'echo' } },
      {
        command: '/mcp/resources/read',
        args: { server: 'bad', uri: `file://${home}/b.txt`, name: 'echo', arguments: { how: 'x' } },
      },
      { command: '/mcp/prompts/get', args: { ...good, name: 'say', uri: `${folderUri}/a.txt` } },
      { command: '/mcp/tools/call', args: { ...good, name: 'pieces', uri: `${folderUri}/a.txt` } },
    ].flatMap((call) => [[['==', '.name', 'echo']], inFolder].map((policy) => ({ ...call, policy }))),
    ...['Bad', 'bad ', 'b\u0430d', 'bad\u200b', 'ｂad', '', 'other', null, ['bad'], { bad: 1 }].map(
      (server) => ({
        command: '/mcp/tools/call',
        args: { ...good, server },
        policy: [],
      }),
    ),
    ...['/mcp', '/mcp/tools', '/mcp/tools/call/x', '/mcp/tools/list', '/http/get', '/'].map((command) => ({
      command,
      args: good,
      policy: [],
    })),
    ...[
      { ...good, uri: `file://${home}/b.txt` },
      { ...good, _meta: {} },
      { ...good, method: 'resources/read' },
      { ...good, params: { name: 'pieces' } },
      { ...good, Name: 'pieces' },
      { ...good, arguments: { arguments: { how: 'x' } } },
      { ...good, arguments: { how: 'x', path: { path: `${home}/b.txt` } } },
      { ...good, arguments: [{ how: 'x' }] },
      { ...good, arguments: Array.from({ length: 80 }).reduce<object>((inner) => ({ how: inner }), {}) },
      { ...good, arguments: { how: long.repeat(3) } },
      { server: 'bad' },
      {},
    ].map((args) => ({
      command: '/mcp/tools/call',
      args,
      policy: [
        ['==', '.name', 'echo'],
        ['==', '.arguments.how', 'x'],
      ],
    })),
  ]
}

it('none reaches a resource, a prompt or another server by another name, form or command', async () => {
  const { home, notes, seen, reached, leaks } = await places()
  const prompt = { name: 'say', arguments: [{ name: 'path' }, { name: 'how' }] }
  const leaking = await openLeaking(leaks, { SEEN: seen, PROMPTS: JSON.stringify([prompt]) })
  const { gate } = leaking.opened
  const [folderUri, path] = [`file://${notes}`, `${notes}/a.txt`]
  const calls = otherCalls({ home, notes })
  const allowed: unknown[] = []
  const files: string[] = []
  for (const { command, args, policy } of calls) {
    const token = signedCall(gate.did, command, args, { command: '/mcp', policy })
    await leaking.call(token)
    const [params, ...more] = await reached()
    expect(more).toEqual([])
    if (params === undefined) continue
    expect({ server: 'bad', ...params }).toEqual(args)
    expect(policyHolds(toValue(policy), toValue({ server: 'bad', ...params }))).toBe(true)
    const opened = params.uri?.startsWith('file:') ? fileURLToPath(params.uri) : params.arguments?.path
    if (opened !== undefined) {
      expect(await realpath(opened).catch(() => opened)).toBe(opened)
      files.push(resolve(opened))
    }
    allowed.push(params.uri ?? [params.name, params.arguments])
  }
  expect(calls.length).toBeGreaterThanOrEqual(200)
  expect(allowed).toEqual(expect.arrayContaining([`${folderUri}/a.txt`, ['say', { path }]]))
  // Some of these only look like the folder above, and name one inside.
  expect(files).not.toContain(`${home}/b.txt`)
  for (const [method, args] of [
    ['prompts/get', { server: 'bad', name: 'say', arguments: {} }],
    ['resources/read', { server: 'bad', uri: `${folderUri}/a.txt` }],
  ] as const) {
    const { of } = await waysOf(leaks, method)
    for (let made = 0; made < of; made += 1)
      await leaking.call(signedCall(gate.did, `/mcp/${method}`, args, { command: '/mcp' }))
    expect(await waysOf(leaks, method)).toEqual({ given: of, of })
  }
  await expectNoCredential(leaking)
})

describe('by HTTP', () => {
  const META = 'keyhole/invocation'

  async function served() {
    const { home, notes, seen, reached, leaks } = await places()
    const prompt = { name: 'say', arguments: [{ name: 'path' }, { name: 'how' }] }
    const leaking = await openLeaking(leaks, { SEEN: seen, PROMPTS: JSON.stringify([prompt]) })
    const { gate } = leaking.opened
    const listener = await listen({ gate, vault: VAULT, owners: [owner.did], port: 0 })
    onTestFinished(() => listener.close())
    const other = await recordingApi()
    const tokenOf = ({ command, args, policy }: Call) =>
      signedCall(gate.did, command, args, { command: '/mcp', policy })
    /** What of these calls reached the server, each with its place among them. Anything else fails. */
    const reachedBy = async (calls: readonly Call[], text: string) => {
      leaking.answers.push(await sendRaw(listener.url, text))
      return (await reached()).map((params) => {
        const sent = { server: 'bad', ...params }
        const at = calls.findIndex(({ args }) => isDeepStrictEqual(args, sent))
        expect(at, JSON.stringify([sent, calls])).toBeGreaterThanOrEqual(0)
        expect(policyHolds(toValue(calls[at]?.policy), toValue(sent))).toBe(true)
        return at
      })
    }
    const post = {
      url: listener.url,
      path: '/mcp/bad',
      headers: [
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        'MCP-Protocol-Version: 2025-06-18',
      ],
      hidden: '',
      elsewhere: other.url,
    }
    const end = async () => {
      expect(other.requests).toEqual([])
      expect(leaksIn(await seenOf(leaking), TOKEN)).toEqual([])
    }
    const { answers } = leaking
    return { gate, home, notes, post, tokenOf, reachedBy, answers, end }
  }
  /** A request of MCP, as JSON. */
  const bodyOf = (token: string, params: object = { name: 'echo' }, method = 'tools/call') =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { [META]: token } } })
  const methodOf = (command: string) =>
    ['tools/call', 'resources/read', 'prompts/get'].find((each) => command === `/mcp/${each}`) ?? 'tools/call'
  const allowed = {
    command: '/mcp/tools/call',
    args: { server: 'bad', name: 'echo', arguments: { how: 'x' } },
    policy: [],
  }
  const refused = {
    command: '/mcp/tools/call',
    args: { server: 'bad', name: 'pieces', arguments: { how: 'x' } },
    policy: [['==', '.name', 'echo']],
  }

  it('none reaches the server unless the policy holds', async () => {
    const { home, notes, post, tokenOf, reachedBy, end } = await served()
    const calls = [...toolCalls({ home, notes }), ...otherCalls({ home, notes })].filter(
      (_call, at) => at % 5 === 0,
    )
    let count = 0
    for (const call of [...calls, allowed, refused]) {
      // What the request itself asks for counts for nothing.
      const body = bodyOf(tokenOf(call), { name: 'pieces', uri: 'test://a' }, methodOf(call.command))
      count += (await reachedBy([call], writingsOfPost({ ...post, body }).clear.plain)).length
    }
    expect(calls.length).toBeGreaterThanOrEqual(100)
    expect(count).toBeGreaterThanOrEqual(5)
    await end()
  })

  it('none reaches it by a request that is written for two readers, or in other ways', async () => {
    const { post, tokenOf, reachedBy, answers, end } = await served()
    const posts = (call: Call, hidden = '') =>
      writingsOfPost({ ...post, body: bodyOf(tokenOf(call)), hidden })
    type Posts = ReturnType<typeof posts>
    for (const way of Object.keys(posts(allowed).clear) as (keyof Posts['clear'])[]) {
      expect(await reachedBy([allowed], posts(allowed).clear[way]), way).toEqual([0])
      expect(await reachedBy([refused], posts(refused).clear[way]), way).toEqual([])
    }
    for (const way of Object.keys(posts(allowed).unclear) as (keyof Posts['unclear'])[])
      for (const call of [allowed, refused])
        for (const inner of [allowed, refused]) {
          const text = posts(call, posts(inner).clear.plain).unclear[way]
          expect(await reachedBy([call, inner], text), way).toEqual([])
          expect(answers.at(-1), way).not.toMatch(/^HTTP\/1\.1 [123]/)
        }
    for (const way of ['after', 'afterChunks', 'twice'] as const) {
      const text = posts(allowed, posts(refused).clear.plain).hiding[way]
      expect(await reachedBy([allowed, refused], text), way).toEqual([0])
    }
    const either = Object.keys(posts(allowed).either) as (keyof Posts['either'])[]
    for (const way of either) expect(await reachedBy([refused], posts(refused).either[way]), way).toEqual([])
    // Some may be on their way still when their connection is closed.
    const hidden = posts(refused).clear.plain
    for (const way of either)
      for (const at of await reachedBy([allowed, refused], posts(allowed, hidden).either[way]))
        expect(at).toBe(0)
    await end()
  })

  it('of two tokens, methods or names in one request, none is carried out that is refused', async () => {
    const { post, tokenOf, reachedBy, end } = await served()
    const calls = [allowed, refused]
    let count = 0
    for (const order of [calls, calls.toReversed()]) {
      const bodies = () => {
        const [one, two] = order.map(tokenOf).map((token) => JSON.stringify(token))
        const [meta, again] = [`"_meta":{"${META}":${one}}`, `"_meta":{"${META}":${two}}`]
        const escaped = META.replace('k', '\\u006b')
        const whole = (params: string, more = '"method":"tools/call"') =>
          `{"jsonrpc":"2.0","id":1,${more},"params":{${params}}}`
        return [
          whole(`"name":"echo","_meta":{"${META}":${one},"${META}":${two}}`),
          whole(`"name":"echo","_meta":{"${META}":${one},"${escaped}":${two}}`),
          whole(`"name":"echo","_meta":{"${META}":[${one},${two}]}`),
          whole(`"name":"echo","_meta":{"${META}":${one},"${META.toUpperCase()}":${two}}`),
          whole(`"name":"echo",${meta},${again}`),
          whole(`${meta},"name":"echo",${again},"name":"pieces"`),
          whole(`"name":"echo","name":"pieces","arguments":{"how":"x"},"arguments":{"how":"plain"},${meta}`),
          whole(`"name":"echo","_meta":${one},${again}`),
          whole(`"__proto__":{${meta}},"name":"echo",${again}`),
          whole(`"name":"say",${meta}`, '"method":"tools/call","method":"prompts/get"'),
          whole(`"name":"say","uri":"test://a",${meta}`, '"method":"prompts/get","method":"resources/read"'),
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",${meta}},"params":{"name":"echo",${again}}}`,
          `[${whole(`"name":"echo",${meta}`)},${whole(`"name":"echo",${again}`)}]`,
          `${whole(`"name":"echo",${meta}`)}\n${whole(`"name":"echo",${again}`)}`,
          `\ufeff${whole(`"name":"echo",${meta},${again}`)}`,
        ]
      }
      for (const [at] of bodies().entries()) {
        const body = bodies()[at] ?? ''
        for (const place of await reachedBy(order, writingsOfPost({ ...post, body }).clear.plain)) {
          expect(order[place]).toBe(allowed)
          count += 1
        }
      }
    }
    expect(count).toBeGreaterThan(0)
    await end()
  })

  it('none is carried out in whose invocation or grant something stands twice', async () => {
    const { gate, post, reachedBy, answers, end } = await served()
    const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
    const send = async (granted: Token, made: Token) => {
      const body = bodyOf(container([granted, made]))
      return await reachedBy([allowed], writingsOfPost({ ...post, body }).clear.plain)
    }
    const made = (granted: Token, args: object, more = {}) => {
      const fields = { cmd: '/mcp/tools/call', aud: gate.did, exp, args: toValue(args), ...more }
      return invocation(stranger, owner, [granted], fields)
    }
    const granted = () => delegation(owner, stranger, { cmd: '/mcp' })
    const { args } = allowed
    // What was renamed is signed again, and taken if nothing is there twice.
    const whole = granted()
    const once = renamed(made(whole, { ...args, name: 'ecco' }), stranger, 'ecco', 'echo')
    expect(await send(whole, once)).toEqual([0])
    for (const [from, to, changes, more = {}] of [
      ['namz', 'name', { namz: 'pieces' }],
      ['nama', 'name', { nama: 'pieces' }],
      ['argumentz', 'arguments', { argumentz: { how: 'plain' } }],
      ['argumenta', 'arguments', { argumenta: { how: 'plain' } }],
      ['hoz', 'how', { arguments: { how: 'x', hoz: 'plain' } }],
      ['hoa', 'how', { arguments: { how: 'x', hoa: 'plain' } }],
      ['servez', 'server', { servez: 'other' }],
      ['argz', 'args', {}, { argz: toValue(refused.args) }],
      ['cmz', 'cmd', {}, { cmz: '/mcp/prompts/get' }],
    ] as const) {
      const grant = granted()
      const twice = renamed(made(grant, { ...args, ...changes }, more), stranger, from, to)
      expect(await send(grant, twice), from).toEqual([])
      expect(answers.at(-1), from).toContain('MalformedToken')
    }
    const narrow = toValue([['==', '.name', 'pieces']])
    const wider = renamed(
      delegation(owner, stranger, { cmd: '/mcp', pol: narrow, poz: [] }),
      owner,
      'poz',
      'pol',
    )
    expect(await send(wider, made(wider, args))).toEqual([])
    expect(answers.at(-1)).toContain('MalformedToken')
    await end()
  })
})
