// NATS JetStream, as one server and as a cluster of three. Skipped without `nats-server`; fails in CI without it.
import { describe, expect, it, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { hasForgetfulDisks } from '../../../relay/src/test/forgetful-disk.ts'
import { type NatsServers, startNats } from '../../../relay/src/test/nats-servers.ts'
import { countsBudgets, type KillableBudgets } from '../budgets/budget-store.contract.ts'
import { mustBeThere } from '../test/programs.ts'
import { claimsOnce, type Killable, staysMadeOnce } from './claim-store.contract.ts'
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
    const manager = await jetstreamManager(connection, { timeout: 2_000, checkAPI: false })
    return await vi.waitFor(
      async () => {
        const { cluster } = await manager.streams.info(name)
        // One server has no cluster, so no leader. A cluster in which most died has none for a while.
        const [number] = /\d+$/.exec(cluster ? (cluster.leader ?? '') : '0') ?? []
        if (number === undefined) throw new Error('There is no leader.')
        return Number(number)
      },
      { timeout: 60_000, interval: 100 },
    )
  } finally {
    await connection.close()
  }
}

/** Leaders that were killed: how many in all, and how many of them while another server caught up. */
interface Killed {
  leaders: number
  catchingUp: number
}

/** Kills the server that leads the stream, and starts it again. */
async function killLeader(servers: NatsServers, count: number, name: string, killed: Killed): Promise<void> {
  const leader = await leaderOf(servers, name)
  const node = leader < count ? leader : 0
  await servers.kill(node)
  killed.leaders += 1
  await servers.start(node)
  await servers.ready()
}

/** Whether a server still lacks some of a stream, as its leader says. */
async function lacksSome(servers: NatsServers, name: string, node: number, leader: number): Promise<boolean> {
  const { jetstreamManager } = await import('@nats-io/jetstream')
  const connection = await servers.connect(leader)
  try {
    const manager = await jetstreamManager(connection, { timeout: 2_000, checkAPI: false })
    const { cluster } = await manager.streams.info(name)
    const [replica] = (cluster?.replicas ?? []).filter((each) => each.name === `node${node}`)
    return replica !== undefined && (!replica.current || replica.offline === true || (replica.lag ?? 0) > 0)
  } catch {
    // Without an answer it isn't known, so it doesn't count.
    return false
  } finally {
    await connection.close()
  }
}

/** How many claims the others make while a server is away, so that it has much to catch up with. */
const MISSED = 200

/** How long that may take, in milliseconds. It takes a second or two. */
const BUSY = 40_000

/**
 * Kills the server that leads the stream, then the next leader while the first one catches up: then most servers are the one that has all claims,
 * and the one that lacks some. @param written how many claims were made so far
 */
async function killWhileCatchingUp(
  servers: NatsServers,
  name: string,
  written: () => number,
  isEarly: boolean,
  killed: Killed,
): Promise<void> {
  const first = await leaderOf(servers, name)
  await servers.kill(first)
  killed.leaders += 1
  const before = written()
  const hasMissed = () => expect(written()).toBeGreaterThan(before + MISSED)
  const isBusy = await vi.waitFor(hasMissed, { timeout: BUSY }).then(
    () => true,
    () => false,
  )
  // Servers that are as slow as this to agree on a leader are not tried further: whether they go on is up to NATS. That nothing is made twice still holds.
  if (!isBusy) {
    await servers.start(first)
    return await servers.ready()
  }
  const second = await leaderOf(servers, name)
  expect(second).not.toBe(first)
  // Before it has read its own disk, or once it is among the others again.
  const starting = servers.start(first)
  if (!isEarly) await starting
  const isBehind = isEarly || (await lacksSome(servers, name, first, second))
  await servers.kill(second)
  killed.leaders += 1
  if (isBehind) killed.catchingUp += 1
  await starting
  await servers.start(second)
  await servers.ready()
}

