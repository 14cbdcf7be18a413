// Revocations that are delivered to any of several services, in a stream of their own. Whoever has a relay reads that instead:
// `nats-relay-revocations.ts`.
import { createHash } from 'node:crypto'
import { DiscardPolicy, jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { VerifyError } from '../errors.ts'
import { Freshness } from '../stores/freshness.ts'
import { isFull, isWrongSequence, orStoreError, storeErrors } from '../stores/nats-calls.ts'
import { NatsFeed } from '../stores/nats-feed.ts'
import { ensureStream } from '../stores/nats-stream.ts'
import { RevocationIndex } from './revocation-index.ts'
import type { NewRevocation, OpenRevocations } from './revocation-source.ts'
import { MOST_CHARACTERS, RevocationSpace } from './revocation-space.ts'

export interface NatsSourceOptions {
  /** Servers that store each revocation. Default: 1. Use 3 on a cluster of three with `sync_interval: always`. */
  readonly replicas?: number
  /**
   * After this many seconds in which the cluster didn't answer, no call under a grant is authorized. Default: 25. It is
   * asked every five.
   */
  readonly freshness?: number
  /** How long to wait for the cluster, in milliseconds. Default: 2,000. */
  readonly timeout?: number
  /** Milliseconds. Every clock must be within `freshness`. */
  readonly clocks?: readonly (() => number)[]
  /** Called with each failed reading. It is tried again. */
  readonly onError?: (error: unknown) => void
}

export interface NatsRevocationsOptions extends NatsSourceOptions {
  /** Name of the stream. Default: `keyhole_revoked`. */
  readonly name?: string
  /**
   * Characters of all revocations together. Those that owners sign can use all of them, all others half, and those of one
   * quota 1/64.
   */
  readonly most?: number
}

/** The stream has room for the DIDs and CIDs beside each revocation, which are shorter than it is. */
const ROOM = 3
/** The quota of those that owners sign. */
const OWNER = 'owner'

/**
 * Revocations in NATS JetStream 2.11 or later, shared by all services on the cluster: what one has added counts in all of them within a
 * moment. Creates its stream if it is missing, and never changes an existing one. The caller opens and closes the connection.
 * Without `sync_interval: always`, a power failure can make revoked grants work again.
 *
 * @throws VerifyError STORE_FAILED if the cluster doesn't answer, or the stream has another purpose or keeps too little;
 *   INVALID_OPTIONS
 */
export async function natsRevocations(
  connection: NatsConnection,
  {
    replicas = 1,
    name = 'keyhole_revoked',
    timeout = 2_000,
    most = MOST_CHARACTERS,
    freshness: seconds,
    clocks,
    onError = () => {},
  }: NatsRevocationsOptions = {},
): Promise<OpenRevocations> {
  const freshness = new Freshness(seconds, clocks)
  const js = jetstream(connection, { timeout })
  const manager = await orStoreError(timeout, async () => {
    const made = await jetstreamManager(connection, { timeout })
    await ensureStream({ manager: made, js, timeout }, name, {
      subjects: [`${name}.*.*`],
      max_msgs_per_subject: 1,
      discard_new_per_subject: true,
      // A full stream refuses revocations. It never drops one.
      discard: DiscardPolicy.New,
      max_bytes: ROOM * most,
      num_replicas: replicas,
      allow_direct: true,
    })
    return made
  })
  const hints = `${name}_hints`
  const index = new RevocationIndex()
  const space = new RevocationSpace(most)
  const known = new Set<string>()
  let isClosed = false

  /** What this service has added is taken at once, and comes again with the stream. */
  function take(revocation: Stored, quota: string | undefined, id: string): void {
    if (known.has(id)) return
    known.add(id)
    space.use(revocation.revocation.length, quota)
    index.add(revocation)
  }

  async function add({ cid, revokes, by, revocation, quota: named }: NewRevocation): Promise<boolean> {
    if (isClosed) throw new Error('The store was closed.')
    const [id, quota] = [digest(cid), named === undefined ? undefined : digest(named)]
    if (known.has(id)) return true
    if (!space.fits(revocation.length, quota)) return false
    const stored = { revokes, by, revocation }
    try {
      await js.publish(`${name}.${quota ?? OWNER}.${id}`, JSON.stringify(stored), {
        // Whatever its quota: another service may have added it too.
        expect: { lastSubjectSequence: 0, lastSubjectSequenceSubject: `${name}.*.${id}` },
        timeout,
      })
    } catch (error) {
      if (isFull(error)) return false
      if (!isWrongSequence(error)) throw error
    }
    take(stored, quota, id)
    connection.publish(hints)
    return true
  }

  const feed = await storeErrors(() =>
    NatsFeed.open({
      ...{ connection, manager, hints, timeout, freshness, onError, stream: name, filter: `${name}.>` },
      take(message) {
        const [quota = '', id = ''] = message.subject.split('.').slice(-2)
        take(storedIn(message), quota === OWNER ? undefined : quota, id)
      },
    }),
  )

  return {
    add: (revocation) => orStoreError(timeout, () => add(revocation)),
    find(_subject, chain) {
      if (isClosed) throw new VerifyError('REVOCATIONS_UNKNOWN', 'The store of revocations was closed.')
      freshness.check('NATS cluster')
      return index.find(chain)
    },
    async close() {
      isClosed = true
      feed.close()
    },
  }
}

type Stored = Pick<NewRevocation, 'revokes' | 'by' | 'revocation'>

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** @throws Error if it isn't a revocation: until it is gone, no one knows what else it says */
function storedIn({ data, seq }: StoredMsg): Stored {
  const { revokes, by, revocation } = Object(JSON.parse(Buffer.from(data).toString()))
  const isBy = Array.isArray(by) && by.every((did) => typeof did === 'string')
  if (typeof revokes !== 'string' || typeof revocation !== 'string' || !isBy)
    throw new Error(`Message ${seq} of the stream isn't a revocation. No verifier has written it.`)
  return { revokes, by, revocation }
}
