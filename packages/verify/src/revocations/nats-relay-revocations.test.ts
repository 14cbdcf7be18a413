// The feed of a real relay's store, read where it is stored. Skipped without `nats-server`; fails in CI without it.
import { BOUNDS, type RelayStore } from '@keyhole/relay'
import { natsStore } from '@keyhole/relay/nats'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { type NatsServers, startNats } from '../../../relay/src/test/nats-servers.ts'
import {
  callUnder,
  closeSharedEnclave,
  delegation,
  friend,
  makeVerifier,
  owner,
  revocationText,
  stranger,
  type Token,
} from '../test/calls.ts'
import { natsRelayRevocations, type OpenFeed } from './nats-relay-revocations.ts'

const program = natsServer()
/** Small bounds: a cluster reserves the full size of its streams. */
const bounds = {
  ...BOUNDS,
  ...{ ownRevocations: 1_000, revocations: 2_000, messageBytes: 16 << 20 },
  ...{ recordBytes: 64 << 20, reportBytes: 16 << 20 },
}
const options = { owner: owner.did, timeout: 5_000 }
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
const unknown = expect.objectContaining({ code: 'REVOCATIONS_UNKNOWN' })

describe.skipIf(program === undefined)("a relay's store in a NATS cluster", () => {
  let servers: NatsServers
  let connection: NatsConnection
  let store: RelayStore
  const feeds: OpenFeed[] = []
  beforeAll(async () => {
    servers = await startNats(program ?? '', 3)
    connection = await servers.connect()
  })
  afterAll(async () => {
    for (const feed of feeds) feed.close()
    await store?.close()
    await connection?.close()
    await servers?.end()
    await closeSharedEnclave()
  })
  const open = async (more: object = {}) => {
    const feed = await natsRelayRevocations(connection, { ...options, ...more })
    feeds.push(feed)
    return feed
  }
  /** What a relay stores for a revocation that it has checked. */
  const post = (grant: Token, subject = owner.did, until: number | null = null) =>
    store.addRevocation({
      ...{ id: `of ${grant.cid}`, by: [subject], subject, quota: undefined, cid: grant.cid },
      ...{ revocation: revocationText(owner, grant), until, isReserved: true },
    })
  const find = (feed: OpenFeed, { cid }: Token) => feed.find(owner.did, [{ cid, issuer: owner.did }])

  it('is not there before a relay has started', async () => {
    await expect(open()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    store = await vi.waitFor(() => natsStore(connection, { bounds, replicas: 3, timeout: 5_000 }), {
      timeout: 60_000,
      interval: 200,
    })
    expect(await (await open({ replicas: 3 })).find(owner.did, [])).toEqual([])
  })

  it('ends a grant at every service, also one that is started later', async () => {
    const [one, two] = [await open(), await open()]
    const verifiers = await Promise.all([one, two].map((revocations) => makeVerifier({ revocations })))
    const grant = delegation(owner, friend)
    for (const verifier of verifiers) expect((await verifier.check(callUnder(grant))).authorized).toBe(true)
    expect(await post(grant)).toBe('added')
    for (const verifier of [...verifiers, await makeVerifier({ revocations: await open() })])
      await eventually(async () =>
        expect(await verifier.check(callUnder(grant))).toMatchObject({ refusal: { name: 'Revoked' } }),
      )
    expect((await verifiers[0]?.check(callUnder(delegation(owner, friend))))?.authorized).toBe(true)
    await expect(verifiers[0]?.revoke(revocationText(owner, grant))).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })

  it("has all pages of the owner's, and nothing of another's", async () => {
    const grants = Array.from({ length: 900 }, () => delegation(owner, friend))
    const others = [delegation(owner, friend), delegation(owner, friend)]
    const early = await open()
    for (const other of others) await post(other, stranger.did)
    for (let at = 0; at < grants.length; at += 100)
      await Promise.all(grants.slice(at, at + 100).map((each) => post(each)))
    const late = await open()
    for (const feed of [early, late]) {
      await eventually(() => {
        for (const grant of grants) expect(find(feed, grant)).toHaveLength(1)
      })
      for (const other of others) expect(find(feed, other)).toEqual([])
      expect(() => feed.find(stranger.did, [])).toThrow(unknown)
    }
  })

  it('goes on when what it read last has expired', async () => {
    const feed = await open()
    const [short, next] = [delegation(owner, friend), delegation(owner, friend)]
    await post(short, owner.did, Date.now() + 1_000)
    await eventually(() => expect(find(feed, short)).toHaveLength(1))
    await eventually(async () =>
      expect(await store.revocationsSince(owner.did, 0, 10_000)).not.toContainEqual(
        expect.objectContaining({ cid: short.cid }),
      ),
    )
    await post(next)
    await eventually(() => expect(find(feed, next)).toHaveLength(1))
  })

  it('is unknown once it was closed, or the cluster has lost most of its servers, until they are back', async () => {
    const closed = await open()
    closed.close()
    expect(() => closed.find(owner.did, [])).toThrow(unknown)
    let later = 0
    const errors: unknown[] = []
    const feed = await open({
      ...{ timeout: 1_000, clocks: [() => Date.now() + later] },
      onError: (error: unknown) => void errors.push(error),
    })
    const passes = () => {
      later += 26_000
      connection.publish('keyhole_hints')
    }
    passes()
    await eventually(() => expect(feed.find(owner.did, [])).toEqual([]))
    await Promise.all([servers.kill(0), servers.kill(1)])
    // A leader that was left alone may answer until it notices.
    await eventually(() => {
      connection.publish('keyhole_hints')
      expect(errors.length).toBeGreaterThan(0)
    })
    passes()
    await eventually(() => expect(errors.length).toBeGreaterThan(2))
    expect(() => feed.find(owner.did, [])).toThrow(unknown)
    await Promise.all([servers.start(0), servers.start(1)])
    await servers.ready()
    await eventually(() => expect(feed.find(owner.did, [])).toEqual([]))
  })

  it('is refused if the relay keeps it on fewer servers than asked for, or if it is something else', async () => {
    await expect(open({ replicas: 5 })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('3 of 5 servers'),
    })
    await expect(open({ name: 'nowhere' })).rejects.toMatchObject({ code: 'STORE_FAILED' })
    const { jetstreamManager } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name: 'odd_revocations', subjects: ['odd.*'] })
    await expect(open({ name: 'odd' })).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })
})
