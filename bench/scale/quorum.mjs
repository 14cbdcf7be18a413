// How soon gates carry out calls again once most NATS servers are back. Two of three are killed, so that every call is refused with 503; then both
// are started. Four gates are called without a pause.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, didOf, follow, grant, owner, send } from '../../scripts/cluster/calls.mjs'
import { startCluster } from '../../scripts/cluster/cluster.mjs'
import { natsServer } from '../../scripts/cluster/nats-server.mjs'
import { expect, median } from '../measure.mjs'

const GATES = 4
const NODES = 3
const ROUNDS = Number(process.env.KEYHOLE_ROUNDS ?? 20)
/** Callers of each gate, so that one of them calls soon after the cluster is back. */
const CALLERS = 4
/** How often it is looked whether the claims have a leader, in milliseconds. */
const BETWEEN = 20

/** When the stream of claims has a leader, as a server says that has most others. @param {readonly string[]} servers */
async function leaderAt(servers) {
  const { connect } = await import('@nats-io/transport-node')
  const { jetstreamManager } = await import('@nats-io/jetstream')
  const connection = await connect({ servers: [...servers], maxReconnectAttempts: -1, reconnectTimeWait: 50 })
  try {
    const manager = await jetstreamManager(connection, { timeout: 250, checkAPI: false })
    for (;;) {
      const info = await manager.streams.info('keyhole_claims').catch(() => undefined)
      if (info?.cluster?.leader) return performance.now()
      await new Promise((resolve) => setTimeout(resolve, BETWEEN))
    }
  } finally {
    await connection.close()
  }
}

/** When a gate first carries out a call, which is refused until then. @param {string} gate @param {string} did */
async function carriedOutAt(gate, did) {
  const one = grant()
  let done = Number.POSITIVE_INFINITY
  const calls = Array.from({ length: CALLERS }, async () => {
    while (done === Number.POSITIVE_INFINITY) {
      const answer = await send(gate, call(did, one))
      if (answer === 'ok') done = Math.min(done, performance.now())
      else expect(answer === 'Unavailable', `a gate answered ${answer}`)
    }
  })
  await Promise.any(calls)
  const at = done
  return { at, ended: Promise.all(calls) }
}

/** Every gate refuses with 503, and says when to try again. @param {readonly string[]} gates @param {string} did */
async function allRefuse(gates, did) {
  const answers = gates.map(async (gate) => {
    const headers = { authorization: `Bearer ${call(did, grant())}` }
    const { status, headers: said } = await fetch(`${gate}/http/api`, { method: 'POST', headers })
    expect(status === 503 && said.has('retry-after'), `a gate answered ${status} without the cluster`)
  })
  await Promise.all(answers)
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const program = natsServer()
  if (program === undefined) return []
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const api = createServer((_request, response) => response.end('done'))
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${Object(api.address()).port}`
  const cluster = await startCluster({
    ...{ program, folder, gates: GATES, relays: 1, owner: owner.did, vault: 'https://vault.example' },
    services: { api: { url, private: true } },
    follow,
  })
  try {
    const did = await didOf(cluster.gate)
    for (const gate of cluster.gates)
      while ((await send(gate, call(did, grant()))) !== 'ok')
        await new Promise((resolve) => setTimeout(resolve, 100))
    /** @type {number[]} */
    const [afterQuorum, afterStart] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      const dead = [round % NODES, (round + 1) % NODES]
      for (const node of dead) await cluster.signal(`nats ${node}`, 'SIGKILL')
      await allRefuse(cluster.gates, did)
      const back = cluster.gates.map((gate) => carriedOutAt(gate, did))
      const begun = performance.now()
      await Promise.all(dead.map((node) => cluster.startNode(node)))
      const leader = await leaderAt(cluster.servers)
      const gates = await Promise.all(back)
      const last = Math.max(...gates.map(({ at }) => at))
      await Promise.all(gates.map(({ ended }) => ended))
      afterQuorum.push(Math.max(0, last - leader))
      afterStart.push(last - begun)
    }
    const worst = (/** @type {number[]} */ values) => Math.max(...values)
    return [
      {
        title: `From most NATS servers being back until the last of ${GATES} gates carries out a call`,
        note: `${ROUNDS} times, two of three servers killed each time, in turn. Quorum is when the stream of claims has a leader again: NATS takes that long to elect one. Bar: 3 s after it. Without the cluster every gate answered 503 with Retry-After.`,
        rows: [
          { name: 'from the quorum, median', unit: 'ms', value: median(afterQuorum) },
          { name: 'from the quorum, worst', unit: 'ms', value: worst(afterQuorum) },
          { name: 'from the start of the two servers, median', unit: 'ms', value: median(afterStart) },
          { name: 'from the start of the two servers, worst', unit: 'ms', value: worst(afterStart) },
        ],
      },
    ]
  } finally {
    await cluster.close()
    api.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
