// All servers of a gate as one: for an agent, and at the gate's own address.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { container } from '../../../enclave/src/test/naive-tokens.ts'
import { listen } from '../http/listen.ts'
import {
  codeOf,
  connectTo,
  everythingServer,
  grantTo,
  holderWith,
  hostileServer,
  type Opened,
  open,
  owner,
  receipts,
  textOf,
  VAULT,
} from '../test/parts.ts'
import { signedCall } from '../test/signed.ts'
import { agentServer } from './agent-server.ts'
import type { GuardedServer } from './guarded-server.ts'
import { joinServers } from './joined-servers.ts'

const MISSING = { command: '/nowhere', paths: [] }

function joined({ gate }: Opened) {
  const [first, ...more] = gate.servers.values()
  if (!first) throw new Error('There is no server.')
  return joinServers<GuardedServer>(first, ...more)
}

it('shows an agent the tools of all servers that can be reached, and calls exactly the one that was named', async () => {
  const opened = await open({ bad: hostileServer(), all: everythingServer(), gone: MISSING })
  const pol = [
    [
      'or',
      [
        ['==', '.name', 'echo'],
        ['==', '.server', 'all'],
      ],
    ],
  ] as never
  const holder = await holderWith({ pol }, { cmd: '/mcp/prompts/get' })
  const client = await connectTo(() => agentServer(joined(opened), { holder }))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['bad__echo', 'all__echo', 'all__get-sum', 'keyhole_ask']))
  expect(names.every((name) => /^(?:bad__echo|all__.+|keyhole_ask)$/.test(name))).toBe(true)
  expect(textOf(await client.callTool({ name: 'all__echo', arguments: { message: 'hi' } }))).toContain('hi')
  expect(textOf(await client.callTool({ name: 'bad__echo', arguments: { how: 'x' } }))).toBe('{"how":"x"}')
  const [prompt] = (await client.listPrompts()).prompts
  expect(prompt?.name).toMatch(/^all__/)
  const lines = await receipts(opened)
  expect(lines.map(({ server, name }) => [server, name])).toEqual([
    ['all', 'echo'],
    ['bad', 'echo'],
  ])
  for (const name of ['echo', 'gone__', 'none__echo', 'bad_echo', '__echo', ''])
    expect(codeOf(await client.callTool({ name, arguments: {} }).catch(() => ({})))).not.toBe('NoGrant')
  expect(await receipts(opened)).toHaveLength(2)
})

it('asks for a tool of the server that was named', async () => {
  const opened = await open({ bad: hostileServer(), other: hostileServer() })
  const holder = await holderWith()
  const client = await connectTo(() => agentServer(joined(opened), { holder }), {
    onLink: async (link) => {
      const request = JSON.parse(Buffer.from(link.split('request-1.')[1] ?? '', 'base64url').toString())
      expect(request).toMatchObject({
        policy: [
          ['==', '.server', 'other'],
          ['==', '.name', 'echo'],
          ['==', '.arguments.how', 'x'],
        ],
        reason: 'To call echo of other',
      })
      await holder.add(container([await grantTo(holder, { pol: request.policy })]))
      return 'accept'
    },
  })
  expect(textOf(await client.callTool({ name: 'other__echo', arguments: { how: 'x' } }))).toBe('{"how":"x"}')
  expect((await receipts(opened)).map(({ server }) => server)).toEqual(['other'])
})

it('never shows or calls a tool under a name that two servers could have', async () => {
  const fake = (name: string, tools: readonly string[]) =>
    ({
      name,
      list: async () => tools.map((tool) => ({ name: tool })),
      onChange() {},
    }) as unknown as GuardedServer
  const servers = joinServers(
    fake('a', ['b__c', '_c', 'c']),
    fake('a__b', ['c', '']),
    fake('a_', ['c', '_c']),
  )
  const names = (await servers.list('tools', [])).map(({ name }) => String(name))
  expect(new Set(names).size).toBe(names.length)
  const meant = names.map((name) => {
    const { server, name: tool } = servers.pick(name) ?? {}
    return [name, server?.name, tool]
  })
  expect(meant).toEqual([
    ['a__c', 'a', 'c'],
    ['a__b__c', 'a__b', 'c'],
    ['a__b__', 'a__b', ''],
    ['a___c', 'a_', 'c'],
    ['a____c', 'a_', '_c'],
  ])
})

