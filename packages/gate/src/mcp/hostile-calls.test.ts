// Hundreds of calls that try to get past a policy: what reaches the server is held against an evaluator that shares no code with the gate.
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { policyHolds } from '../../../enclave/src/test/naive-evaluator.ts'
import { container, delegation } from '../../../enclave/src/test/naive-tokens.ts'
import { CUT } from '../secrets/redactor.ts'
import { folder, hostileServer, open, owner, receipts, stranger } from '../test/parts.ts'
import { filesIn, leaksIn } from '../test/recording-api.ts'
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
  await expect.poll(() => logs.some((line) => line.includes(CUT))).toBe(true)
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
  const seen = await seenOf(leaking)
  const { answers, heard, opened } = leaking
  const lines = await receipts(opened)
  const outcomes = [...new Set(lines.map(({ outcome }) => outcome))]
  expect(outcomes).toEqual(
    expect.arrayContaining(['ok', 'error', 'ServerFailed', 'AnswerWithheld', 'MatchError']),
  )
  expect(lines.every(({ receipt }) => receipt !== undefined)).toBe(true)
  for (const kind of ['progress', 'log', 'elicitation/create'])
    expect(JSON.stringify(heard.filter((each) => [each].flat()[0] === kind))).toContain(CUT)
  expect(JSON.stringify(answers)).toContain(CUT)
  expect(answers.some((each) => each instanceof Error && each.message.includes(CUT))).toBe(true)
  expect(leaksIn(seen, TOKEN)).toEqual([])
}
const KINDS = ['tools', 'prompts', 'resources', 'templates'] as const

it('none reaches the server unless the policy holds of what the server is sent', async () => {
  const { home, notes, seen, reached, leaks } = await places()
  const leaking = await openLeaking(leaks, { SEEN: seen })
  const { gate } = leaking.opened
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
  let tried = 0
  const allowed: unknown[] = []
  for (const [at, args] of calls.entries()) {
    const pol = policies[at % policies.length] ?? []
    const made = signedCall(
      gate.did,
      '/mcp/tools/call',
      { server: 'bad', ...args },
      { command: '/mcp/tools/call', policy: pol },
    )
    await leaking.call(made)
    const [params, ...more] = await reached()
    expect(more).toEqual([])
    tried += 1
    if (params === undefined) continue
    expect(params).toEqual(args)
    expect(policyHolds(toValue(pol), toValue({ server: 'bad', ...params }))).toBe(true)
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

it('none reaches a resource, a prompt or another server by another name, form or command', async () => {
  const { home, notes, seen, reached, leaks } = await places()
  const prompt = { name: 'say', arguments: [{ name: 'path' }, { name: 'how' }] }
  const leaking = await openLeaking(leaks, { SEEN: seen, PROMPTS: JSON.stringify([prompt]) })
  const { gate } = leaking.opened
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
  const calls: { command: string; args: object; policy: unknown[] }[] = [
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

// Bytes are read as Latin letters, in which signs that can't be seen are letters too.
it.fails("gives no credential away in bytes with signs between its letters that can't be seen", async () => {
  const { gate } = await open({ bad: hostileServer() }, undefined, {}, { env: { TOKEN } })
  const args = { server: 'bad', name: 'image', arguments: { how: 'zeroWidth' } }
  const token = signedCall(gate.did, '/mcp/tools/call', args, { command: '/mcp' })
  const answer = await gate.servers.get('bad')?.call(token).catch(String)
  expect(leaksIn(textsIn(answer), TOKEN)).toEqual([])
})
