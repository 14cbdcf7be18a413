// What mailboxes and revocations share.
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Bounds } from '../../bounds.ts'
import { Hints } from '../hints.ts'
import { type Hint, StoreError } from '../store.ts'

export interface ClusterOptions {
  readonly connection: NatsConnection
  readonly bounds: Bounds
  readonly replicas: number
  readonly name: string
  readonly timeout: number
}

/** JetStream's errors if the last message of a subject isn't the expected one. */
const WRONG_SEQUENCE = [10_071, 10_164]
/** JetStream's errors if a limit of the stream is reached. */
const LIMIT_REACHED = [10_047, 10_054, 10_077]

/** Hashes DIDs and CIDs, which may have characters that a NATS subject can't. */
export const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A JetStream cluster, over one connection. */
export class Cluster {
  readonly options: ClusterOptions
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly hints = new Hints()
  /** How many questions are asked again now. */
  again = 0
  readonly #unsubscribe: () => void

  static async connect(options: ClusterOptions): Promise<Cluster> {
    const { connection, timeout } = options
    const jsm = await jetstreamManager(connection, { timeout })
    return new Cluster(options, jetstream(connection, { timeout }), jsm)
  }

  private constructor(options: ClusterOptions, js: JetStreamClient, jsm: JetStreamManager) {
    this.options = options
    this.js = js
    this.jsm = jsm
    const subscription = options.connection.subscribe(this.#hintsSubject, {
      callback: (error, message) => {
        const hint = error ? undefined : hintOf(message.data)
        if (hint) this.hints.emit(hint)
      },
    })
    this.#unsubscribe = () => subscription.unsubscribe()
  }

  get #hintsSubject(): string {
    return `${this.options.name}_hints`
  }

  /** Sends a hint to all relays, after the change is stored. */
  publish(hint: Hint): void {
    this.options.connection.publish(this.#hintsSubject, JSON.stringify(hint))
  }

  close(): void {
    this.#unsubscribe()
  }
}

function hintOf(data: Uint8Array): Hint | undefined {
  try {
    const { mailbox, subject, account } = Object(JSON.parse(Buffer.from(data).toString()))
    if (typeof mailbox === 'string') return { mailbox }
    if (typeof subject === 'string') return { subject }
    if (typeof account === 'string') return { account }
  } catch {
    // Not sent by a relay.
  }
  return undefined
}

/** Runs work that may take several calls. @throws StoreError if it fails or takes too long */
export async function withTimeout<T>(timeout: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Timed out.')), 2 * timeout)
  })
  try {
    return await Promise.race([work(), late])
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    throw new StoreError("The relay's NATS cluster doesn't answer. Check that most of its servers run.", {
      cause,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** A question without an answer is asked again after this many milliseconds: it gets lost while a leader is elected. */
const PATIENCE = 500
/** Questions that are asked again at the same time. A cluster in trouble gets no more work from many feeds. */
const MOST_AGAIN = 64

/**
 * Reads something, and asks again while there is no answer. The first answer counts.
 * @throws StoreError as `withTimeout`, at once if a question is refused
 */
export function askAgain<T>(cluster: Cluster, ask: () => Promise<T>): Promise<T> {
  const { timeout } = cluster.options
  return withTimeout(timeout, async () => {
    const end = performance.now() + 2 * timeout
    const asked = [ask()]
    try {
      while (performance.now() < end) {
        const later = new AbortController()
        const pause = wait(PATIENCE, undefined, { signal: later.signal }).catch(() => undefined)
        const answers = Promise.any(asked).then((answer) => ({ answer }))
        const found = await Promise.race([answers, pause]).finally(() => later.abort())
        if (found) return found.answer
        if (cluster.again >= MOST_AGAIN) continue
        cluster.again += 1
        asked.push(ask().finally(() => (cluster.again -= 1)))
      }
      return await Promise.any(asked)
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    }
  })
}

/** Runs a conditional write. `conflict`: another message came first. */
export async function tryWrite(write: () => Promise<unknown>): Promise<'written' | 'conflict' | 'full'> {
  try {
    await write()
    return 'written'
  } catch (error) {
    if (error instanceof JetStreamApiError && WRONG_SEQUENCE.includes(error.code)) return 'conflict'
    if (error instanceof JetStreamApiError && LIMIT_REACHED.includes(error.code)) return 'full'
    throw error
  }
}
