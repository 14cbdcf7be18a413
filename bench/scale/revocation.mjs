// From a revocation that is posted until the last of four gates refuses the grant's calls: with one relay that stores things in a folder,
// and with two relays that share a NATS cluster, posted at one and the other in turn. Each gate is called without a pause.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, didOf, follow, grant, owner, revocation, send } from '../../scripts/cluster/calls.mjs'
import { startCluster } from '../../scripts/cluster/cluster.mjs'
import { natsServer } from '../../scripts/cluster/nats-server.mjs'
import { expect, median } from '../measure.mjs'

const GATES = 4
const WARM = 5
const ROUNDS = Number(process.env.KEYHOLE_ROUNDS ?? 100)

/** @param {string} gate @param {string} did @param {ReturnType<typeof grant>} one @returns when it refused, in milliseconds */
async function refusal(gate, did, one) {
  for (;;) {
    const answer = await send(gate, call(did, one))
    if (answer === 'Revoked') return performance.now()
    expect(answer === 'ok', `a gate answered ${answer}`)
  }
}

/** @param {string | undefined} program @param {number} relays */
async function measure(program, relays) {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const api = createServer((_request, response) => response.end('done'))
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${Object(api.address()).port}`
  const cluster = await startCluster({
    ...(program !== undefined && { program }),
    folder,
    gates: GATES,
    relays,
    owner: owner.did,
    vault: 'https://vault.example',
    services: { api: { url, private: true } },
    follow,
  })
  try {
    const did = await didOf(cluster.gate)
    for (const gate of cluster.gates) {
      const one = grant()
      while ((await send(gate, call(did, one))) !== 'ok') await new Promise((done) => setTimeout(done, 100))
    }
    const waits = []
    for (let round = 0; round < WARM + ROUNDS; round += 1) {
      const one = grant()
      const relay = cluster.relays[round % relays]
      const begun = performance.now()
      const refused = cluster.gates.map((gate) => refusal(gate, did, one))
      const posted = await fetch(`${relay}/revocations`, { method: 'POST', body: revocation(one) })
      expect(posted.status === 201, `a revocation was answered ${posted.status}`)
      const last = Math.max(...(await Promise.all(refused)))
      if (round >= WARM) waits.push(last - begun)
    }
    const sorted = waits.toSorted((a, b) => a - b)
    return {
      median: median(waits),
      late: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
      worst: sorted.at(-1),
    }
  } finally {
    await cluster.close()
    api.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const program = natsServer()
  const alone = await measure(undefined, 1)
  const shared = program === undefined ? undefined : await measure(program, 2)
  return [
    {
      title: `From a revocation that is posted until the last of ${GATES} gates refuses`,
      note: `${ROUNDS} revocations. The slowest took ${alone.worst?.toFixed(0)} ms with a folder${shared ? `, and ${shared.worst?.toFixed(0)} ms with NATS` : '; there is no nats-server'}. All run on this machine and are called without a pause. Bars: 300 ms for 99 of 100, 100 ms with NATS.`,
      better: /** @type {const} */ ('less'),
      rows: [
        { name: 'one relay with a folder, median', unit: 'ms', value: alone.median },
        { name: 'one relay with a folder, 99 of 100', unit: 'ms', value: alone.late },
        ...(shared
          ? [
              { name: 'two relays and NATS, median', unit: 'ms', value: shared.median },
              { name: 'two relays and NATS, 99 of 100', unit: 'ms', value: shared.late },
            ]
          : []),
      ],
    },
  ]
}