it('gives an agent the resources of all servers, each from the one that lists it or has a template for it', async () => {
  const opened = await open({ bad: hostileServer(), all: everythingServer() })
  const holder = await holderWith({ cmd: '/mcp/resources/read', pol: [['==', '.server', 'all']] as never })
  const client = await connectTo(() => agentServer(joined(opened), { holder }))
  const [first] = (await client.listResources()).resources
  expect((await client.listResourceTemplates()).resourceTemplates).not.toEqual([])
  for (const uri of [String(first?.uri), 'demo://resource/dynamic/text/1'])
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ uri, text: expect.any(String) })
  for (const uri of ['demo://nowhere', 'file:///etc/passwd', ''])
    await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { error: 'UnknownServer' } })
  expect((await receipts(opened)).map(({ server }) => server)).toEqual(['all', 'all'])
}, 60_000)

it('gives no resource that two servers could have', async () => {
  const fake = (name: string, uris: readonly string[], templates: readonly string[]) =>
    ({
      name,
      list: async (kind: string) =>
        kind === 'templates'
          ? templates.map((uriTemplate) => ({ uriTemplate }))
          : uris.map((uri) => ({ uri })),
      onChange() {},
    }) as unknown as GuardedServer
  const servers = joinServers(
    fake('a', ['x://1', 'x://2'], ['y://{id}', 'z://a/{id}', '{all}']),
    fake('b', ['x://2', 'x://3', 'z://a/1'], ['y://{other}', 'v://{id}']),
  )
  expect((await servers.list('resources', [])).map(({ uri }) => uri)).toEqual(['x://1', 'x://3', 'z://a/1'])
  const serverOf = async (uri: string) =>
    (
      await servers
        .argsOf?.('/mcp/resources/read', { uri }, async () => [])
        .catch(({ code }) => ({ server: code }))
    )?.server
  expect(await Promise.all(['x://1', 'x://3', 'z://a/1', 'z://a/2', 'v://1'].map(serverOf))).toEqual([
    ...['a', 'b', 'b', 'a', 'b'],
  ])
  for (const uri of ['x://2', 'y://1', 'w://1', '']) expect(await serverOf(uri), uri).toBe('UnknownServer')
})

it('asks again whose a resource is, after a few seconds and with other grants', async () => {
  const lists = new Map([
    ['a', ['x://1']],
    ['b', []],
  ])
  let asked = 0
  const fake = (name: string) =>
    ({
      name,
      async list(kind: string, grants: readonly string[]) {
        if (kind === 'templates') return []
        asked += 1
        const uris = [...(lists.get(name) ?? []), ...grants.filter((each) => each.startsWith(`${name}=`))]
        return uris.map((uri) => ({ uri: uri.replace(/^.=/, '') }))
      },
      onChange() {},
    }) as unknown as GuardedServer
  const servers = joinServers(fake('a'), fake('b'))
  const serverOf = async (grants: readonly string[] = []) =>
    (
      await servers
        .argsOf?.('/mcp/resources/read', { uri: 'x://1' }, async () => grants)
        .catch(({ code }) => ({ server: code }))
    )?.server
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  expect([await serverOf(), await serverOf()]).toEqual(['a', 'a'])
  expect(asked).toBe(2)
  expect(await serverOf(['b=x://1'])).toBe('UnknownServer')
  expect(await serverOf()).toBe('a')
  lists.set('b', ['x://1'])
  now.mockReturnValue(10_000)
  // No one waits for a list because the last one is old.
  expect(await serverOf()).toBe('a')
  await vi.waitFor(async () => expect(await serverOf()).toBe('UnknownServer'))
})

