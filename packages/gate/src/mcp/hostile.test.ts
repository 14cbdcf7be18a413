// A server that leaks, changes, dies and floods.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  connect,
  folder,
  holderWith,
  hostileServer,
  open,
  receipts,
  SECRET,
  textOf,
} from '../test/parts.ts'

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args })

/** Every way in which a secret could be read out of something. */
function expectNoSecret(from: unknown): void {
  const text = JSON.stringify(from)
  const plain = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  expect(plain).not.toContain(SECRET.toLowerCase().replace(/[^a-z0-9]/g, ''))
  for (let at = 0; at + 8 <= SECRET.length; at += 1) expect(text).not.toContain(SECRET.slice(at, at + 8))
  for (const [base64] of text.matchAll(/[\w+/-]{8,}/g))
    expect(Buffer.from(base64, 'base64').toString('latin1').replaceAll('\0', '')).not.toContain(SECRET)
}

describe('credentials', () => {
  it.each([
    'plain',
    'inText',
    'capitals',
    'base64',
    'base64url',
    'hex',
    'percent',
    'escaped',
    'backwards',
    'spaced',
    'zeroWidth',
    'dashed',
    'half',
  ])('are not in an answer: %s', async (how) => {
    const client = await connect(await open({ bad: hostileServer() }), 'bad', await holderWith({}))
    const answer = await client.callTool(call('echo', { how }))
    expectNoSecret(answer)
    expect(textOf(answer)).not.toContain([...SECRET].reverse().join(''))
  })

  it.each([
    ['pieces', {}],
    ['image', {}],
    ['image', { how: 'wide' }],
    ['key', {}],
    ['fail', {}],
    ['die', {}],
  ])('are not in an answer, a log, an error or a receipt: %s', async (name, args) => {
    const opened = await open({ bad: hostileServer() })
    const client = await connect(opened, 'bad', await holderWith({}))
    expectNoSecret(await client.callTool(call(name, args)).catch((error) => [error.message, error.data]))
    expectNoSecret(await client.listTools())
    expectNoSecret(await client.callTool(call(`leak-${SECRET}`)))
    expectNoSecret([opened.logs, opened.errors.map(String), await receipts(opened)])
  })

  it('leave other answers as they are', async () => {
    const client = await connect(await open({ bad: hostileServer() }), 'bad', await holderWith({}))
    const how = 'ghp_ is how tokens of GitHub start; naïve İ ﬁ 中文 🗝'
    expect(textOf(await client.callTool(call('echo', { how })))).toBe(JSON.stringify({ how }))
  })
})

describe('a server that changes', () => {
  it('its tools is not called until somebody accepts that, not even after a restart', async () => {
    const seen = join(await folder(), 'seen')
    const server = hostileServer({ SEEN: seen })
    const opened = await open({ bad: server })
    const client = await connect(opened, 'bad', await holderWith({}))
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    await client.callTool(call('change'))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['keyhole_ask'])
    expect(codeOf(await client.callTool(call('echo')))).toBe('ToolChanged')
    expect((await readFile(seen, 'utf8')).trim().split('\n')).toHaveLength(1)
  })

  it('a tool and lists the old one before it is found out', async () => {
    const first = await open({ bad: hostileServer() })
    const holder = await holderWith({})
    await (await connect(first, 'bad', holder)).listTools()
    await first.gate.close()
    const changed = { name: 'echo', description: 'Now asks for keys', inputSchema: { type: 'object' } }
    const second = await open({ bad: hostileServer({ MORE_TOOLS: JSON.stringify([changed]) }) }, first.data)
    const client = await connect(second, 'bad', holder)
    const listed = (await client.listTools()).tools.map(({ name }) => name)
    expect(listed).not.toContain('echo')
    expect(listed).toContain('pieces')
    expect(codeOf(await client.callTool(call('echo')))).toBe('ToolChanged')
  })

  it('nothing but lists a tool again is shown with what it lists first', async () => {
    const twice = (title: string) => ({
      ...{ name: 'twice', inputSchema: { type: 'object' } },
      outputSchema: { type: 'object', title },
    })
    const MORE_TOOLS = JSON.stringify([twice('first'), twice('second')])
    const client = await connect(
      await open({ bad: hostileServer({ MORE_TOOLS }) }),
      'bad',
      await holderWith({}),
    )
    const shown = (await client.listTools()).tools.filter(({ name }) => name === 'twice')
    expect(shown).toMatchObject([{ outputSchema: { title: 'first' } }])
  })

  it('is found out by the next gate too', async () => {
    const first = await open({ bad: hostileServer() })
    const holder = await holderWith({})
    await (await connect(first, 'bad', holder)).listTools()
    await first.gate.close()
    const args = ['--eval', ''] // The same name, another program.
    const other = { ...hostileServer(), env: { SUFFIX: '!' }, args: [...hostileServer().args, ...args] }
    const second = await open({ bad: { ...other, secrets: {} } }, first.data)
    // Without its secret the server describes its tools differently.
    expect((await (await connect(second, 'bad', holder)).listTools()).tools.map(({ name }) => name)).toEqual([
      'leak-',
      'keyhole_ask',
    ])
  })
})

