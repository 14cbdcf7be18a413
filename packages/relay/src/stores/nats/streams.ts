// Streams of a cluster: created if missing, and read a page at a time.
import { JetStreamApiError, StorageType, type StoredMsg, type StreamConfig } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { StoreError } from '../store.ts'
import { askAgain, type Cluster } from './cluster.ts'

const STREAM_NOT_FOUND = 10_059
const NOT_FOUND = 404
/** An offset beyond any list of subjects, so that the answer contains only their number. */
const COUNT_ONLY = 1_000_000_000

/**
 * Creates the stream if it is missing. An existing one is left unchanged: its operator may have moved or resized it.
 */
export async function ensureStream(
  { jsm }: Cluster,
  stream: string,
  config: Partial<StreamConfig>,
): Promise<void> {
  try {
    const known = (await jsm.streams.info(stream)).config
    const isUsable =
      known.allow_direct &&
      Boolean(known.allow_msg_ttl) === Boolean(config.allow_msg_ttl) &&
      String(known.subjects) === String(config.subjects)
    // On fewer servers, or in memory, a revocation could be forgotten.
    const isSafe = known.num_replicas >= (config.num_replicas ?? 1) && known.storage === StorageType.File
    if (isUsable && !isSafe)
      throw new StoreError(
        `The stream ${stream} is on ${known.num_replicas} of ${config.num_replicas} servers, or in memory. Change it with \`nats stream edit\`, or choose another name for the store.`,
      )
    if (!isUsable)
      throw new StoreError(
        `The stream ${stream} exists and isn't a relay's. Choose another name for the store.`,
      )
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error
    await jsm.streams.add({ name: stream, ...config })
  }
}

interface PageQuery {
  readonly seq: number
  readonly batch: number
  readonly max_bytes?: number
  readonly next_by_subj: string
}

/** Asks the leader for the last message of the matching subjects. @throws StoreError */
export const lastMessage = (cluster: Cluster, stream: string, filter: string): Promise<StoredMsg | null> =>
  askAgain(cluster, () => cluster.jsm.streams.getMessage(stream, { last_by_subj: filter }))

/** Reads messages from any replica: none if it has none. @throws StoreError */
export const readPage = (cluster: Cluster, stream: string, query: PageQuery): Promise<StoredMsg[]> =>
  askAgain(cluster, () => readOnce(cluster, stream, query))

async function readOnce(
  { jsm, options: { timeout } }: Cluster,
  stream: string,
  query: PageQuery,
): Promise<StoredMsg[]> {
  const page: StoredMsg[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      // Uses the callback, because the client's iterator leaks a subscription each time.
      const callback = (done: { readonly err?: Error } | null, message: StoredMsg) => {
        if (!done) page.push(message)
        // A replica that lags has none of them yet, and says 404.
        else if (Object(done.err).code === NOT_FOUND) resolve()
        else if (done.err) reject(done.err)
        else resolve()
      }
      jsm.direct.getBatch(stream, { ...query, callback }).then((reading) => {
        timer = setTimeout(() => reading.stop(new errors.TimeoutError()), timeout)
      }, reject)
    })
    return page
  } finally {
    clearTimeout(timer)
  }
}

/** How many subjects of a stream match a filter. */
export async function countSubjects(cluster: Cluster, stream: string, filter: string): Promise<number> {
  const { connection, timeout } = cluster.options
  const request = JSON.stringify({ subjects_filter: filter, offset: COUNT_ONLY })
  const answer = await askAgain(cluster, () =>
    connection.request(`$JS.API.STREAM.INFO.${stream}`, request, { timeout }),
  )
  const { total, error } = Object(answer.json())
  if (typeof total !== 'number') throw new Error(`Counting failed: ${JSON.stringify(error)}`)
  return total
}
