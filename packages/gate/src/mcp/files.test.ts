// The official file server behind the gate, and the official client before it.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { container, delegation, invocation } from '../../../enclave/src/test/naive-tokens.ts'
import {
  codeOf,
  connect,
  filesServer,
  folder,
  grantTo,
  holderWith,
  open,
  owner,
  receipts,
  stranger,
  textOf,
  VAULT,
} from '../test/parts.ts'

let home: string
let notes: string
beforeAll(async () => {
  home = await folder()
  notes = join(home, 'notes')
  await mkdir(join(notes, 'deep'), { recursive: true })
  await mkdir(join(home, 'notes-private'))
  await writeFile(join(notes, 'today.txt'), 'buy milk')
  await writeFile(join(notes, "don't panic 👩‍💻 é.txt"), 'towel')
  await writeFile(join(home, 'secret.txt'), 'outside')
  await writeFile(join(home, 'notes-private', 'x.txt'), 'outside')
  await symlink(join(home, 'secret.txt'), join(notes, 'link.txt'))
  await symlink(home, join(notes, 'up'))
  await symlink(join(home, 'not-yet.txt'), join(notes, 'dangling.txt'))
  await symlink(notes, join(home, 'alias'))
})

const inNotes = (...more: unknown[]) => ({
  pol: [
    ['==', '.server', 'files'],
    ['==', '.name', 'read_text_file'],
    ['like', '.arguments.path', `${notes}/*`],
    ...more,
  ] as never,
})
const read = (path: unknown) => ({ name: 'read_text_file', arguments: { path } as Record<string, unknown> })

describe.each(['legacy', 'modern'] as const)('for a %s client', (era) => {
  it('shows and allows what was granted, and leaves receipts', async () => {
    const opened = await open({ files: filesServer(home) })
    const client = await connect(opened, 'files', await holderWith(inNotes()), { era })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'read_text_file',
      'keyhole_ask',
    ])
    expect(textOf(await client.callTool(read(join(notes, 'today.txt'))))).toContain('buy milk')
    expect(textOf(await client.callTool(read(join(notes, "don't panic 👩‍💻 é.txt"))))).toContain('towel')
    const lines = await receipts(opened)
    expect(lines).toMatchObject([
      { server: 'files', name: 'read_text_file', outcome: 'ok', subject: owner.did },
      { outcome: 'ok' },
    ])
  })

  it('asks by a link that the client opens, and goes on once there is a grant', async () => {
    const holder = await holderWith()
    const links: string[] = []
    const client = await connect(await open({ files: filesServer(home) }), 'files', holder, {
      era,
      onLink: async (url) => {
        links.push(url)
        await holder.add(container([await grantTo(holder, inNotes())]))
        return 'accept'
      },
    })
    expect(textOf(await client.callTool(read(join(notes, 'today.txt'))))).toContain('buy milk')
    expect(links).toHaveLength(1)
    expect(requestIn(links[0])).toMatchObject({
      command: '/mcp/tools/call',
      audience: await holder.did(),
      policy: [
        ['==', '.server', 'files'],
        ['==', '.name', 'read_text_file'],
        ['==', '.arguments.path', join(notes, 'today.txt')],
      ],
      service: expect.stringMatching(/^keyhole-service-1\./),
    })
  })

  it('refuses where the person declines', async () => {
    const client = await connect(await open({ files: filesServer(home) }), 'files', await holderWith(), {
      era,
      onLink: async () => 'decline',
    })
    expect(codeOf(await client.callTool(read(join(notes, 'today.txt'))))).toBe('NoGrant')
  })
})

function requestIn(link = ''): unknown {
  return JSON.parse(Buffer.from(link.split('keyhole-request-1.')[1] ?? '', 'base64url').toString())
}

it('gives a client that opens no links the link as text', async () => {
  const client = await connect(await open({ files: filesServer(home) }), 'files', await holderWith())
  const answer = await client.callTool(read(join(home, 'secret.txt')))
  expect(codeOf(answer)).toBe('NoGrant')
  expect(textOf(answer)).toContain(`${VAULT}/connect#keyhole-request-1.`)
  const asked = await client.callTool({ name: 'keyhole_ask', arguments: { tool: 'write_file' } })
  expect(textOf(asked)).toContain(`${VAULT}/connect#keyhole-request-1.`)
})

