// Streams of a cluster: made if missing, and read a page at a time.
import { JetStreamApiError, type StoredMsg, type StreamConfig } from '@nats-io/jetstream'
import { StoreError } from '../store.ts'
import type { Cluster } from './cluster.ts'

const STREAM_NOT_FOUND = 10_059

/** Creates the stream if it is missing. An existing one is left unchanged: its operator may have moved or resized it. */
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
    if (!isUsable)
      throw new StoreError(
        `The stream ${stream} exists and isn't a relay's. Choose another name for the store.`,
      )
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error
    await jsm.streams.add({ name: stream, ...config })
  }
}

/** Reads messages from any replica. */
export async function readPage(
  { jsm, options: { timeout } }: Cluster,
  stream: string,
  query: {
    readonly seq: number
    readonly batch: number
    readonly max_bytes?: number
    readonly next_by_subj: string
  },
): Promise<StoredMsg[]> {
  const page: StoredMsg[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      // By callback: the client's iterator leaves a subscription behind each time.
      const callback = (done: { readonly err?: Error } | null, message: StoredMsg) => {
        if (!done) page.push(message)
        else if (done.err) reject(done.err)
        else resolve()
      }
      jsm.direct.getBatch(stream, { ...query, callback }).then((reading) => {
        timer = setTimeout(() => reading.stop(new Error('Timed out.')), timeout)
      }, reject)
    })
    return page
  } finally {
    clearTimeout(timer)
  }
}
