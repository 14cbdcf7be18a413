// NATS JetStream, as one server and as a cluster of three. Skipped without `nats-server` (CONTRIBUTING.md).
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { BOUNDS, type Bounds } from '../bounds.ts'
import { type NatsServers, startNats } from '../test/nats-servers.ts'
import { Cluster } from './nats/cluster.ts'
import { readPage } from './nats/streams.ts'
import { natsStore } from './nats-store.ts'
import { keepsAsStore, revocation } from './store.contract.ts'
import { type Hint, type RelayStore, StoreError } from './store.ts'

const program = natsServer()

/** Small bounds: a cluster reserves the full size of its streams. */
const SMALL = {
  ...BOUNDS,
  ownRevocations: 100,
  revocations: 1_000,
  messageBytes: 16 << 20,
  recordBytes: 64 << 20,
  reportBytes: 16 << 20,
}

/** Opens a store once newly started servers have found each other. */
const opened = (...[connection, options]: Parameters<typeof natsStore>) =>
  vi.waitFor(() => natsStore(connection, options), { timeout: 60_000, interval: 200 })

async function place(count: number) {
  if (program === undefined) throw new Error('There is no nats-server.')
  const servers = await startNats(program, count)
  const connections = [await servers.connect(), await servers.connect()]
  let stores = 0
  return {
    open: async (bounds: Partial<Bounds> = {}) => {
      stores += 1
      const connection = connections[stores % 2]
      if (!connection) throw new Error('There is no connection.')
      return opened(connection, { bounds: { ...SMALL, ...bounds }, replicas: count, timeout: 20_000 })
    },
    isShared: true,
    isExact: false,
    isTimed: true,
    end: async () => {
      for (const connection of connections) await connection.close()
      await servers.end()
    },
  }
}

