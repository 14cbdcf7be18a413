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
import { errors, type NatsConnection } from '@nats-io/transport-node'
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

/** The status of an answer of a server that can't tell now: there is no leader. */
const NO_LEADER = 503
/** Hints of the last so many milliseconds are sent again after a reconnect: a server that is cut off is noticed that late. */
const HINTS_AGAIN = 10_000
/** Beyond that, the oldest are not sent again. */
const MOST_HINTS_AGAIN = 10_000

/** Hashes DIDs and CIDs, which may have characters that a NATS subject can't. */
export const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A JetStream cluster, over one connection. */
export class Cluster {
  readonly options: ClusterOptions
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly hints = new Hints()
  /** How many calls ask again now. */
  again = 0
  readonly #unsubscribe: () => void
  readonly #stopStatus: () => void
  /** What was sent lately, the oldest first. */
  readonly #sent: { readonly text: string; readonly at: number }[] = []

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
    const status = options.connection.status()
    this.#stopStatus = () => Object(status).stop()
    void this.#follow(status)
  }

  /** While there was no connection, hints from others were missed, and the last own ones may have died with the server. */
  async #follow(status: AsyncIterable<{ readonly type: string }>): Promise<void> {
    for await (const { type } of status) {
      if (type !== 'reconnect') continue
      this.#forgetOldHints()
      for (const { text } of this.#sent) this.options.connection.publish(this.#hintsSubject, text)
      this.hints.emit({ missed: true })
    }
  }

  #forgetOldHints(): void {
    const oldest = performance.now() - HINTS_AGAIN
    const first = this.#sent.findIndex(({ at }) => at >= oldest)
    const old = first < 0 ? this.#sent.length : first
    this.#sent.splice(0, Math.max(old, this.#sent.length - MOST_HINTS_AGAIN))
  }

  get #hintsSubject(): string {
    return `${this.options.name}_hints`
  }

  /** Sends a hint to all relays, after the change is stored. */
  publish(hint: Hint): void {
    const text = JSON.stringify(hint)
    this.#sent.push({ text, at: performance.now() })
    if (this.#sent.length >= 2 * MOST_HINTS_AGAIN) this.#forgetOldHints()
    this.options.connection.publish(this.#hintsSubject, text)
  }

  close(): void {
    this.#stopStatus()
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

/** A question or write without an answer is tried again after this many milliseconds: it gets lost while a leader is elected. */
const PATIENCE = 500
/** Pause after a write that no server took, in milliseconds: a new leader is just about to. */
const BETWEEN_WRITES = 50
/** Calls that ask again at the same time. A cluster in trouble gets no more work from many feeds. */
const MOST_AGAIN = 256

/**
 * Reads something, and asks again while there is no answer. The first answer counts.
 * @throws StoreError as `withTimeout`, at once if a question is refused
 */
export function askAgain<T>(cluster: Cluster, ask: () => Promise<T>): Promise<T> {
  const { timeout } = cluster.options
  return withTimeout(timeout, async () => {
    const end = performance.now() + 2 * timeout
    const failed: unknown[] = []
    const asked: Promise<T>[] = []
    const askOnce = async () => {
      try {
        return await ask()
      } catch (error) {
        if (!isUnanswered(error)) failed.push(error)
        throw error
      }
    }
    let asksAgain = false
    asked.push(askOnce())
    try {
      while (performance.now() < end) {
        const later = new AbortController()
        const pause = wait(PATIENCE, undefined, { signal: later.signal }).catch(() => undefined)
        const answers = Promise.any(asked).then(
          (answer) => ({ answer }),
          // A server that knows no leader says so at once.
          () => (failed.length > 0 ? undefined : pause),
        )
        const found = await Promise.race([answers, pause]).finally(() => later.abort())
        if (found) return found.answer
        if (failed.length > 0) throw failed[0]
        if (!asksAgain && cluster.again >= MOST_AGAIN) continue
        if (!asksAgain) cluster.again += 1
        asksAgain = true
        asked.push(askOnce())
      }
      return await Promise.any(asked)
    } finally {
      if (asksAgain) cluster.again -= 1
    }
  })
}

/** Whether a leader is missing, or a question or its answer got lost. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status === NO_LEADER
  // JetStream wraps that no server took it.
  return [error, Object(error).cause].some(
    (each) => each instanceof errors.TimeoutError || each instanceof errors.RequestError,
  )
}

/** A write that is tried again. */
export interface Attempt {
  /** How long it may wait for its answer, in milliseconds. */
  readonly patience: number
  /** Whether an earlier one got no answer, so that it may or may not be stored. */
  readonly isUnsure: boolean
}

/**
 * Runs attempts to write, each of which first looks what is stored, until one knows the result.
 * @param attempt resolves with undefined if it doesn't
 * @throws StoreError as `withTimeout`
 */
export function writeAgain<T>(
  cluster: Cluster,
  attempt: (attempt: Attempt) => Promise<T | 'conflict' | 'unsure'>,
): Promise<T> {
  const { timeout } = cluster.options
  return withTimeout(timeout, async () => {
    const end = performance.now() + 2 * timeout
    let [patience, isUnsure] = [PATIENCE, false]
    while (performance.now() < end) {
      const result = await attempt({ patience: Math.min(patience, timeout), isUnsure })
      if (result !== 'conflict' && result !== 'unsure') return result
      if (result === 'unsure') [isUnsure, patience] = [true, 2 * patience]
      // Its own earlier write may be what it conflicts with, for as long as that isn't stored.
      if (isUnsure) await wait(BETWEEN_WRITES)
    }
    throw new Error('Timed out.')
  })
}

/** Runs a conditional write. `conflict`: another message came first. `unsure`: there was no answer. */
export async function tryWrite(
  write: () => Promise<unknown>,
): Promise<'written' | 'conflict' | 'full' | 'unsure'> {
  try {
    await write()
    return 'written'
  } catch (error) {
    if (error instanceof JetStreamApiError && WRONG_SEQUENCE.includes(error.code)) return 'conflict'
    if (error instanceof JetStreamApiError && LIMIT_REACHED.includes(error.code)) return 'full'
    if (isUnanswered(error)) return 'unsure'
    throw error
  }
}