describe('a server that fails', () => {
  it('is started again after it was killed, and no call is repeated', async () => {
    const seen = join(await folder(), 'seen')
    const opened = await open({ bad: hostileServer({ SEEN: seen }) })
    const client = await connect(opened, 'bad', await holderWith({}))
    expect(codeOf(await client.callTool(call('die')))).toBe('ServerFailed')
    expect(textOf(await client.callTool(call('change')))).toBe('done')
    expect((await readFile(seen, 'utf8')).trim().split('\n')).toHaveLength(2)
  })

  it('to answer ends with the timeout', async () => {
    const opened = await open({ bad: { ...hostileServer(), timeout: 1 } })
    const client = await connect(opened, 'bad', await holderWith({}))
    expect(codeOf(await client.callTool(call('hang')))).toBe('ServerFailed')
  })

  it('to be short is not passed on', async () => {
    const opened = await open({ bad: { ...hostileServer(), longestAnswer: 10_000 } })
    const client = await connect(opened, 'bad', await holderWith({}))
    expect(codeOf(await client.callTool(call('huge', { how: '20000' })))).toBe('AnswerTooLong')
    expect(codeOf(await client.callTool(call('huge', { how: '3000000' })))).toBe('ServerFailed')
    expect(textOf(await client.callTool(call('huge', { how: '9000' })))).toHaveLength(9_000)
  })

  it('to start says which, and not with what', async () => {
    const opened = await open({ bad: { command: '/nowhere/server', secrets: { SECRET: 'env:TOKEN' } } })
    const holder = await holderWith({})
    await expect(connect(opened, 'bad', holder)).rejects.toThrow()
    await expect(opened.gate.servers.get('bad')?.kinds()).rejects.toMatchObject({ code: 'SERVER_FAILED' })
  })
})

it('takes thousands of calls at once, so many at a time', async () => {
  const seen = join(await folder(), 'seen')
  const opened = await open({ bad: { ...hostileServer({ SEEN: seen }), concurrency: 100 } })
  const client = await connect(opened, 'bad', await holderWith({}))
  const answers = await Promise.all(
    Array.from({ length: 2_000 }, (_, at) => client.callTool(call('echo', { how: String(at) }))),
  )
  const made = answers.filter((answer) => codeOf(answer) === undefined)
  expect(answers.filter((answer) => codeOf(answer) === 'Busy').length + made.length).toBe(2_000)
  expect(made.length).toBeGreaterThanOrEqual(100)
  // Each has its own answer.
  for (const [at, answer] of answers.entries())
    if (codeOf(answer) === undefined) expect(textOf(answer)).toBe(`{"how":"${at}"}`)
  expect((await readFile(seen, 'utf8')).trim().split('\n')).toHaveLength(made.length)
  expect(await receipts(opened)).toHaveLength(made.length)
})

it('offers no tool with a path before somebody said which arguments are paths', async () => {
  const { paths: _paths, ...server } = hostileServer()
  const client = await connect(await open({ bad: server }), 'bad', await holderWith({}))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['keyhole_ask'])
  expect(codeOf(await client.callTool(call('echo')))).toBe('UnknownTool')
})

it('speaks to a server that knows the newest protocol alone', async () => {
  const client = await connect(
    await open({ bad: hostileServer({ MODERN: '1' }) }),
    'bad',
    await holderWith({}),
  )
  expect(textOf(await client.callTool(call('echo', { how: 'x' })))).toBe('{"how":"x"}')
})
