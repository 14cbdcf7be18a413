// What a server says while it carries out a call, and whom it reaches.
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../http/listen.ts'
import { openRemoteServer, readRemoteGate } from '../http/remote-server.ts'
import {
  connect,
  connectTo,
  holderWith,
  type Opened,
  open,
  owner,
  SECRET,
  textOf,
  VAULT,
} from '../test/parts.ts'
import { agentServer } from './agent-server.ts'

const program = fileURLToPath(new URL('../test/talking-server.mjs', import.meta.url))
const talking = (more: object = {}) => ({
  talking: { command: process.execPath, args: [program], paths: [], interactive: true, ...more },
})
const withSecret = { secrets: { SECRET: 'env:TOKEN' } }

/** A client, and all that it was told and asked. */
async function listener(opened: Opened, holder?: Awaited<ReturnType<typeof holderWith>>) {
  const client = await connect(opened, 'talking', holder ?? (await holderWith({ cmd: '/mcp' })), {
    era: 'legacy',
    onLink: async () => 'accept',
  })
  return { client, heard: hear(client) }
}

function hear(client: Client): unknown[] {
  const heard: unknown[] = []
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data))
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    heard.push(params.message)
    return { action: 'accept', content: { a: 'b' } }
  })
  return heard
}

const call = (client: Client, name: string) => client.callTool({ name, arguments: {} })
/** Goes to the server and back: what was said before, each of the agents has heard. */
const settled = async (...clients: readonly Client[]) => {
  for (const client of clients) await call(client, 'waiting')
}

describe('a server that may speak', () => {
  it('logs, asks and tells how far it is', async () => {
    const { client, heard } = await listener(await open(talking()))
    await call(client, 'log')
    expect(textOf(await call(client, 'ask'))).toBe('["accept",{"a":"b"}]')
    await expect.poll(() => heard).toEqual([{ said: 'hello ' }, 'hello '])
    const steps: unknown[] = []
    await client.callTool({ name: 'steps', arguments: {} }, { onprogress: (step) => steps.push(step) })
    await expect.poll(() => steps).toEqual([{ progress: 1, total: 2, message: 'hello ' }])
    // One who asked for no steps is told none.
    await call(client, 'steps')
  })

  it('gives no credential away by it', async () => {
    const { client, heard } = await listener(await open(talking(withSecret)))
    const steps: unknown[] = []
    for (const name of ['log', 'ask', 'steps'])
      await client.callTool({ name, arguments: {} }, { onprogress: (step) => steps.push(step) })
    await expect.poll(() => [heard.length, steps.length]).toEqual([2, 1])
    expect(JSON.stringify([heard, steps])).not.toContain(SECRET)
    expect(JSON.stringify([heard, steps])).toContain('[credential removed]')
  })

  it('reaches no one while several agents call', async () => {
    const opened = await open(talking())
    const [one, other] = [await listener(opened), await listener(opened)]
    const waiting = call(one.client, 'wait')
    await expect.poll(async () => textOf(await call(other.client, 'waiting'))).toBe('1')
    await call(other.client, 'log')
    expect(textOf(await call(other.client, 'ask'))).toBe('no answer')
    await waiting
    await settled(one.client, other.client)
    expect([...one.heard, ...other.heard]).toEqual([])
    // Then it does again.
    await call(other.client, 'log')
    await expect.poll(() => other.heard).toHaveLength(1)
    expect(one.heard).toEqual([])
  })

  it('reaches no one at a gate elsewhere', async () => {
    const { gate } = await open(talking())
    const listening = await listen({ gate, vault: VAULT, owners: [owner.did], port: 0 })
    onTestFinished(() => listening.close())
    const remote = await openRemoteServer(listening.url, await readRemoteGate(listening.url), 'talking')
    onTestFinished(() => remote.close())
    const holder = await holderWith({ cmd: '/mcp' })
    const client = await connectTo(() => agentServer(remote, { holder }), { onLink: async () => 'accept' })
    const heard = hear(client)
    await call(client, 'log')
    expect(textOf(await call(client, 'ask'))).toBe('no answer')
    expect(heard).toEqual([])
    expect(client.getServerCapabilities()?.resources?.subscribe).toBeUndefined()
  })
})

it('keeps a server that may not speak silent', async () => {
  const { client, heard } = await listener(await open(talking({ interactive: false })))
  await call(client, 'log')
  expect(textOf(await call(client, 'ask'))).toBe('no answer')
  await settled(client)
  expect(heard).toEqual([])
})

it('tells of changes of the resources that were granted, and of no others', async () => {
  const opened = await open(talking())
  const holder = await holderWith(
    { cmd: '/mcp/tools' },
    { cmd: '/mcp/resources/read', pol: [['==', '.uri', 'test://mine']] },
  )
  const { client, heard } = await listener(opened, holder)
  await client.subscribeResource({ uri: 'test://mine' })
  for (const uri of ['test://other', 'test://mine/../other'])
    await expect(client.subscribeResource({ uri })).rejects.toThrow()
  const other = await listener(opened)
  await call(other.client, 'change')
  await expect.poll(() => heard).toEqual(['test://mine'])
  expect(other.heard).toEqual([])
  await client.unsubscribeResource({ uri: 'test://mine' })
  await call(other.client, 'change')
  await settled(other.client, client)
  expect(heard).toEqual(['test://mine'])
})

it('asks no server what a person types', async () => {
  const opened = await open(talking())
  const { client } = await listener(opened)
  const answer = await client.complete({
    ref: { type: 'ref/prompt', name: 'x' },
    argument: { name: 'a', value: 'private' },
  })
  expect(answer.completion.values).toEqual([])
  expect(opened.logs).not.toContain('completed')
})