describe('paths', () => {
  const tricks: [string, () => unknown][] = [
    ['dots', () => `${notes}/../secret.txt`],
    ['dots inside', () => `${notes}/deep/../../secret.txt`],
    ['a link to a file', () => `${notes}/link.txt`],
    ['a link to a folder', () => `${notes}/up/secret.txt`],
    ['a link that leads nowhere', () => `${notes}/dangling.txt`],
    ['an alias of the folder', () => join(home, 'alias', 'today.txt')],
    ['a neighbour', () => join(home, 'notes-private', 'x.txt')],
    ['encoded dots', () => `${notes}/%2e%2e/secret.txt`],
    ['encoded slash', () => `${notes}/..%2fsecret.txt`],
    ['encoded twice', () => `${notes}/%252e%252e/secret.txt`],
    ['backslashes', () => `${notes}/..\\secret.txt`],
    ['full-width', () => `${notes}/．．／secret.txt`],
    ['one-dot leaders', () => `${notes}/\u2024\u2024/secret.txt`],
    ['two-dot leader', () => `${notes}/\u2025/secret.txt`],
    ['division slash', () => `${notes}/..\u2215secret.txt`],
    ['zero byte', () => `${notes}/today.txt\0/../../secret.txt`],
    ['line end', () => `${notes}/today.txt\n`],
    ['space', () => `${notes}/today.txt `],
    ['quotes', () => `"${notes}/today.txt"`],
    ['a quote at its end', () => `${notes}/today.txt"`],
    ['double slash', () => `${notes}//today.txt`],
    ['a slash at its end', () => `${notes}/deep/`],
    ['dot', () => `${notes}/./today.txt`],
    ['relative', () => 'today.txt'],
    ['home', () => '~/secret.txt'],
    ['file URL', () => `file://${notes}/today.txt`],
    ['capitals', () => `${notes.toUpperCase()}/today.txt`],
    ['half a letter', () => `${notes}/\ud800.txt`],
    ['too long', () => `${notes}/${'a'.repeat(5_000)}`],
    ['a list', () => [`${notes}/today.txt`]],
    ['an object', () => ({ toString: `${notes}/today.txt` })],
    ['a number', () => 7],
    ['null', () => null],
    ['true', () => true],
    ['nothing', () => undefined],
  ]

  it.each(tricks)('does not let the server see: %s', async (_name, path) => {
    const seen = join(await folder(), 'seen')
    const { hostileServer } = await import('../test/parts.ts')
    const opened = await open({ files: hostileServer({ SEEN: seen }) })
    const pol = [['like', '.arguments.path', `${notes}/*`]] as never
    const client = await connect(opened, 'files', await holderWith({ pol }))
    const call = { name: 'echo', arguments: { path: path() } as Record<string, unknown> }
    const answer = await client.callTool(call).catch(() => undefined)
    const lines = await readFile(seen, 'utf8').catch(() => '')
    // Where the agent's side could write the path in full, and the grant covers that, the call is made with that.
    const sent = lines === '' ? [] : lines.trim().split('\n')
    for (const line of sent)
      expect(JSON.parse(line).arguments.path).toMatch(new RegExp(`^${notes}/(?:today.txt|deep)$`))
    if (sent.length === 0 && answer)
      expect(codeOf(answer)).toMatch(/^(?:UnclearPath|MatchError|InvalidInput)$/)
  })

  it('checks each of several, and in both directions', async () => {
    const pol = [['all', '.arguments.paths', ['like', '.', `${notes}/*`]]] as never
    const opened = await open({ files: filesServer(home) })
    const client = await connect(opened, 'files', await holderWith({ pol }))
    const both = (...paths: string[]) =>
      client.callTool({ name: 'read_multiple_files', arguments: { paths } })
    expect(textOf(await both(`${notes}/today.txt`))).toContain('buy milk')
    expect(codeOf(await both(`${notes}/today.txt`, `${notes}/link.txt`))).toBe('MatchError')
    expect(codeOf(await both(`${notes}/today.txt`, `${home}/secret.txt`))).toBe('MatchError')
  })
})