/** Servers with these resources, whose lists are given when `answer` is called. */
function slowServers(...uris: string[]) {
  const waiting: ((isGiven: boolean) => void)[] = []
  const asked: string[] = []
  const changes: (() => void)[] = []
  const servers = uris.map((uri, at) => ({
    name: `s${at}`,
    async list(kind: string) {
      asked.push(`s${at} ${kind}`)
      const isGiven = await new Promise((resolve) => {
        waiting.push(resolve)
      })
      if (!isGiven) throw new Error('It is busy.')
      return kind === 'templates' ? [{ uriTemplate: `${uri}/{id}` }] : [{ uri }]
    },
    onChange: (tell: () => void) => void changes.push(tell),
  })) as unknown as [GuardedServer, ...GuardedServer[]]
  const joined = joinServers(...servers)
  const serverOf = async (uri: string) =>
    (
      await joined
        .argsOf?.('/mcp/resources/read', { uri }, async () => [])
        .catch(({ code }) => ({ server: code }))
    )?.server
  /** Gives the lists asked for, except those of the servers that fail. */
  const answer = async (...failing: number[]) => {
    await vi.waitFor(() => expect(waiting).toHaveLength(uris.length))
    for (const [at, give] of waiting.splice(0).entries()) give(!failing.includes(at))
  }
  const change = () => {
    for (const tell of changes) tell()
  }
  return { serverOf, answer, asked, change }
}

it('asks for one list for all reads at the same time', async () => {
  const { serverOf, answer, asked } = slowServers('x://1', 'x://2')
  const reads = Promise.all(['x://1', 'x://2', 'x://1', 'x://2/3', 'x://2/4'].map(serverOf))
  await answer()
  await answer()
  expect(await reads).toEqual(['s0', 's1', 's0', 's1', 's1'])
  expect(asked).toEqual(['s0 resources', 's1 resources', 's0 templates', 's1 templates'])
})

it('waits for no list while it knows whose a resource is, and still knows it when a server gives none', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  const { serverOf, answer, asked, change } = slowServers('x://1', 'x://2')
  const first = serverOf('x://1')
  await answer()
  expect(await first).toBe('s0')
  now.mockReturnValue(10_000)
  expect(await Promise.all(['x://1', 'x://2', 'x://1'].map(serverOf))).toEqual(['s0', 's1', 's0'])
  expect(asked).toHaveLength(4)
  const unknown = serverOf('x://3')
  await answer(1)
  await answer(1)
  expect(await unknown).toBe('UnknownServer')
  expect(asked).toHaveLength(6)
  expect(await serverOf('x://2')).toBe('s1')
  expect(asked).toHaveLength(6)
  change()
  expect(await serverOf('x://2')).toBe('s1')
  expect(asked).toHaveLength(8)
})

it('fails if no server can be reached', async () => {
  const opened = await open({ gone: MISSING, lost: MISSING })
  await expect(joined(opened).kinds()).rejects.toMatchObject({ code: 'SERVER_FAILED' })
})

it('is served at one address, where the name of a call says which server', async () => {
  const opened = await open({ bad: hostileServer(), other: hostileServer() })
  const listener = await listen({ gate: opened.gate, vault: VAULT, owners: [owner.did], port: 0 })
  onTestFinished(() => listener.close())
  const versionNegotiation = { mode: { pin: '2026-07-28' } } as const
  const client = new Client({ name: 'x', version: '1' }, { versionNegotiation })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${listener.url}/mcp`)))
  onTestFinished(() => client.close())
  const call = (name: string, server: string) => {
    const args = { server, name: 'echo', arguments: { how: 'x' } }
    const token = signedCall(opened.gate.did, '/mcp/tools/call', args, { command: '/mcp' })
    const params = { name, _meta: { 'keyhole/invocation': token } }
    return client.request({ method: 'tools/call', params }, z.looseObject({}))
  }
  expect(textOf(await call('other__echo', 'other'))).toBe('{"how":"x"}')
  for (const [name, server] of [
    ['bad__echo', 'other'],
    ['echo', 'bad'],
    ['none__echo', 'bad'],
  ] as const)
    await expect(call(name, server)).rejects.toMatchObject({ data: { error: 'UnknownServer' } })
  expect((await client.listTools()).tools).toEqual([])
  expect(client.getServerCapabilities()).not.toHaveProperty('resources')
  const done = (await receipts(opened)).filter(({ outcome }) => outcome === 'ok')
  expect(done.map(({ server }) => server)).toEqual(['other'])
})
