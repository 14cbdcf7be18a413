// What one call costs each part, in processor time: a check in a program's own thread, and a call of an HTTP API through a gate that
// counts in a folder, and through one that counts in a NATS cluster. All calls have one proof, and come 64 at a time.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileEnclave } from '@keyhole/enclave'
import { createVerifier, memoryClaims, memoryRevocations } from '@keyhole/verify'
import { call, didOf, follow, grant, owner, send } from '../../scripts/cluster/calls.mjs'
import { startCluster } from '../../scripts/cluster/cluster.mjs'
import { natsServer } from '../../scripts/cluster/nats-server.mjs'
import { expect, median, usedBy } from '../measure.mjs'

const CALLS = 1_000
const ROUNDS = 5
const MANY = 64

/** @param {readonly string[]} tokens @param {(token: string) => Promise<unknown>} work */
async function all(tokens, work) {
  let at = 0
  const lane = async () => {
    for (let token = tokens[at++]; token !== undefined; token = tokens[at++]) await work(token)
  }
  await Promise.all(Array.from({ length: MANY }, lane))
}

/** Each round has calls of its own. @param {string} to */
const signed = (to) => {
  const one = grant()
  return Array.from({ length: CALLS }, () => call(to, one))
}

/** A check in this thread, in milliseconds of processor time. */
async function check() {
  const audience = 'did:web:service.example'
  const module = await compileEnclave()
  const [replay, revocations] = [memoryClaims(), memoryRevocations()]
  const verifier = await createVerifier({ subject: owner.did, audience, replay, revocations, module })
  const taken = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const tokens = signed(audience)
    const before = process.cpuUsage()
    await all(tokens, async (token) => expect((await verifier.check(token)).authorized, 'a call was refused'))
    const { user, system } = process.cpuUsage(before)
    if (round > 0) taken.push((user + system) / 1_000 / CALLS)
  }
  await verifier.close?.()
  return median(taken)
}

/** Processor time of each process for a call through a gate. @param {string | undefined} program */
async function gate(program) {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const api = createServer((_request, response) => response.end('done'))
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${Object(api.address()).port}`
  const services = { api: { url, private: true, concurrency: 1_000 } }
  const cluster = await startCluster({
    ...(program !== undefined && { program }),
    ...{ folder, gates: 1, relays: 0, owner: owner.did, vault: 'https://vault.example', services, follow },
  })
  const [at = ''] = cluster.gates
  const names = ['gate 0', ...(program === undefined ? [] : ['nats 0', 'nats 1', 'nats 2'])]
  try {
    const did = await didOf(at)
    /** @type {Record<string, number[]>} */
    const taken = Object.fromEntries(names.map((name) => [name, []]))
    for (let round = 0; round <= ROUNDS; round += 1) {
      const tokens = signed(did)
      const before = names.map((name) => usedBy(cluster.pid(name)))
      await all(tokens, async (token) => {
        const answer = await send(at, token)
        expect(answer === 'ok', `the gate answered ${answer}`)
      })
      for (const [index, name] of names.entries())
        if (round > 0) taken[name]?.push((usedBy(cluster.pid(name)) - (before[index] ?? 0)) / CALLS)
    }
    const ofNats = names.slice(1).map((name) => median(taken[name] ?? []))
    return { gate: median(taken['gate 0'] ?? []), nats: ofNats.reduce((sum, each) => sum + each, 0) }
  } finally {
    await cluster.close()
    api.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const program = natsServer()
  const alone = await gate(undefined)
  const shared = program === undefined ? undefined : await gate(program)
  return [
    {
      title: 'Processor time of a call with one proof',
      note: 'Of all threads of a process, without the caller and the API. From /proc, which counts in hundredths of a second.',
      rows: [
        { name: "a check in the service's own thread, claims in memory", unit: 'ms', value: await check() },
        { name: 'a gate that counts in a folder', unit: 'ms', value: alone.gate },
        ...(shared
          ? [
              { name: 'a gate that counts in NATS', unit: 'ms', value: shared.gate },
              { name: 'the three NATS servers together', unit: 'ms', value: shared.nats },
            ]
          : []),
      ],
    },
  ]
}
