// `keyhole mcp` as an MCP client starts it: a process, with the official file server behind it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { container, delegation, person } from '../../enclave/src/test/naive-tokens.ts'
import { type Home, home } from './test/command.ts'

const owner = person(1)
const SECRET = 'ghp_Qw81kZx72LmNv0pRtY'

async function prepared(): Promise<{ at: Home; notes: string }> {
  const at = await home({ FILES_TOKEN: SECRET })
  const notes = join(at.folder, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'today.txt'), 'buy milk')
  const files = join(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json'),
    '../dist/index.js',
  )
  const made = await at.run([
    ...[
      'gate',
      'init',
      '--owner',
      owner.did,
      '--vault',
      'https://vault.example',
      '--secret',
      'TOKEN=env:FILES_TOKEN',
    ],
    ...['--', process.execPath, files, at.folder],
  ])
  expect(made.code).toBe(0)
  return { at, notes }
}

async function connect(
  { folder, env, program }: Home,
  mode: 'legacy' | 'auto',
  more: readonly string[] = [],
): Promise<{ client: Client; pid: number; errors: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...more],
    cwd: folder,
    env: { ...env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, pid: transport.pid ?? 0, errors: () => errors }
}

async function grant(at: Home, notes: string): Promise<void> {
  const did = String((await at.json(['key'])).said.did)
  const pol = [
    ['==', '.server', 'files'],
    ['==', '.name', 'read_text_file'],
    ['like', '.arguments.path', `${notes}/*`],
  ]
  const token = delegation(owner, { ...owner, did }, { cmd: '/mcp/tools/call', pol })
  expect((await at.run(['add'], container([token]))).code).toBe(0)
}

it.each(['legacy', 'auto'] as const)(
  'serves a %s client: asks, reads inside, refuses outside',
  async (mode) => {
    const { at, notes } = await prepared()
    const { client, errors } = await connect(at, mode)
    const read = (path: string) => client.callTool({ name: 'read_text_file', arguments: { path } })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['keyhole_ask'])
    expect(JSON.stringify(await read(join(notes, 'today.txt')))).toContain(
      'https://vault.example/connect#keyhole-request-1.',
    )
    await grant(at, notes)
    expect(JSON.stringify(await read(join(notes, 'today.txt')))).toContain('buy milk')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'read_text_file',
      'keyhole_ask',
    ])
    const outside = await read(join(at.folder, 'keyhole-gate.json'))
    expect(outside).toMatchObject({ isError: true, structuredContent: { error: 'MatchError' } })
    const log = await at.run(['gate', 'log', '--json'])
    expect(JSON.parse(log.out)).toMatchObject([{ name: 'read_text_file', outcome: 'ok' }])
    expect(errors() + log.out).not.toContain(SECRET)
  },
)

it.each(['in this process', 'elsewhere'])(
  'shows the tools of all servers of a gate %s, each named after its server',
  async (where) => {
    const { at, notes } = await prepared()
    const path = join(at.folder, 'keyhole-gate.json')
    const config = JSON.parse(await readFile(path, 'utf8'))
    const { files } = config.servers
    await writeFile(path, JSON.stringify({ ...config, servers: { more: files, files } }))
    await grant(at, notes)
    let options: readonly string[] = []
    if (where === 'elsewhere') {
      const gate = at.start(['gate', 'serve', '--listen', '127.0.0.1:0', '--json'])
      onTestFinished(() => gate.kill())
      options = ['--gate', JSON.parse(await gate.line()).url]
    }
    const { client } = await connect(at, 'auto', options)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(['files__read_text_file', 'keyhole_ask'])
    const args = { path: join(notes, 'today.txt') }
    const read = (name: string) => client.callTool({ name, arguments: args })
    expect(JSON.stringify(await read('files__read_text_file'))).toContain('buy milk')
    expect(await read('more__read_text_file')).toMatchObject({ structuredContent: { error: 'MatchError' } })
    const unknown = await at.run(['mcp', '--server', 'none'])
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('more, files')])
  },
)

it("keeps the secret out of its command line and of the agent's reach in the listing of processes", async () => {
  const { at } = await prepared()
  const { pid } = await connect(at, 'legacy')
  expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(SECRET)
})

it('ends with its server when the client goes or is killed, and starts again after it was killed itself', async () => {
  const { at, notes } = await prepared()
  await grant(at, notes)
  const first = await connect(at, 'legacy')
  const call = { name: 'read_text_file', arguments: { path: join(notes, 'today.txt') } }
  expect(JSON.stringify(await first.client.callTool(call))).toContain('buy milk')
  const children = async (pid: number) =>
    (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
  const [server = 0] = await children(first.pid)
  expect(server).toBeGreaterThan(0)
  process.kill(first.pid, 'SIGKILL')
  await until(() => !isRunning(first.pid) && !isRunning(server))
  const second = await connect(at, 'legacy')
  expect(JSON.stringify(await second.client.callTool(call))).toContain('buy milk')
  const [other = 0] = await children(second.pid)
  await second.client.close()
  await until(() => !isRunning(second.pid) && !isRunning(other))
  expect(JSON.parse((await at.run(['gate', 'log', '--json'])).out)).toHaveLength(2)
})

it('reaches a gate that runs as a process of its own, which ends when it is told to', async () => {
  const { at, notes } = await prepared()
  await grant(at, notes)
  const serving = spawn(
    process.execPath,
    [at.program, 'gate', 'serve', '--listen', '127.0.0.1:0', '--json'],
    {
      cwd: at.folder,
      env: at.env,
    },
  )
  const [said] = await once(serving.stdout, 'data')
  const { FILES_TOKEN: _secret, ...env } = at.env
  const { client } = await connect({ ...at, env }, 'auto', ['--gate', JSON.parse(String(said)).url])
  const call = { name: 'read_text_file', arguments: { path: join(notes, 'today.txt') } }
  expect(JSON.stringify(await client.callTool(call))).toContain('buy milk')
  serving.kill('SIGTERM')
  expect(await once(serving, 'exit')).toEqual([0, null])
  expect(await client.callTool(call)).toMatchObject({ structuredContent: { error: 'Unavailable' } })
})

it('uses an invocation up, even if it is killed right after', async () => {
  const { at, notes } = await prepared()
  await grant(at, notes)
  const serve = async () => {
    const args = [at.program, 'gate', 'serve', '--listen', '127.0.0.1:0', '--json']
    const child = spawn(process.execPath, args, { cwd: at.folder, env: at.env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [said] = await once(child.stdout, 'data')
    return { process: child, ...JSON.parse(String(said)) }
  }
  const call = async (url: string, token: string) => {
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/files`)))
    return await client.callTool({ name: 'x', arguments: {}, _meta: { 'keyhole/invocation': token } })
  }
  const first = await serve()
  const args = { server: 'files', name: 'read_text_file', arguments: { path: join(notes, 'today.txt') } }
  const { out } = await at.run(['invoke', '/mcp/tools/call', '--audience', first.did], JSON.stringify(args))
  expect(JSON.stringify(await call(first.url, out.trim()))).toContain('buy milk')
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  const second = await serve()
  expect(second.did).toBe(first.did)
  await expect(call(second.url, out.trim())).rejects.toMatchObject({ data: { error: 'Replayed' } })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}
