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
/** Every fourth time the servers are gone for so long that the gates have given up on the relay, in milliseconds. */
const LONG = 20_000
const ROUNDS = Number(process.env.KEYHOLE_ROUNDS ?? 20)
/** Callers of each gate, so that one of them calls soon after the cluster is back. */
const CALLERS = 4
/** Between two writes of the bare client, and how long each of them is waited for, in milliseconds. */
const BETWEEN = 20
const PATIENCE = 250

/**
 * When most servers store again: a bare client's message in the stream of claims is acknowledged, which takes most of them, and the stream of
 * revocations answers. A leader alone is not enough. One that was not killed still leads, and one that was just elected can lose the next vote.
 * @param {readonly string[]} servers
 */
async function quorumAt(servers) {
  const { connect, nuid } = await import('@nats-io/transport-node')
  const connection = await connect({ servers: [...servers], maxReconnectAttempts: -1, reconnectTimeWait: 50 })
  const isAnswered = async (/** @type {string} */ subject, text = '') => {
    const answer = await connection.request(subject, text, { timeout: 10_000 })
    return answer.data.length > 0 && Object(answer.json().error).code !== 503
  }
  /** Asks until there is an answer, also while an earlier question has none. @param {() => Promise<boolean>} ask */
  const answeredAt = async (ask) => {
    let at = 0
    while (at === 0) {
      const asked = ask().then((answers) => {
        if (answers && at === 0) at = performance.now()
      })
      await Promise.race([asked.catch(() => {}), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
      await new Promise((resolve) => setTimeout(resolve, BETWEEN))
    }
    return at
  }
  try {
    const stored = answeredAt(() => isAnswered(`keyhole_claims.${nuid.next()}`))
    const last = JSON.stringify({ last_by_subj: 'keyhole_revocations.>' })
    const read = answeredAt(() => isAnswered('$JS.API.STREAM.MSG.GET.keyhole_revocations', last))
    return Math.max(await stored, await read)
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
      if (round % 4 === 3) await new Promise((resolve) => setTimeout(resolve, LONG))
      const back = cluster.gates.map((gate) => carriedOutAt(gate, did))
      const begun = performance.now()
      await Promise.all(dead.map((node) => cluster.startNode(node)))
      const quorum = await quorumAt(cluster.servers)
      const gates = await Promise.all(back)
      const last = Math.max(...gates.map(({ at }) => at))
      await Promise.all(gates.map(({ ended }) => ended))
      afterQuorum.push(Math.max(0, last - quorum))
      afterStart.push(last - begun)
    }
    const worst = (/** @type {number[]} */ values) => Math.max(...values)
    return [
      {
        title: `From most NATS servers being back until the last of ${GATES} gates carries out a call`,
        note: `${ROUNDS} times, two of three servers killed each time, in turn, every fourth time for ${LONG / 1_000} s. Quorum is when a bare client's message in the stream of claims is acknowledged and the stream of revocations answers: NATS takes that long to elect leaders and to catch up. Bar: 3 s after it. Without the cluster every gate answered 503 with Retry-After.`,
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