describe('a call that is signed by hand', () => {
  const call = async (args: object, changes: object = {}) => {
    const opened = await open({ files: filesServer(home) })
    const grant = delegation(owner, stranger, { cmd: '/mcp/tools/call' })
    const toMap = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? new Map(Object.entries(value).map(([key, each]) => [key, toMap(each)]))
        : value
    const made = invocation(stranger, owner, [grant], {
      cmd: '/mcp/tools/call',
      aud: opened.gate.did,
      exp: BigInt(Math.floor(Date.now() / 1_000) + 60),
      args: toMap(args) as never,
      ...changes,
    })
    const token = container([grant, made])
    const server = opened.gate.servers.get('files')
    const once = () =>
      server?.call(token).then(
        () => 'ok',
        (error) => error.code,
      )
    return [await once(), await once()]
  }
  const good = () => ({ server: 'files', name: 'read_text_file', arguments: { path: `${notes}/today.txt` } })

  it('is carried out once', async () => expect(await call(good())).toEqual(['ok', 'Replayed']))
  it.each([
    ['another server', 'UnknownServer', () => ({ ...good(), server: 'Files' })],
    ['no server', 'UnknownServer', () => ({ ...good(), server: null })],
    ['a tool that is not there', 'UnknownTool', () => ({ ...good(), name: 'read_text_file ' })],
    ['a tool of Object', 'UnknownTool', () => ({ ...good(), name: 'constructor' })],
    ['a tool that is a list', 'MalformedCall', () => ({ ...good(), name: ['read_text_file'] })],
    ['arguments in a list', 'MalformedCall', () => ({ ...good(), arguments: [] })],
    ['a field beside', 'MalformedCall', () => ({ ...good(), _meta: {} })],
    [
      'an argument beside',
      'UnknownArgument',
      () => ({ ...good(), arguments: { path: `${notes}/today.txt`, file: '/etc/passwd' } }),
    ],
    [
      'a number that MCP has no room for',
      'MalformedCall',
      () => ({ ...good(), arguments: { path: `${notes}/today.txt`, head: 2n ** 60n } }),
    ],
    [
      'a path that is none',
      'UnclearPath',
      () => ({ ...good(), arguments: { path: `${notes}/../secret.txt` } }),
    ],
  ])('is refused: %s', async (_name, code, args) => expect((await call(args()))[0]).toBe(code))
  it.each([
    ['for another gate', 'InvalidAudience', { aud: owner.did }],
    ['for another command', 'InvalidCommand', { cmd: '/mcp/prompts/get' }],
    ['that lives too long', 'LivesTooLong', { exp: null }],
  ])('is refused: %s', async (_name, code, changes) => expect((await call(good(), changes))[0]).toBe(code))
  it('is refused with keys of JavaScript', async () => {
    const args = JSON.parse(
      `{"server":"files","name":"read_text_file","arguments":{"path":"/x","__proto__":{"a":1}}}`,
    )
    expect((await call(args))[0]).toBe('MalformedCall')
  })
})

it('honours the grants of its owners alone', async () => {
  const { gate } = await open({ files: filesServer(home) })
  const grant = delegation(stranger, owner, { cmd: '/mcp/tools/call' })
  const made = invocation(owner, stranger, [grant], {
    cmd: '/mcp/tools/call',
    aud: gate.did,
    exp: BigInt(Math.floor(Date.now() / 1_000) + 60),
  })
  const server = gate.servers.get('files')
  await expect(server?.call(container([grant, made]))).rejects.toMatchObject({ code: 'InvalidSubject' })
  expect(await server?.list('tools', [container([grant])])).toEqual([])
  expect(await server?.list('tools', ['nonsense', ''])).toEqual([])
})
