// Three NATS servers, gates and relays on loopback, each a process that can be killed, and a balancer in front of the gates and of the
// relays.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../suites.mjs'
import { balance } from './balancer.mjs'
import { freePorts } from './free-ports.mjs'
import { natsNodes } from './nats.mjs'

const KEYHOLE = join(root, 'packages/cli/dist/keyhole.js')
const NODES = 3

/**
 * @typedef {object} ClusterOptions
 * @property {string} [program] nats-server. Without it there is no NATS: one relay with a folder, and gates that count each for itself
 * @property {string} folder where everything is stored
 * @property {number} gates
 * @property {number} relays
 * @property {string} owner DID
 * @property {string} vault URL
 * @property {Record<string, unknown>} services of every gate, as in its configuration
 * @property {(gate: string) => string} [follow] a grant to the gate of this DID to read the owner's feed. Without it, gates know of no relay
 */

/** @param {ClusterOptions} options */
export async function startCluster({ program, folder, gates, relays, owner, vault, services, follow }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ports = await freePorts(2 * NODES + gates + relays + 2)
  const ofNodes = ports.splice(0, 2 * NODES)
  const nodes = program === undefined ? [] : natsNodes(program, folder, ofNodes)
  const servers = nodes.map(({ address }) => address)
  const [atGates = 0, atRelays = 0] = ports.splice(0, 2)
  const relayPorts = ports.splice(0, relays)
  const relayUrl = `http://127.0.0.1:${atRelays}/relay`
  /** @type {Map<string, import('node:child_process').ChildProcess>} */
  const running = new Map()

  /** @param {string} name @param {() => Promise<import('node:child_process').ChildProcess>} start */
  async function keep(name, start) {
    const child = await start()
    running.set(name, child)
    child.once('exit', () => running.get(name) === child && running.delete(name))
  }

  /** @param {string} name @param {'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'} signal */
  async function signal(name, signal) {
    const child = running.get(name)
    if (!child) throw new Error(`cluster: ${name} does not run`)
    const ended = signal.endsWith('P') || signal === 'SIGCONT' ? undefined : once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** @param {string[]} args @param {string} cwd */
  const keyhole = async (args, cwd = folder) => {
    const child = spawn(process.execPath, [KEYHOLE, ...args, '--json'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: join(folder, 'data') },
      stdio: ['ignore', 'pipe', process.env.KEYHOLE_CLUSTER_LOG ? 'inherit' : 'ignore'],
    })
    const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [''])])
    if (String(said).startsWith('{"url"')) return child
    child.kill()
    throw new Error(`cluster: keyhole ${args[0]} said ${said}`)
  }

  /** @param {number} at */
  const startRelay = (at) =>
    keep(`relay ${at}`, () =>
      keyhole([
        'relay',
        ...['--listen', `127.0.0.1:${relayPorts[at]}`, '--store', program === undefined ? 'folder' : 'nats'],
        ...servers.flatMap((each) => ['--nats', each]),
        ...['--host', `127.0.0.1:${atRelays}`, '--host', `127.0.0.1:${relayPorts[at]}`, '--owner', owner],
      ]),
    )
  /** @param {number} at */
  const startGate = (at) =>
    keep(`gate ${at}`, () =>
      keyhole(['gate', 'serve', '--listen', `127.0.0.1:${ports[at]}`], join(folder, `gate-${at}`)),
    )
  /** @param {number} node */
  const startNode = async (node) => {
    const start = nodes[node]?.start
    if (start) await keep(`nats ${node}`, start)
  }

  /** All gates have the key of the first. */
  async function configureGates() {
    for (let at = 0; at < gates; at += 1) {
      const own = join(folder, `gate-${at}`)
      mkdirSync(join(own, 'data'), { recursive: true, mode: 0o700 })
      const relay = follow && relays > 0 ? { relay: relayUrl, freshness: 15 } : {}
      const cluster = program === undefined ? {} : { cluster: { servers } }
      const config = { owners: [owner], vault, data: './data', services, ...cluster, ...relay }
      writeFileSync(join(own, 'keyhole-gate.json'), JSON.stringify(config), { mode: 0o600 })
      const [mine, first] = [join(own, 'data'), join(folder, 'gate-0/data')]
      if (at === 0) await introduce(own)
      else
        for (const name of ['key', 'approvals'])
          cpSync(join(first, name), join(mine, name), { recursive: true })
    }
  }

  /** Opens a gate once, so that it has a key, and gives it the grant to read the feed. @param {string} own */
  async function introduce(own) {
    const did = JSON.parse(await outputOf(['gate', 'check', '--json'], own)).did
    if (follow && relays > 0) await outputOf(['gate', 'add', '--relay', relayUrl, '--json'], own, follow(did))
  }

  /** @param {string[]} args @param {string} cwd @param {string} [input] */
  async function outputOf(args, cwd, input = '') {
    const child = spawn(process.execPath, [KEYHOLE, ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stdin.end(input)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`cluster: keyhole ${args.join(' ')} ended with ${code}: ${said}`)
    return said
  }

  await Promise.all(nodes.map((_, node) => startNode(node)))
  // Servers that have just started need a moment to elect a leader.
  await untilDone(configureGates)
  await untilDone(() => (relays > 0 ? startRelay(0) : undefined))
  await Promise.all(relayPorts.slice(1).map((_, at) => untilDone(() => startRelay(at + 1))))
  const balancers = [
    await balance(atRelays, () => relayPorts.filter((_, at) => running.has(`relay ${at}`))),
    await balance(atGates, () => ports.filter((_, at) => running.has(`gate ${at}`))),
  ]
  await Promise.all(Array.from({ length: gates }, (_, at) => untilDone(() => startGate(at))))

  return {
    /** The balancers' addresses. */
    gate: `http://127.0.0.1:${atGates}`,
    relay: relayUrl,
    gates: ports.map((port) => `http://127.0.0.1:${port}`),
    relays: relayPorts.map((port) => `http://127.0.0.1:${port}/relay`),
    servers,
    signal,
    /** @param {string} name such as `gate 0` */
    pid: (name) => running.get(name)?.pid,
    startNode,
    startGate,
    startRelay,
    async close() {
      for (const balancer of balancers) balancer.close()
      await Promise.all([...running.keys()].map((name) => signal(name, 'SIGKILL')))
    },
  }
}

/** @template T @param {() => T | Promise<T>} work @returns {Promise<T>} */
async function untilDone(work) {
  const end = performance.now() + 60_000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

/** Whether the command was built. */
export const isBuilt = () => existsSync(KEYHOLE)