describe.skipIf(program === undefined)('with NATS', () => {
  keepsAsStore('one NATS server', () => place(1))
  keepsAsStore('a NATS cluster', () => place(3))

  describe('a cluster that loses servers', () => {
    let servers: NatsServers
    let store: RelayStore
    let close: () => Promise<void>

    beforeAll(async () => {
      servers = await startNats(program ?? '', 3)
      const connection = await servers.connect()
      close = () => connection.close()
      store = await opened(connection, { bounds: SMALL, replicas: 3, timeout: 2_000 })
    })
    afterAll(async () => {
      await store?.close()
      await close?.()
      await servers?.end()
    })

    it('reads no messages where there are none, as from a replica that lags', async () => {
      const connection = await servers.connect()
      const cluster = await Cluster.connect({
        ...{ connection, replicas: 3, name: 'keyhole', timeout: 2_000 },
        bounds: { ...BOUNDS, ...SMALL },
      })
      const query = { seq: 1, batch: 10, next_by_subj: 'keyhole_revocations.none.*.*' }
      expect(await readPage(cluster, 'keyhole_revocations', query)).toEqual([])
      cluster.close()
      await connection.close()
    })

    it('has a revocation at every server as soon as it was acknowledged', async () => {
      const subject = 'did:key:everywhere'
      const connections = await Promise.all([0, 1, 2].map((node) => servers.connect(node)))
      const stores = await Promise.all(
        connections.map((each) => opened(each, { bounds: SMALL, replicas: 3, timeout: 2_000 })),
      )
      let seq = 0
      for (let round = 0; round < 60; round += 1) {
        const one = revocation({ subject, until: null, isReserved: true })
        expect(await stores[round % 3]?.addRevocation(one)).toBe('added')
        // A replica may not have it yet.
        const found = await Promise.all(
          Array.from({ length: 12 }, (_, at) => stores[at % 3]?.revocationsSince(subject, seq, 10)),
        )
        for (const each of found) expect(each?.map(({ cid }) => cid)).toEqual([one.cid])
        seq = found[0]?.[0]?.seq ?? 0
      }
      for (const each of stores) await each.close()
      for (const each of connections) await each.close()
    })

    it('has every acknowledged revocation and record after each of its servers was killed', async () => {
      const [subject, account] = ['did:key:owner', 'did:key:account']
      const acknowledged: string[] = []
      const appendedRecords: string[] = []
      for (let node = 0; node < 3; node += 1) {
        const running = { isOver: false }
        const adding = (async () => {
          while (!running.isOver) {
            const one = revocation({ subject, until: null, isReserved: true })
            // Without an answer it may or may not be stored.
            const added = await store.addRevocation(one).catch(() => undefined)
            if (added === 'added') acknowledged.push(one.cid)
            const record = new TextEncoder().encode(one.cid)
            const appended = await store.appendRecord({ account, record }).catch(() => undefined)
            if (appended?.result === 'appended' || appended?.result === 'known') appendedRecords.push(one.cid)
            if (acknowledged.length >= 30 * (node + 1)) return
          }
        })()
        await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(30 * node + 5), {
          timeout: 60_000,
        })
        await servers.kill(node)
        await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(30 * (node + 1)), {
          timeout: 60_000,
        })
        running.isOver = true
        await adding
        await servers.start(node)
        await servers.ready()
      }
      await vi.waitFor(
        async () => {
          const cids = (await store.revocationsSince(subject, 0, 10_000)).map(({ cid }) => cid)
          expect(new Set(cids).size).toBe(cids.length)
          expect(acknowledged.filter((cid) => !cids.includes(cid))).toEqual([])
          const records = await store.recordsFrom(account, 1, 10_000)
          const texts = records.map(({ record }) => new TextDecoder().decode(record))
          expect(new Set(texts).size).toBe(texts.length)
          expect(appendedRecords.filter((cid) => !texts.includes(cid))).toEqual([])
        },
        { timeout: 60_000 },
      )
    })

    it('answers each call that comes while a leader is missing, as soon as there is another one', async () => {
      const [account, mailbox] = ['did:key:waiting', 'did:key:waiting-mailbox']
      const connection = await servers.connect()
      const patient = await opened(connection, { bounds: SMALL, replicas: 3, timeout: 10_000 })
      await patient.openMailbox(mailbox, Date.now())
      const cluster = await Cluster.connect({
        ...{ connection, replicas: 3, name: 'keyhole', timeout: 2_000 },
        bounds: { ...BOUNDS, ...SMALL },
      })
      const info = await cluster.jsm.streams.info('keyhole_records')
      const leader = Number(/\d+$/.exec(info.cluster?.leader ?? '')?.[0])
      cluster.close()
      await servers.kill(leader)
      const begun = performance.now()
      const elected = (async () => {
        const ask = '$JS.API.STREAM.MSG.GET.keyhole_records'
        const answers = () => connection.request(ask, '{"seq":1}', { timeout: 200 })
        while (!(await answers().catch(() => undefined)));
        return performance.now() - begun
      })()
      const reads = Array.from({ length: 100 }, async (_, at) => {
        await patient.recordsFrom(`did:key:reader-${at}`, 1, 1)
        return performance.now() - begun
      })
      const record = new Uint8Array(100).fill(7)
      const one = revocation({ subject: account, until: null, isReserved: true })
      const answers = await Promise.all([
        patient.appendRecord({ account, record }),
        patient.addRevocation(one),
        patient.putMessage(mailbox, record, Date.now()),
        patient.openMailbox('did:key:other-mailbox', Date.now()),
        patient.hasRevoked(account, []),
      ])
      // The same record may have been stored before its answer got lost.
      expect(['appended', 'known']).toContain(Object(answers[0]).result)
      expect(['added', 'known']).toContain(answers[1])
      expect(answers.slice(2)).toEqual(['stored', 'open', false])
      // Those that wait don't keep each other from asking again.
      expect(Math.max(...(await Promise.all(reads)))).toBeLessThan((await elected) + 3_000)
      expect(await patient.recordsFrom(account, 1, 10)).toEqual([{ place: 1, record }])
      expect(await patient.revocationsSince(account, 0, 10)).toMatchObject([{ cid: one.cid }])
      expect((await patient.readMailbox(mailbox, Date.now()))?.message).toEqual(record)
      await servers.start(leader)
      await servers.ready()
      await patient.close()
      await connection.close()
    })

    it('says that hints were missed after it was cut off, and sends its own last ones again', async () => {
      const [cutOff, other] = [await servers.connect(0), await servers.connect(1)]
      const stores = await Promise.all(
        [cutOff, other].map((each) => opened(each, { bounds: SMALL, replicas: 3, timeout: 10_000 })),
      )
      const heard: Hint[][] = [[], []]
      for (const [at, each] of stores.entries()) each.watch((hint) => heard[at]?.push(hint))
      const record = new Uint8Array(1)
      await stores[0]?.appendRecord({ account: 'did:key:before', record })
      await vi.waitFor(() => expect(heard[1]).toContainEqual({ account: 'did:key:before' }))
      for (const hints of heard) hints.length = 0
      await servers.kill(0)
      // Not awaited: it may take an election, and hints are sent again for ten seconds only.
      const meanwhile = stores[1]?.appendRecord({ account: 'did:key:meanwhile', record })
      await servers.start(0)
      await vi.waitFor(() => expect(heard[0]).toContainEqual({ missed: true }), { timeout: 30_000 })
      await vi.waitFor(() => expect(heard[1]).toContainEqual({ account: 'did:key:before' }), {
        timeout: 5_000,
      })
      await servers.ready()
      await meanwhile
      for (const each of stores) await each.close()
      for (const each of [cutOff, other]) await each.close()
    })

    it('rejects every call once most servers are gone', async () => {
      await servers.kill(0)
      await servers.kill(1)
      const record = new Uint8Array(1)
      for (const write of [
        () => store.addRevocation(revocation()),
        () => store.appendRecord({ account: 'did:key:account', record }),
        () => store.openMailbox('did:key:mailbox', Date.now()),
      ])
        await expect(write()).rejects.toThrow(StoreError)
      // The leader of a stream goes on answering reads until it notices that it is alone.
      for (const read of [
        () => store.lastSeq('did:key:owner'),
        () => store.revocationsSince('did:key:owner', 0, 100),
        () => store.recordsFrom('did:key:account', 1, 10),
        () => store.readMailbox('did:key:mailbox', Date.now()),
      ])
        await vi.waitFor(async () => await expect(read()).rejects.toThrow(StoreError), { timeout: 60_000 })
    })
  })

  it('refuses a stream of another purpose', async () => {
    const servers = await startNats(program ?? '', 1)
    const connection = await servers.connect()
    const { jetstreamManager } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name: 'keyhole_revocations', subjects: ['other.*'] })
    await expect(natsStore(connection, { bounds: SMALL })).rejects.toThrow(StoreError)
    await connection.close()
    await servers.end()
  })
})