async function place(count: number, isForgetful = false) {
  if (program === undefined) throw new Error('There is no nats-server.')
  const servers = await startNats(program, count, isForgetful)
  const connections = [await servers.connect(), await servers.connect()]
  let stores = 0
  const open = async (name: string) => {
    stores += 1
    const connection = connections[stores % 2]
    if (!connection) throw new Error('There is no connection.')
    return await opened(connection, { replicas: count, name, timeout: 5_000, most: 5_000_000 })
  }
  /** Two stores of a stream in turn. @param kill given how many claims were made */
  const inTurn = async (
    kill: (written: () => number) => Promise<void>,
    close: () => void = () => {},
  ): Promise<Killable & KillableBudgets> => {
    const [one, two] = [await open('killed'), await open('killed')]
    let [calls, written] = [0, 0]
    const next = () => {
      calls += 1
      return calls % 2 ? one : two
    }
    return {
      async claim(cid, until, now) {
        const isFirst = await next().claim(cid, until, now)
        if (isFirst) written += 1
        return isFirst
      },
      spend: (spends, now) => next().spend(spends, now),
      kill: () => kill(() => written),
      close: async () => close(),
    }
  }
  let kills = 0
  const killed: Killed = { leaders: 0, catchingUp: 0 }
  /** Tells how many leaders were killed. A round in which the servers are too slow kills one, and none that another one needs. */
  const tellKilled = () => {
    const { leaders, catchingUp } = killed
    const meanwhile = count > 1 ? `, ${catchingUp} of them while another server caught up` : ''
    console.log(
      `NATS, ${count} server${count > 1 ? 's' : ''}${isForgetful ? ' on forgetful disks' : ''}: ${leaders} leaders killed${meanwhile}`,
    )
    const wanted = Number(process.env.KEYHOLE_KILLS ?? 0)
    expect(leaders).toBeGreaterThanOrEqual(wanted)
    if (count > 1) expect(catchingUp).toBeGreaterThanOrEqual(wanted / 2)
  }
  return {
    servers,
    open: () => open('claims'),
    isShared: true,
    killable: () =>
      inTurn(async (written) => {
        kills += 1
        if (count === 1) await killLeader(servers, count, 'killed', killed)
        else await killWhileCatchingUp(servers, 'killed', written, kills % 2 === 0, killed)
      }, tellKilled),
    /** Budgets, whose leader is killed. */
    killableBudgets: () => inTurn(() => killLeader(servers, count, 'killed_budgets', killed)),
    /** All servers lose their power at once. */
    blackout: () =>
      inTurn(async () => {
        const nodes = Array.from({ length: count }, (_, node) => node)
        await Promise.all(nodes.map(servers.kill))
        await Promise.all(nodes.map(servers.start))
        await servers.ready()
      }),
    kills: 3,
    end: async () => {
      for (const connection of connections) await connection.close()
      await servers.end()
    },
  }
}

if (program !== undefined && !hasForgetfulDisks())
  console.log(
    'Skipped: NATS on disks that forget what was not synced. They need root on Linux, loop devices, mkfs.ext4 and Perl.',
  )

describe.skipIf(program === undefined)('with NATS', () => {
  claimsOnce('one NATS server', () => place(1))
  claimsOnce('a NATS cluster', () => place(3))
  for (const [name, count] of [
    ['one NATS server', 1],
    ['a NATS cluster', 3],
  ] as const)
    countsBudgets(name, async () => {
      const opened = await place(count)
      return { ...opened, killable: opened.killableBudgets }
    })

  describe.skipIf(!hasForgetfulDisks())('on disks that forget what was not synced', () => {
    const kills = Number(process.env.KEYHOLE_KILLS ?? 2)
    it.each([
      ['its leader, and the next one while it catches up', 'killable'],
      ['the whole cluster', 'blackout'],
    ] as const)(
      'claims are never made twice when a power failure hits %s',
      async (_name, way) => {
        const { end, ...cluster } = await place(3, true)
        try {
          const store = await cluster[way]()
          await staysMadeOnce(store, kills)
          await store.close()
        } finally {
          await end()
        }
      },
      600_000 + kills * 20_000,
    )
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

  it('refuses a stream that keeps less than was asked for', async () => {
    const servers = await startNats(program ?? '', 1)
    const connection = await servers.connect()
    const { jetstreamManager, StorageType } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection)
    await natsClaims(connection, OPTIONS)
    await expect(natsClaims(connection, { ...OPTIONS, replicas: 3 })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('1 of 3 servers'),
    })
    const { config } = await manager.streams.info('keyhole_claims')
    await manager.streams.delete('keyhole_claims')
    await manager.streams.add({ ...config, storage: StorageType.Memory })
    await expect(natsClaims(connection, OPTIONS)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await connection.close()
    await servers.end()
  })
})
