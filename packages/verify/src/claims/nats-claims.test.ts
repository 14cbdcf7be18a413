// NATS JetStream, as one server and as a cluster of three. Skipped without `nats-server`; fails in CI without it.
import { describe, expect, it, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { type NatsServers, startNats } from '../../../relay/src/test/nats-servers.ts'
import { mustBeThere } from '../test/programs.ts'
import { countsBudgets, type KillableBudgets } from './budget-store.contract.ts'
import { claimsOnce, type Killable } from './claim-store.contract.ts'
import { natsClaims } from './nats-claims.ts'

const program = natsServer()
const OPTIONS = { most: 100_000 }

it.runIf(mustBeThere('nats-server'))('nats-server is installed (CONTRIBUTING.md)', () => {
  expect(program).toBeDefined()
})

/** Opens a store once newly started servers have found each other. */
const opened = (...[connection, options]: Parameters<typeof natsClaims>) =>
  vi.waitFor(() => natsClaims(connection, { ...OPTIONS, ...options }), { timeout: 60_000, interval: 200 })

/** The server that leads a stream. */
async function leaderOf(servers: NatsServers, name: string): Promise<number> {
  const { jetstreamManager } = await import('@nats-io/jetstream')
  const connection = await servers.connect()
  try {
    const manager = await jetstreamManager(connection, { timeout: 2_000 })
    const info = await vi.waitFor(() => manager.streams.info(name), { timeout: 60_000, interval: 100 })
    return Number(/\d+$/.exec(info.cluster?.leader ?? '0')?.[0] ?? 0)
  } finally {
    await connection.close()
  }
}

/** Kills the server that leads the stream, and starts it again. */
async function killLeader(servers: NatsServers, count: number, name: string): Promise<void> {
  const leader = await leaderOf(servers, name)
  const node = leader < count ? leader : 0
  await servers.kill(node)
  await servers.start(node)
  await servers.ready()
}

async function place(count: number) {
  if (program === undefined) throw new Error('There is no nats-server.')
  const servers = await startNats(program, count)
  const connections = [await servers.connect(), await servers.connect()]
  let stores = 0
  const open = async (name: string) => {
    stores += 1
    const connection = connections[stores % 2]
    if (!connection) throw new Error('There is no connection.')
    return await opened(connection, { replicas: count, name, timeout: 5_000 })
  }
  const killable = async (stream = 'killed'): Promise<Killable & KillableBudgets> => {
    const [one, two] = [await open('killed'), await open('killed')]
    let calls = 0
    const next = () => {
      calls += 1
      return calls % 2 ? one : two
    }
    return {
      claim: (cid, until, now) => next().claim(cid, until, now),
      spend: (spends, now) => next().spend(spends, now),
      kill: () => killLeader(servers, count, stream),
      close: async () => {},
    }
  }
  return {
    open: () => open('claims'),
    isShared: true,
    killable,
    kills: 3,
    end: async () => {
      for (const connection of connections) await connection.close()
      await servers.end()
    },
  }
}

describe.skipIf(program === undefined)('with NATS', () => {
  claimsOnce('one NATS server', () => place(1))
  claimsOnce('a NATS cluster', () => place(3))
  for (const [name, count] of [
    ['one NATS server', 1],
    ['a NATS cluster', 3],
  ] as const)
    countsBudgets(name, async () => {
      const opened = await place(count)
      return { ...opened, killable: () => opened.killable('killed_budgets') }
    })

  it('a cluster without most of its servers claims nothing, and continues when they are back', async () => {
    const servers = await startNats(program ?? '', 3)
    const connection = await servers.connect()
    const store = await opened(connection, { replicas: 3, timeout: 1_000 })
    const [now, until] = [Math.floor(Date.now() / 1_000), Math.floor(Date.now() / 1_000) + 3_600]
    expect(await store.claim('one', until, now)).toBe(true)
    // A remaining leader would still know that the first one was used, and say so.
    const leader = await leaderOf(servers, 'keyhole_claims')
    const other = (leader + 1) % 3
    await servers.kill(leader)
    await servers.kill(other)
    await expect(store.claim('one', until, now)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await expect(store.claim('two', until, now)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await servers.start(leader)
    await servers.start(other)
    await servers.ready()
    await vi.waitFor(async () => expect(await store.claim('one', until, now)).toBe(false), {
      timeout: 60_000,
    })
    await connection.close()
    await servers.end()
  }, 180_000)

  it('a full stream claims nothing, and forgets nothing', async () => {
    const servers = await startNats(program ?? '', 1)
    const connection = await servers.connect()
    const store = await opened(connection, { most: 2 })
    const [now, until] = [Math.floor(Date.now() / 1_000), Math.floor(Date.now() / 1_000) + 3_600]
    expect(await store.claim('one', until, now)).toBe(true)
    expect(await store.claim('two', until, now)).toBe(true)
    await expect(store.claim('three', until, now)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(await store.claim('one', until, now)).toBe(false)
    await connection.close()
    await servers.end()
  })

  it('refuses a stream of another purpose', async () => {
    const servers = await startNats(program ?? '', 1)
    const connection = await servers.connect()
    const { jetstreamManager } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name: 'keyhole_claims', subjects: ['other.*'] })
    await expect(natsClaims(connection, OPTIONS)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await connection.close()
    await servers.end()
  })
})
