// Follows a stream: reads what is in it, then what is new, and confirms that it has all of it.
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Freshness } from './freshness.ts'
import { readPage } from './nats-calls.ts'

/** How often the stream is read without a hint, in milliseconds. */
const POLL = 5_000
/** After a reading has failed, the next one comes so soon, in milliseconds. */
const RETRY = 500
/** Pause before a replica that lags is asked again, in milliseconds. */
const LAG = 20
/** Messages of a page. */
const PAGE = 500

export interface NatsFeedOptions {
  readonly connection: NatsConnection
  readonly manager: JetStreamManager
  readonly stream: string
  /** Which subjects of the stream, with wildcards. */
  readonly filter: string
  /** Subject of the messages that say that there may be more in the stream. */
  readonly hints: string
  /** How long to wait for an answer, in milliseconds. */
  readonly timeout: number
  /** Is confirmed with each reading. */
  readonly freshness: Freshness
  /** Called with each message, in order. If the stream starts over, those that are there come again. */
  take(message: StoredMsg): void
  /** Called with each failed reading. It is tried again. */
  onError(error: unknown): void
}

/** A stream that is followed until it is closed. */
export class NatsFeed {
  readonly #options: NatsFeedOptions
  readonly #unsubscribe: () => void
  /** The last message that was taken. */
  #seq = 0
  /** When the stream was created: another one starts over. */
  #created: string | undefined
  #isStale = false
  #isClosed = false
  #wake = () => {}

  /** Resolves when the stream was read. @throws an error of NATS, or of JetStream */
  static async open(options: NatsFeedOptions): Promise<NatsFeed> {
    const feed = new NatsFeed(options)
    try {
      await feed.#read()
    } catch (error) {
      feed.close()
      throw error
    }
    void feed.#run()
    return feed
  }

  private constructor(options: NatsFeedOptions) {
    this.#options = options
    const subscription = options.connection.subscribe(options.hints, {
      callback: (error) => {
        if (!error) this.#readSoon()
      },
    })
    this.#unsubscribe = () => subscription.unsubscribe()
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    this.#wake()
  }

  #readSoon(): void {
    this.#isStale = true
    this.#wake()
  }

  async #run(): Promise<void> {
    let pause = POLL
    while (!this.#isClosed) {
      await this.#pause(pause)
      if (this.#isClosed) return
      try {
        await this.#read()
        pause = POLL
      } catch (error) {
        pause = RETRY
        if (!this.#isClosed) this.#options.onError(error)
      }
    }
  }

  /** Ends early at a hint, also at one that came during the last reading. */
  async #pause(length: number): Promise<void> {
    if (this.#isStale || this.#isClosed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, length)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }

  /** Takes what is new. What was written after the question may be missing, so the time of that counts. */
  async #read(): Promise<void> {
    const { manager, stream, filter, timeout, freshness, take } = this.#options
    this.#isStale = false
    let end = performance.now() + timeout
    for (;;) {
      const askedAt = freshness.now()
      if ((await this.#lastSeq()) <= this.#seq) return freshness.confirm(askedAt)
      const page = await readPage(manager, { stream, filter, from: this.#seq + 1, limit: PAGE, timeout })
      for (const message of page) {
        take(message)
        this.#seq = message.seq
      }
      if (page.length > 0) end = performance.now() + timeout
      // A replica lags, or the last message was deleted meanwhile.
      else if (performance.now() > end) throw new Error('A replica of the NATS cluster lags behind.')
      else await new Promise((resolve) => setTimeout(resolve, LAG))
    }
  }

  /** Asks the leader how far the stream goes. */
  async #lastSeq(): Promise<number> {
    const { manager, stream, filter } = this.#options
    const { created, state } = await manager.streams.info(stream)
    // Another stream of that name, or an older copy of it.
    if (created !== this.#created || state.last_seq < this.#seq) this.#seq = 0
    this.#created = created
    return (await manager.streams.getMessage(stream, { last_by_subj: filter }))?.seq ?? 0
  }
}
