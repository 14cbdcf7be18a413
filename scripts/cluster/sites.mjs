// The client's server with its relay, as it is run: on one machine with a folder, or several on a NATS cluster behind a balancer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { balance } from './balancer.mjs'
import { freePorts } from './free-ports.mjs'
import { natsNodes } from './nats.mjs'

const SERVER = join(import.meta.dirname, '../../apps/web/src/server/main.js')
const NODES = 3

/** @param {number} port @param {string} place a folder, or addresses of NATS @param {readonly string[]} hosts */
async function startServer(port, place, hosts) {
  const env = {
    ...{ PATH: process.env.PATH, PORT: String(port), KEYHOLE_PROXY: '1' },
    ...{ KEYHOLE_RELAY: place, KEYHOLE_HOSTS: hosts.join(',') },
  }
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  const ready = new Promise((resolve) =>
    child.stdout.on('data', (data) => {
      said += data
      if (said.includes('Its relay')) resolve(undefined)
      // It says so in the same breath. Without its relay it serves the client alone.
      else if (said.includes('Keyhole is at')) setTimeout(resolve, 500)
    }),
  )
  await Promise.race([ready, once(child, 'exit')])
  if (said.includes('Its relay')) return child
  child.kill('SIGKILL')
  throw new Error(`bench: the server has no relay; it said ${said}`)
}

/** One server, whose relay keeps everything in a folder. @param {string} folder */
export async function startSite(folder) {
  const [port = 0] = await freePorts(1)
  const child = await startServer(port, folder, [`localhost:${port}`])
  return {
    url: `http://localhost:${port}/`,
    relay: `http://localhost:${port}/relay`,
    close: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The NATS server that leads the records, by its number. @param {readonly string[]} servers */
async function leaderOf(servers) {
  const { connect } = await import('@nats-io/transport-node')
  const connection = await connect({ servers: [...servers], maxReconnectAttempts: -1, reconnectTimeWait: 50 })
  try {
    for (;;) {
      // Only a leader answers, so one that was killed is asked again until there is another one.
      const asked = connection.request('$JS.API.STREAM.INFO.keyhole_records', '', { timeout: 200 })
      const said = await asked.then((answer) => answer.json().cluster?.leader).catch(() => undefined)
      const leader = /\d+$/.exec(said ?? '')?.[0]
      if (leader !== undefined) return Number(leader)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  } finally {
    await connection.close()
  }
}

/**
 * Three NATS servers, relays on them, and a balancer in front.
 * @param {string} program nats-server @param {string} folder @param {number} count of relays
 */
export async function startRelays(program, folder, count) {
  const ports = await freePorts(2 * NODES + count + 1)
  const nodes = natsNodes(program, folder, ports.splice(0, 2 * NODES))
  const [balanced = 0] = ports.splice(0, 1)
  const place = nodes.map(({ address }) => `nats://${address}`).join(',')
  /** @type {Map<string, import('node:child_process').ChildProcess>} */
  const running = new Map()
  const startNode = async (/** @type {number} */ node) => {
    const child = await nodes[node]?.start()
    if (child) running.set(`nats ${node}`, child)
  }
  const startRelay = async (/** @type {number} */ at) => {
    const end = performance.now() + 60_000
    for (;;) {
      try {
        running.set(`relay ${at}`, await startServer(ports[at] ?? 0, place, [`localhost:${balanced}`]))
        return
      } catch (error) {
        // Servers that have just started need a moment to elect a leader.
        if (performance.now() > end) throw error
      }
    }
  }
  const kill = async (/** @type {string} */ name) => {
    const child = running.get(name)
    running.delete(name)
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await Promise.all(nodes.map((_, node) => startNode(node)))
  await Promise.all(ports.map((_, at) => startRelay(at)))
  const balancer = await balance(balanced, () => ports.filter((_, at) => running.has(`relay ${at}`)))
  const servers = nodes.map(({ address }) => address)
  return {
    url: `http://localhost:${balanced}/`,
    relay: `http://localhost:${balanced}/relay`,
    servers,
    leader: () => leaderOf(servers),
    startNode,
    startRelay,
    kill,
    close: async () => {
      balancer.close()
      await Promise.all([...running.keys()].map(kill))
    },
  }
}
