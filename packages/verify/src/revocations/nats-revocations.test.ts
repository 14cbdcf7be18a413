// NATS JetStream, as one server and as a cluster of three. Skipped without `nats-server`; fails in CI without it.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { type NatsServers, startNats } from '../../../relay/src/test/nats-servers.ts'
import { owner } from '../test/calls.ts'
import { remembersRevocations } from '../test/revocation-store.contract.ts'
import { natsRevocations } from './nats-revocations.ts'

const program = natsServer()

/** Opens a store once newly started servers have found each other. */
const opened = (...[connection, options]: Parameters<typeof natsRevocations>) =>
  vi.waitFor(() => natsRevocations(connection, options), { timeout: 60_000, interval: 200 })

async function place(count: number) {
  const servers = await startNats(program ?? '', count)
  const connections = [await servers.connect(), await servers.connect()]
  const nodes = Array.from({ length: count }, (_, node) => node)
  let stores = 0
  /** How far the clocks were moved, in milliseconds. */
  let later = 0
  const open = async (name: string, most?: number) => {
    stores += 1
    const connection = connections[stores % 2]
    if (!connection) throw new Error('There is no connection.')
    return await opened(connection, {
      ...{ replicas: count, name: `revoked_${name}`, timeout: 5_000, clocks: [() => Date.now() + later] },
      most: most ?? 16 << 20,
    })
  }
  return {
    open,
    isShared: true,
    async killable() {
      const [one, two] = [await open('killed'), await open('killed')]
      let [adds, kills] = [0, 0]
      return {
        store: {
          async add(revocation: Parameters<typeof one.add>[0]) {
            adds += 1
            return await (adds % 2 ? one : two).add(revocation)
          },
          async kill() {
            kills += 1
            const node = kills % count
            await servers.kill(node)
            await servers.start(node)
            await servers.ready()
          },
          async close() {
            await one.close()
            await two.close()
          },
        },
        reopen: () => open('killed'),
      }
    },
    kills: 3,
    async cutOff() {
      await Promise.all(nodes.map(servers.kill))
      later += 26_000
      return async () => {
        await Promise.all(nodes.map(servers.start))
        await servers.ready()
      }
    },
    end: async () => {
      for (const connection of connections) await connection.close()
      await servers.end()
    },
  }
}

async function started(count: number): Promise<NatsServers> {
  const servers = await startNats(program ?? '', count)
  onTestFinished(() => servers.end())
  return servers
}

describe.skipIf(program === undefined)('with NATS', () => {
  remembersRevocations('one NATS server', () => place(1))
  remembersRevocations('a NATS cluster', () => place(3))

  it('start over if their stream was replaced, and forget nothing', async () => {
    const servers = await started(1)
    const connection = await servers.connect()
    const store = await natsRevocations(connection, { most: 1 << 20 })
    const revocation = (name: string) => ({
      ...{ cid: `of ${name}`, revokes: name, by: [owner.did], revocation: `C${name}`, quota: undefined },
    })
    for (const name of ['a', 'b', 'c']) await store.add(revocation(name))
    const { jetstreamManager } = await import('@nats-io/jetstream')
    await (await jetstreamManager(connection)).streams.delete('keyhole_revoked')
    const other = await natsRevocations(connection, { most: 1 << 20 })
    // In the new stream it has a number that the old one had too.
    await other.add(revocation('d'))
    const found = (name: string) => store.find(owner.did, [{ cid: name, issuer: owner.did }])
    await vi.waitFor(async () => expect(await found('d')).toEqual(['Cd']), { timeout: 60_000 })
    expect(await found('a')).toEqual(['Ca'])
    for (const each of [store, other]) await each.close()
    await connection.close()
  })

  it('are unknown while there is a message that no verifier wrote', async () => {
    const servers = await started(1)
    const connection = await servers.connect()
    let later = 0
    const errors: unknown[] = []
    const store = await natsRevocations(connection, {
      ...{ most: 1 << 20, clocks: [() => Date.now() + later], onError: (error) => void errors.push(error) },
    })
    expect(await store.find(owner.did, [])).toEqual([])
    const { jetstream } = await import('@nats-io/jetstream')
    await jetstream(connection).publish('keyhole_revoked.owner.junk', '{"revokes": 1}')
    connection.publish('keyhole_revoked_hints')
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), { timeout: 60_000 })
    later = 26_000
    expect(() => store.find(owner.did, [])).toThrow(expect.objectContaining({ code: 'REVOCATIONS_UNKNOWN' }))
    await expect(natsRevocations(connection, { most: 1 << 20 })).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
    await store.close()
    await connection.close()
  })

  it('refuses a stream of another purpose, and one that keeps less than was asked for', async () => {
    const servers = await started(1)
    const connection = await servers.connect()
    const { jetstreamManager, StorageType } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection)
    const small = { most: 1 << 20 }
    await manager.streams.add({ name: 'keyhole_revoked', subjects: ['other.*'] })
    await expect(natsRevocations(connection, small)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await manager.streams.delete('keyhole_revoked')
    await (await natsRevocations(connection, small)).close()
    await expect(natsRevocations(connection, { ...small, replicas: 3 })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('1 of 3 servers'),
    })
    const { config } = await manager.streams.info('keyhole_revoked')
    await manager.streams.delete('keyhole_revoked')
    await manager.streams.add({ ...config, storage: StorageType.Memory })
    await expect(natsRevocations(connection, small)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    for (const freshness of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(natsRevocations(connection, { ...small, freshness })).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
    await connection.close()
  })
})
