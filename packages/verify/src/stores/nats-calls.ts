// What all stores in NATS share: the cluster's errors, and pages of a stream.
import { JetStreamApiError, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream'
import { VerifyError } from '../errors.ts'

/** JetStream's errors if the last message of a subject isn't the expected one. */
const WRONG_SEQUENCE = [10_071, 10_164]
/** JetStream's errors if a limit of the stream is reached. */
const LIMIT_REACHED = [10_047, 10_054, 10_077]
/** The status of an answer without any message. */
const NOT_FOUND = 404

/** Whether another message of this subject came first. */
export const isWrongSequence = (error: unknown) => hasCode(error, WRONG_SEQUENCE)

/** Whether the stream is full. */
export const isFull = (error: unknown) => hasCode(error, LIMIT_REACHED)

const hasCode = (error: unknown, codes: readonly number[]) =>
  error instanceof JetStreamApiError && codes.includes(error.code)

/** Runs work on the cluster. @throws VerifyError STORE_FAILED if it fails or takes too long */
export async function orStoreError<T>(timeout: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Timed out.')), 2 * timeout)
  })
  return await storeErrors(() => Promise.race([work(), late])).finally(() => clearTimeout(timer))
}

/** Runs work on the cluster, each of whose questions has a time limit. @throws VerifyError STORE_FAILED if it fails */
export async function storeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof VerifyError) throw cause
    const message = "The NATS cluster doesn't answer. Check that most of its servers run."
    throw new VerifyError('STORE_FAILED', message, { cause })
  }
}

/** Which messages of a stream are read. */
export interface PageQuery {
  readonly stream: string
  /** Subjects, with wildcards. */
  readonly filter: string
  /** The sequence to start at. */
  readonly from: number
  readonly limit: number
  /** How long to wait, in milliseconds. */
  readonly timeout: number
}

/** Reads messages from any replica, in order: none if it has none. @throws an error of NATS */
export async function readPage(
  manager: JetStreamManager,
  { stream, filter, from, limit, timeout }: PageQuery,
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
      manager.direct
        .getBatch(stream, { seq: from, batch: limit, next_by_subj: filter, callback })
        .then((reading) => {
          timer = setTimeout(() => reading.stop(new Error('Timed out.')), timeout)
        }, reject)
    })
    return page
  } finally {
    clearTimeout(timer)
  }
}
