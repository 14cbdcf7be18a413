import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEnclave } from '@keyhole/enclave'
import { describe, expect, it } from 'vitest'
import { container, revocation } from '../../enclave/src/test/naive-tokens.ts'
import { openGate, readConfig } from './index.ts'
import {
  codeOf,
  connect,
  filesServer,
  folder,
  grantTo,
  holderWith,
  hostileServer,
  open,
  owner,
  receipts,
  SECRET,
  stranger,
  textOf,
  VAULT,
} from './test/parts.ts'

const call = { name: 'echo', arguments: { how: 'x' } }

it('stops honouring a grant with the next call after its revocation', async () => {
  const opened = await open({ bad: hostileServer() })
  const holder = await holderWith()
  const grant = await grantTo(holder, {})
  await holder.add(container([grant]))
  const client = await connect(opened, 'bad', holder)
  expect(codeOf(await client.callTool(call))).toBeUndefined()
  const revoke = (who: typeof owner) => container([revocation(who, grant)])
  const revocations = join(opened.data, 'revocations')
  await mkdir(revocations)
  // A stranger's takes nothing away.
  await writeFile(join(revocations, 'stranger.token'), revoke(stranger))
  await writeFile(join(revocations, 'torn.token'), revoke(owner).slice(0, 40))
  expect(codeOf(await client.callTool(call))).toBeUndefined()
  await writeFile(join(revocations, 'owner.token'), revoke(owner))
  expect(codeOf(await client.callTool(call))).toBe('Revoked')
})

it('remembers used invocations, its key and its folder across restarts', async () => {
  const first = await open({ bad: hostileServer() })
  const holder = await holderWith({})
  const options = { subject: owner.did, audience: first.gate.did }
  const { token } = await holder.invoke('/mcp/tools/call', { server: 'bad', ...call }, options)
  expect(textOf(await first.gate.servers.get('bad')?.call(token))).toBe('{"how":"x"}')
  await first.gate.close()
  const second = await open({ bad: hostileServer() }, first.data)
  expect(second.gate.did).toBe(first.gate.did)
  await expect(second.gate.servers.get('bad')?.call(token)).rejects.toMatchObject({ code: 'Replayed' })
})

it('signs a receipt for each call, and writes no arguments and no answers down', async () => {
  const opened = await open({ bad: hostileServer() })
  const client = await connect(opened, 'bad', await holderWith({}))
  await client.callTool({ name: 'echo', arguments: { how: 'my private text' } })
  await client.callTool({ name: 'echo', arguments: { unknown: 1 } })
  const signed = async () => (await receipts(opened)).map(({ receipt }) => receipt !== undefined)
  await expect.poll(signed).toEqual([true, true])
  const lines = await receipts(opened)
  expect(lines.map(({ outcome }) => outcome)).toEqual(['ok', 'UnknownArgument'])
  const enclave = await createEnclave({ keyless: true })
  for (const { receipt = '', task } of lines) {
    const read = await enclave.call('inspect_token', { token: receipt })
    expect(read).toMatchObject({
      tokens: [
        {
          signature_valid: true,
          payload: { iss: opened.gate.did, cmd: '/ucan/assert', args: { about: { '/': task } } },
        },
      ],
    })
  }
  await enclave.close()
  for (const name of await readdir(opened.data, { recursive: true })) {
    const path = join(opened.data, name)
    if ((await stat(path)).isFile()) {
      const text = await readFile(path, 'latin1')
      expect(text).not.toContain('my private text')
      expect(text).not.toContain(SECRET)
    }
  }
})

it('gives a server the variables that were configured, and none of its own', async () => {
  const show = 'process.stderr.write(Object.keys(process.env).join() + "\\n")'
  process.env.KEYHOLE_TEST_OWN = 'own'
  const server = { command: process.execPath, args: ['-e', show], env: { GIVEN: '1' } }
  const opened = await open({ bad: { ...server, secrets: { SECRET: 'env:TOKEN' } } })
  await expect(opened.gate.servers.get('bad')?.kinds()).rejects.toMatchObject({ code: 'SERVER_FAILED' })
  const names = () => opened.logs.join().split(',')
  await expect.poll(names).toEqual(expect.arrayContaining(['GIVEN', 'SECRET', 'PATH']))
  expect(names()).not.toContain('KEYHOLE_TEST_OWN')
})

describe('a configuration', () => {
  const good = { owners: [owner.did], vault: VAULT, servers: { files: filesServer('/tmp') } }
  it.each([
    ['no list of owners', { ...good, owners: undefined }],
    ['an owner that is not a DID', { ...good, owners: ['me'] }],
    ['an unknown field', { ...good, onwers: [] }],
    ['a server of another name', { ...good, servers: { 'a b': filesServer('/tmp') } }],
    ['a server without a command', { ...good, servers: { a: { args: [] } } }],
    ['a secret in the open', { ...good, servers: { a: { command: 'x', secrets: { TOKEN: SECRET } } } }],
    ['a server by URL and command', { ...good, servers: { a: { url: 'https://x.example', command: 'x' } } }],
    ['a server by URL with a user', { ...good, servers: { a: { url: 'https://me:x@x.example' } } }],
    ['a server by file', { ...good, servers: { a: { url: 'file:///x' } } }],
    [
      'a header that the gate writes',
      {
        ...good,
        servers: { a: { url: 'https://x.example', auth: { header: 'Host', secret: 'env:TOKEN' } } },
      },
    ],
    ['a list', []],
    ['nothing', undefined],
  ])('is refused: %s', (_name, config) => {
    expect(() => readConfig(config)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }))
    expect(() => readConfig(config)).not.toThrow(SECRET)
  })

  it('says what is wrong, and where', () => {
    const of = (server: object) => () => readConfig({ ...good, servers: { a: server } })
    expect(of({ url: 'https://x.example', pahts: [] })).toThrow(/servers\.a: .*pahts/)
    expect(of({ command: 'x', timeout: 'long' })).toThrow(/servers\.a\.timeout/)
    const auth = { header: 'Host', secret: 'env:TOKEN' }
    expect(of({ url: 'https://x.example', auth })).toThrow(/servers\.a\.auth\.header/)
  })

  it.each([
    ['a variable that is not set', 'env:NOWHERE'],
    ['a file that is not there', 'file:/nowhere'],
    ['a command that fails', 'command:false'],
    ['a secret that is too short', 'env:SHORT'],
  ])('is refused: %s', async (_name, source) => {
    const config = readConfig({
      ...good,
      data: await folder(),
      servers: { a: { command: 'x', secrets: { TOKEN: source } } },
    })
    await expect(openGate({ config, env: { SHORT: 'abc' } })).rejects.toMatchObject({
      code: 'CREDENTIAL_MISSING',
    })
  })

  it('reads secrets from files and commands', async () => {
    const where = await folder()
    await writeFile(join(where, 'token'), `${SECRET}\n`)
    for (const source of [`file:${where}/token`, `command:cat ${where}/token`]) {
      const server = { ...hostileServer(), secrets: { SECRET: source } }
      const client = await connect(await open({ bad: server }), 'bad', await holderWith({}))
      expect(textOf(await client.callTool({ name: 'echo', arguments: { how: 'plain' } }))).toBe(
        '[credential removed]',
      )
    }
  })
})
