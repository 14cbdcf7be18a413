// The listeners of every feed. One read of the store serves all listeners of a feed. A hint, or the next poll, triggers it.
import type { RelayStore, Revocation } from '../stores/store.ts'

/** A client that is connected to a feed. */
export interface Listener {
  /** The last revocation that it was sent. */
  seq: number
  /** False while too many bytes wait for the client. */
  readonly canSend: boolean
  /** True if it missed a send because of that. Call {@link Listeners.resume} once it can take more. */
  isBehind: boolean
  /** True once it was sent all of the feed, up to the last read. */
  hasAll: boolean
  /** @returns false to disconnect it, because its own permission was revoked */
  send(revocations: readonly Revocation[]): boolean
  /** Tells it that it has everything. */
  sendAlive(): void
  /** Called at each poll while it can't take more. @returns false to disconnect it */
  isPatient(): boolean
  /** @param discard whether to throw away what still waits for the client */
  end(discard?: boolean): void
}

/** How often each feed with listeners is read without a hint, in milliseconds. */
export const POLL = 10_000
/** After a read has failed, that feed is read this often, in milliseconds, so that all go on soon after the store is back. */
export const RETRY = 500
/** Revocations per read. */
export const PAGE = 25

interface Feed {
  readonly listeners: Set<Listener>
  /** The read in progress; undefined for none. */
  reading: Promise<boolean> | undefined
  /** Whether to read again after that, because something changed. */
  isStale: boolean
}

export class Listeners {
  readonly #store: RelayStore
  readonly #feeds = new Map<string, Feed>()
  readonly #unwatch: () => void
  readonly #onError: (error: unknown) => void
  #polling: ReturnType<typeof setInterval> | undefined
  /** Set from a failed read to the next that succeeds. */
  #retrying: ReturnType<typeof setTimeout> | undefined
  #size = 0

  constructor(store: RelayStore, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
    this.#unwatch = store.watch((hint) => {
      if ('subject' in hint) this.resume(hint.subject)
      if ('missed' in hint) for (const subject of this.#feeds.keys()) this.resume(subject)
    })
  }

  get size(): number {
    return this.#size
  }

  /** @returns a function that removes the listener */
  add(subject: string, listener: Listener): () => void {
    const feed = this.#feeds.get(subject) ?? { listeners: new Set(), reading: undefined, isStale: false }
    feed.listeners.add(listener)
    this.#feeds.set(subject, feed)
    this.#size += 1
    this.#polling ??= setInterval(() => this.#poll(), POLL)
    // A service that has just started trusts its list as soon as it has all of it.
    void this.#read(subject, feed).then((isRead) => {
      if (!isRead) this.#retry(subject, feed)
      else if (feed.listeners.has(listener) && listener.hasAll) listener.sendAlive()
    })
    return () => this.#remove(subject, listener)
  }

  /** Sends what is new to all listeners of a feed that can take more. */
  resume(subject: string): void {
    const feed = this.#feeds.get(subject)
    if (feed) void this.#read(subject, feed)
  }

  close(): void {
    this.#unwatch()
    clearInterval(this.#polling)
    clearTimeout(this.#retrying)
    for (const { listeners } of this.#feeds.values()) for (const listener of [...listeners]) listener.end()
  }

  #remove(subject: string, listener: Listener): void {
    const feed = this.#feeds.get(subject)
    if (!feed?.listeners.delete(listener)) return
    this.#size -= 1
    if (feed.listeners.size === 0) this.#feeds.delete(subject)
    if (this.#size > 0) return
    clearInterval(this.#polling)
    clearTimeout(this.#retrying)
    this.#polling = undefined
    this.#retrying = undefined
  }

  #poll(): void {
    for (const [subject, feed] of this.#feeds) {
      void this.#refresh(subject, feed).then(() => {
        for (const listener of [...feed.listeners])
          if (!listener.canSend && !listener.isPatient()) this.#disconnect(subject, listener, true)
      })
    }
  }

  /** Reads a feed. A service trusts its list only while it hears that it has all of it, so a failed read says nothing. */
  async #refresh(subject: string, feed: Feed): Promise<void> {
    if (!(await this.#read(subject, feed))) return this.#retry(subject, feed)
    for (const listener of feed.listeners) if (listener.hasAll && listener.canSend) listener.sendAlive()
  }

  /** Reads a feed that could not be read until it can be, then all of them. It alone shows whether the store is back. */
  #retry(subject: string, feed: Feed): void {
    if (this.#retrying !== undefined) return
    const timer = setTimeout(async () => {
      const isRead = await this.#read(subject, feed)
      // Nobody listens any more.
      if (this.#retrying !== timer) return
      this.#retrying = undefined
      if (!isRead) return this.#retry(subject, feed)
      for (const [each, other] of this.#feeds) void this.#refresh(each, other)
    }, RETRY)
    this.#retrying = timer
  }

  /** @returns whether the store could be read */
  #read(subject: string, feed: Feed): Promise<boolean> {
    feed.isStale = true
    feed.reading ??= this.#readAll(subject, feed)
    return feed.reading
  }

  async #readAll(subject: string, feed: Feed): Promise<boolean> {
    try {
      while (feed.isStale) {
        feed.isStale = false
        let hasMore = true
        while (hasMore) hasMore = await this.#readPage(subject, feed)
      }
      return true
    } catch (error) {
      // Told once until a read succeeds.
      if (this.#retrying === undefined) this.#onError(error)
      return false
    } finally {
      // Cleared at once, so that a later request starts a new read.
      feed.reading = undefined
    }
  }

  /** @returns whether there may be more to send */
  async #readPage(subject: string, { listeners }: Feed): Promise<boolean> {
    // Only these get the page: one that joins during the read may need revocations from before it.
    const ready = [...listeners].filter(({ canSend }) => canSend)
    for (const listener of listeners) {
      listener.isBehind = !listener.canSend
      if (listener.isBehind) listener.hasAll = false
    }
    if (ready.length === 0) return false
    let after = Number.POSITIVE_INFINITY
    for (const { seq } of ready) after = Math.min(after, seq)
    const page = await this.#store.revocationsSince(subject, after, PAGE)
    const hasMore = page.length === PAGE
    for (const listener of ready) {
      if (!listeners.has(listener)) continue
      listener.hasAll = !hasMore
      this.#send(subject, listener, page)
    }
    return hasMore
  }

  #send(subject: string, listener: Listener, page: readonly Revocation[]): void {
    const [first] = page
    if (!first) return
    // Pass on the same page if possible: its events are only encoded once.
    const fresh = first.seq > listener.seq ? page : page.filter(({ seq }) => seq > listener.seq)
    const last = fresh.at(-1)
    if (!last) return
    listener.seq = last.seq
    if (!listener.send(fresh)) this.#disconnect(subject, listener)
  }

  #disconnect(subject: string, listener: Listener, discard = false): void {
    this.#remove(subject, listener)
    listener.end(discard)
  }
}
