// NATS JetStream, for several services (docs/decisions/058). One stream, whose leader accepts one message for each invocation.
import { createHash } from 'node:crypto'
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { VerifyError } from '../errors.ts'
import type { ClaimStore } from './claim-store.ts'

export interface NatsClaimsOptions {
  /** Servers that store each claim. Default: 1. Use 3 on a cluster of three with `sync_interval: always`. */
  readonly replicas?: number
  /** Name of the stream. Default: `keyhole_claims`. */
  readonly name?: string
  /** How long to wait for the cluster, in milliseconds. Default: 2,000. */
  readonly timeout?: number
  /** Claims remembered at a time; a claim beyond it fails. Default: 10,000,000. */
  readonly most?: number
}

/** JetStream's errors if the last message of a subject isn't the expected one. */
const WRONG_SEQUENCE = [10_071, 10_164]
const STREAM_NOT_FOUND = 10_059
/** How much longer a claim is remembered than it has to be, in seconds: services whose clocks differ by less accept nothing twice. */
const MARGIN = 300

/**
 * Claims in NATS JetStream 2.11 or later, shared by all services on the cluster. Creates its stream if it is missing, and never changes an existing one. The
 * caller opens and closes the connection. Without `sync_interval: always`, a power failure can make used invocations usable again.
 *
 * @throws VerifyError STORE_FAILED if the cluster doesn't answer, or a stream of that name has another purpose
 */
export async function natsClaims(
  connection: NatsConnection,
  { replicas = 1, name = 'keyhole_claims', timeout = 2_000, most = 10_000_000 }: NatsClaimsOptions = {},
): Promise<ClaimStore> {
  await orStoreError(timeout, async () => {
    const manager = await jetstreamManager(connection, { timeout })
    await ensureStream(manager, name, { replicas, most })
  })
  const js = jetstream(connection, { timeout })
  let isClosed = false
  return {
    claim(cid, until, now) {
      if (until < now) return Promise.resolve(false)
      return orStoreError(timeout, async () => {
        if (isClosed) throw new Error('The store was closed.')
        try {
          await js.publish(`${name}.${digest(cid)}`, '', {
            expect: { lastSubjectSequence: 0 },
            ttl: `${until - now + MARGIN}s`,
            timeout,
          })
          return true
        } catch (error) {
          if (error instanceof JetStreamApiError && WRONG_SEQUENCE.includes(error.code)) return false
          throw error
        }
      })
    },
    async close() {
      isClosed = true
    },
  }
}

const digest = (cid: string) => createHash('sha256').update(cid).digest('base64url')

async function ensureStream(
  jsm: JetStreamManager,
  name: string,
  { replicas, most }: { readonly replicas: number; readonly most: number },
): Promise<void> {
  const config = {
    subjects: [`${name}.*`],
    max_msgs_per_subject: 1,
    discard_new_per_subject: true,
    // A full stream refuses claims. It never drops one.
    discard: DiscardPolicy.New,
    max_msgs: most,
    num_replicas: replicas,
    allow_msg_ttl: true,
  }
  try {
    const known = (await jsm.streams.info(name)).config
    const isUsable =
      known.allow_msg_ttl &&
      known.discard === DiscardPolicy.New &&
      known.max_age === 0 &&
      String(known.subjects) === String(config.subjects)
    if (!isUsable)
      throw new VerifyError(
        'STORE_FAILED',
        `The stream ${name} exists and isn't one for claims. Choose another name.`,
      )
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error
    await jsm.streams.add({ name, ...config })
  }
}

/** Runs work on the cluster. @throws VerifyError STORE_FAILED if it fails or takes too long */
async function orStoreError<T>(timeout: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Timed out.')), 2 * timeout)
  })
  try {
    return await Promise.race([work(), late])
  } catch (cause) {
    if (cause instanceof VerifyError) throw cause
    throw new VerifyError(
      'STORE_FAILED',
      "The NATS cluster doesn't answer. Check that most of its servers run.",
      {
        cause,
      },
    )
  } finally {
    clearTimeout(timer)
  }
}
