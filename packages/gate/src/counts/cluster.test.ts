// Several gates that count together in a NATS cluster. Skipped without `nats-server`, which fails in CI.
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { container, delegation, invocation } from '../../../enclave/src/test/naive-tokens.ts'
import { type NatsServers, startNats } from '../../../relay/src/test/nats-servers.ts'
import type { GuardedService } from '../index.ts'
import { folder, type Opened, open, owner, stranger } from '../test/parts.ts'
import { recordingApi } from '../test/recording-api.ts'
import { toValue } from '../test/signed.ts'

const program = natsServer()
const GATES = 4
const grant = delegation(owner, stranger, { cmd: '/http' })

/** Where the servers are, as the configuration names them. */
async function addressesOf(servers: NatsServers, count: number): Promise<string[]> {
  const addresses = Array.from({ length: count }, async (_, node) => {
    const connection = await servers.connect(node)
    const address = connection.getServer()
    await connection.close()
    return address
  })
  return await Promise.all(addresses)
}

/** Gates with the same key, each with a folder. */
async function gates(servers: NatsServers, nodes: number, rules: object) {
  const api = await recordingApi()
  const services = { api: { url: api.url, private: true, methods: ['POST'], ...rules } }
  const cluster = { servers: await addressesOf(servers, nodes) }
  const opened: Opened[] = []
  let key: string | undefined
  for (let at = 0; at < GATES; at += 1) {
    const data = await folder()
    if (key !== undefined) {
      await mkdir(join(data, 'key'), { recursive: true })
      for (const name of ['key', 'approvals'])
        await cp(join(key, name), join(data, name), { recursive: true })
    }
    opened.push(
      await vi.waitFor(() => open({}, data, { services, cluster }), { timeout: 60_000, interval: 500 }),
    )
    key ??= data
  }
  const [first] = opened
  const { did } = first?.gate ?? { did: '' }
  expect(opened.every(({ gate }) => gate.did === did)).toBe(true)
  const sign = (args: object) =>
    container([
      grant,
      invocation(stranger, owner, [grant], {
        cmd: '/http/post',
        aud: did,
        exp: BigInt(Math.floor(Date.now() / 1_000) + 60),
        args: toValue({ service: 'api', path: '/x', ...args }),
      }),
    ])
  const call = async (at: number, token: string): Promise<string> => {
    const service: GuardedService | undefined = opened[at % GATES]?.gate.services.get('api')
    return await (service?.call(token) ?? Promise.reject(new Error('There is no service.'))).then(
      () => 'ok',
      ({ code }) => code,
    )
  }
  return { ...api, opened, sign, call }
}

/** How often each answer came. */
function counts(answers: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set(answers)].sort().map((one) => [one, answers.filter((each) => each === one).length]),
  )
}

async function started(count: number): Promise<NatsServers> {
  const servers = await startNats(program ?? '', count)
  onTestFinished(() => servers.end())
  return servers
}

describe.skipIf(program === undefined)('four gates of one cluster', () => {
  it('carry out one of 64 tries of a call', async () => {
    const { sign, call, requests } = await gates(await started(3), 3, {})
    const token = sign({})
    const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => call(at, token)))
    expect(counts(answers)).toEqual({ Replayed: 63, ok: 1 })
    expect(requests).toHaveLength(1)
  })

  it('never exceed a budget together', async () => {
    const budgets = [
      { per: 'month', calls: 30 },
      { per: 'month', sum: { of: '.body.amount', most: 50 } },
    ]
    const { sign, call, requests } = await gates(await started(3), 3, { budgets })
    let unanswered = 0
    // A cluster on a busy machine may take too long to answer. Then the call is refused, and can be made again.
    const pay = async (at: number): Promise<string> => {
      const answer = await call(at, sign({ body: { amount: 2, at } }))
      if (answer !== 'Unavailable') return answer
      unanswered += 1
      return await pay(at)
    }
    const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => pay(at)))
    const { ok = 0, ...others } = counts(answers)
    expect(Object.keys(others)).toEqual(['OverBudget'])
    expect(ok).toBeLessThanOrEqual(25)
    // What was written without an answer is used, but nothing was carried out.
    expect(ok + unanswered).toBeGreaterThanOrEqual(25)
    expect(requests).toHaveLength(ok)
  })

  it('never exceed a budget while the servers of the cluster are killed', async () => {
    const servers = await started(3)
    const { sign, call, requests } = await gates(servers, 3, { budgets: [{ per: 'month', calls: 40 }] })
    const answers: string[] = []
    let [at, isKilling] = [0, true]
    const kill = async () => {
      for (const node of [0, 1, 2]) {
        await vi.waitFor(() => expect(answers.length).toBeGreaterThan(node * 5), { timeout: 60_000 })
        await servers.kill(node)
        await servers.start(node)
        await servers.ready()
      }
      isKilling = false
    }
    const write = async () => {
      // Once nothing is killed any more, until the budget is used up.
      while (isKilling || answers.at(-1) !== 'OverBudget') {
        at += 1
        answers.push(await call(at, sign({ body: { at } })))
      }
    }
    await Promise.all([kill(), ...Array.from({ length: 4 }, write)])
    const { ok = 0, ...others } = counts(answers)
    expect(ok).toBeLessThanOrEqual(40)
    expect(ok).toBeGreaterThan(0)
    expect(Object.keys(others).filter((name) => !['OverBudget', 'Unavailable'].includes(name))).toEqual([])
    expect(requests).toHaveLength(ok)
  }, 300_000)

  it('without the cluster carry out nothing, say so, and go on when it is back', async () => {
    const servers = await started(1)
    const { sign, call, requests, opened } = await gates(servers, 1, {})
    const isReady = () => Promise.all(opened.map(({ gate }) => gate.isReady()))
    expect(await isReady()).toEqual([true, true, true, true])
    await servers.kill(0)
    expect(await call(0, sign({}))).toBe('Unavailable')
    expect(await isReady()).toEqual([false, false, false, false])
    expect(requests).toHaveLength(0)
    await servers.start(0)
    await vi.waitFor(async () => expect(await isReady()).toEqual([true, true, true, true]), {
      timeout: 30_000,
    })
    await vi.waitFor(async () => expect(await call(1, sign({ body: {} }))).toBe('ok'), { timeout: 30_000 })
  })
})

it('a gate is not opened without its cluster', async () => {
  const refused = expect(open({}, undefined, { cluster: { servers: ['127.0.0.1:1'] } })).rejects
  await refused.toMatchObject({ code: 'CLUSTER_FAILED' })
})

it('a login is not in the configuration', async () => {
  for (const servers of [['nats://user:pass@127.0.0.1:4222'], ['user:pass@127.0.0.1:4222']])
    await expect(open({}, undefined, { cluster: { servers } })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    })
})
