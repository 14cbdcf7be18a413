// Revocations that a relay stores in NATS, read without asking a relay. The relay has checked each one's signature and authority, and is the
// only one who writes; the verifier checks them again.
import { createHash } from 'node:crypto'
import { jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { VerifyError } from '../errors.ts'
import { Freshness } from '../stores/freshness.ts'
import { orStoreError, storeErrors } from '../stores/nats-calls.ts'
import { NatsFeed } from '../stores/nats-feed.ts'
import { findStream } from '../stores/nats-stream.ts'
import { type FedRevocation, FeedRevocations } from './feed-revocations.ts'
import type { NatsSourceOptions } from './nats-revocations.ts'
import type { RevocationSource } from './revocation-source.ts'

export interface NatsRelayOptions extends NatsSourceOptions {
  /** DID of the owner of the feed. */
  readonly owner: string
  /** The `name` of the relay's store. Default: `keyhole`. */
  readonly name?: string
}

/** Revocations that someone else stores. */
export interface OpenFeed extends RevocationSource {
  /** Afterwards, no call under a grant is authorized. */
  close(): void
}

/**
 * An owner's feed as relays store it in NATS JetStream. It needs no relay that runs, and no grant of the owner's: whoever reaches the cluster
 * reads all feeds. The caller opens and closes the connection.
 *
 * @throws VerifyError STORE_FAILED if the cluster doesn't answer, or no relay has stored anything there; INVALID_OPTIONS
 */
export async function natsRelayRevocations(
  connection: NatsConnection,
  {
    owner,
    name = 'keyhole',
    replicas = 1,
    timeout = 2_000,
    freshness: seconds,
    clocks,
    onError = () => {},
  }: NatsRelayOptions,
): Promise<OpenFeed> {
  const freshness = new Freshness(seconds, clocks)
  const stream = `${name}_revocations`
  const manager = await orStoreError(timeout, async () => {
    const made = await jetstreamManager(connection, { timeout })
    await findStream(made, stream, { subjects: `${stream}.*.*.*.*.*.*`, replicas, what: 'a relay' })
    return made
  })
  const known = new FeedRevocations()
  const filter = `${stream}.${createHash('sha256').update(owner).digest('base64url')}.>`
  const feed = await storeErrors(() =>
    NatsFeed.open({
      ...{ connection, manager, stream, filter, timeout, freshness, onError, hints: `${name}_hints` },
      take(message) {
        if (!known.add(fedBy(message), Date.now() / 1_000))
          throw new Error('The feed has more revocations, or longer ones, than a relay keeps.')
      },
    }),
  )
  let isClosed = false
  return {
    find(subject, chain) {
      if (subject !== owner)
        throw new VerifyError('REVOCATIONS_UNKNOWN', `This is the feed of ${owner}, not of ${subject}.`)
      if (isClosed) throw new VerifyError('REVOCATIONS_UNKNOWN', 'The feed was closed.')
      freshness.check('NATS cluster')
      return known.find(chain)
    },
    close() {
      isClosed = true
      feed.close()
    },
  }
}

/** @throws Error if no relay wrote it */
function fedBy({ data, seq }: StoredMsg): FedRevocation {
  const { cid, by, revocation, until } = Object(JSON.parse(Buffer.from(data).toString()))
  const isBy = by === undefined || (Array.isArray(by) && by.every((did) => typeof did === 'string'))
  const isUntil = until === null || typeof until === 'number'
  if (typeof cid !== 'string' || typeof revocation !== 'string' || !isBy || !isUntil)
    throw new Error(`Message ${seq} of the relay's stream isn't a revocation. No relay has written it.`)
  return {
    ...{ revokes: cid, by, revocation, length: data.length },
    until: until === null ? null : until / 1_000,
  }
}
