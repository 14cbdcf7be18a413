// What a gate adds to an MCP tool call: an agent's server with its grant and the gate, compared with a plain proxy of the SDK, each in
// front of its own echo server. Calls run one after another, in turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentServer, openGate, readConfig } from '@keyhole/gate'
import { createHolder, memoryStore } from '@keyhole/holder'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { text } from '../../vectors/generate/container.mjs'
import { alice } from '../../vectors/generate/keys.mjs'
import { delegate } from '../../vectors/generate/token.mjs'
import { expect, median } from '../measure.mjs'

const CALLS = 400
const ROUNDS = 5
const CALL = { name: 'echo', arguments: { path: '/home/me/notes/today.txt' } }
const ECHO = { command: process.execPath, args: [join(import.meta.dirname, 'echo-server.mjs')] }

/** A client of a server in this process. @param {() => Server | Promise<Server>} factory */
async function clientOf(factory) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  serveStdio(factory, { transport: far })
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(near)
  return client
}

async function bareProxy() {
  const upstream = new Client({ name: 'proxy', version: '1.0.0' })
  await upstream.connect(new StdioClientTransport(ECHO))
  const client = await clientOf(() => {
    const server = new Server({ name: 'proxy', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => upstream.request({ method: 'tools/list' }))
    server.setRequestHandler('tools/call', ({ params }) => upstream.request({ method: 'tools/call', params }))
    return server
  })
  return { client, close: () => upstream.close() }
}

async function guarded() {
  const data = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const servers = { echo: { ...ECHO, paths: [] } }
  // As `keyhole mcp` opens it: the agent and the gate share a process.
  const gate = await openGate({
    checks: 'here',
    config: readConfig({ owners: [alice.did], vault: 'https://vault.example', data, servers }),
  })
  const holder = createHolder({ store: memoryStore() })
  const pol = [
    ['==', '.name', 'echo'],
    ['like', '.arguments.path', '/home/me/notes/*'],
  ]
  await holder.add(text([delegate({ from: alice, to: await holder.did(), cmd: '/mcp/tools/call', pol })]))
  const server = gate.servers.get('echo')
  if (!server) throw new Error('bench: the gate has no server')
  const client = await clientOf(() => agentServer(server, { holder }))
  return {
    client,
    async close() {
      await gate.close()
      rmSync(data, { recursive: true })
    },
  }
}

/** @returns {Promise<import('./measure.mjs').Figure[]>} */
export async function figures() {
  const contenders = { ours: await guarded(), bare: await bareProxy() }
  /** @type {Record<string, number[]>} */
  const taken = { ours: [], bare: [] }
  /** @type {Record<string, number[]>} */
  const worked = { ours: [], bare: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, { client }] of Object.entries(contenders)) {
      const of = []
      const before = process.cpuUsage()
      for (let call = 0; call < CALLS; call += 1) {
        const start = performance.now()
        const { isError, content } = await client.callTool(CALL)
        of.push(performance.now() - start)
        expect(!isError && JSON.stringify(content).includes('notes'), `${name} did not echo`)
      }
      const { user, system } = process.cpuUsage(before)
      if (round === 0) continue
      taken[name]?.push(median(of))
      worked[name]?.push((user + system) / CALLS / 1_000)
    }
  }
  for (const { client, close } of Object.values(contenders)) {
    await client.close()
    await close()
  }
  const [ours, bare] = [median(taken.ours ?? []), median(taken.bare ?? [])]
  const [work, bareWork] = [median(worked.ours ?? []), median(worked.bare ?? [])]
  return [
    {
      title: 'A call of an MCP tool through a gate, one after another',
      note: `The gate adds ${(ours - bare).toFixed(2)} ms to the median call, and ${(work - bareWork).toFixed(2)} ms of processor time: signing, checking, a claim on disk and a signed receipt. Most of the rest is the disk.`,
      better: 'less',
      rows: [
        { name: 'signed, checked, remembered, with a receipt', unit: 'ms', value: ours },
        { name: "a bare proxy of the SDK's", unit: 'ms', value: bare },
      ],
    },
    {
      title: 'Processor time of such a call, with all threads but without the server',
      better: 'less',
      rows: [
        { name: 'signed, checked, remembered, with a receipt', unit: 'ms', value: work },
        { name: "a bare proxy of the SDK's", unit: 'ms', value: bareWork },
      ],
    },
  ]
}
