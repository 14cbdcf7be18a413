import type { Clock } from '../base/clock.ts'

/** A tab of this browser that has an account open. */
export interface OpenTab {
  /** The name that the activity log gives the tab, too. */
  readonly id: string
  /** Since when it has the account open, in milliseconds since 1970. */
  readonly openedAt: number
  /** Whether it is this one. */
  readonly here: boolean
}

/** What becomes of the tabs, for whoever asked to know. */
export interface OpenTabsListener {
  /** The tabs that have the account open are these now, the one opened first in front. */
  changed(tabs: readonly OpenTab[]): void
  /** Another tab has ended this one's place. */
  ended(address: string): void
}

interface Place {
  readonly address: string
  readonly name: string
  readonly since: number
  readonly left: AbortController
  readonly channel: BroadcastChannel | undefined
  /** Names of other tabs' locks that are waited for. */
  readonly watched: Set<string>
}

const prefixOf = (address: string) => `keyhole:tab:${address}:`

/**
 * The tabs that have an account open. Each holds a Web Lock whose name says who it is and since when: a tab that is
 * killed loses it, and every other one, which waits for it, hears of that at once. To end a tab is to take its lock
 * away, which also a frozen one learns before it does anything else. Nothing is polled. Where a browser has no Web
 * Locks, a tab knows of itself alone.
 */
export class OpenTabs {
  readonly #id: string
  readonly #clock: Clock
  readonly #listener: OpenTabsListener
  #place: Place | undefined

  constructor(id: string, clock: Clock, listener: OpenTabsListener) {
    this.#id = id
    this.#clock = clock
    this.#listener = listener
  }

  /** Takes a place among the tabs of an account, and gives up the one before. */
  join(address: string): void {
    if (this.#place?.address === address) return
    this.leave()
    const since = Math.floor(this.#clock.now())
    const name = `${prefixOf(address)}${this.#id}:${since}`
    const left = new AbortController()
    const channel = openChannel(address, () => void this.#look(place))
    const place: Place = { address, name, since, left, channel, watched: new Set() }
    this.#place = place
    this.#listener.changed([this.#self(place)])
    void this.#hold(place)
  }

  /** Gives up its place. */
  leave(): void {
    const place = this.#place
    if (!place) return
    this.#place = undefined
    place.left.abort()
    place.channel?.close()
    this.#listener.changed([])
  }

  /** Ends the place of another tab of the account. @returns whether there was one */
  async end(id: string): Promise<boolean> {
    return (await this.#take((tab) => tab.id === id)) > 0
  }

  /** Ends the places of all other tabs of the account. @returns how many there were */
  async endOthers(): Promise<number> {
    return await this.#take(() => true)
  }

  async #take(which: (tab: OpenTab) => boolean): Promise<number> {
    const place = this.#place
    const locks = globalThis.navigator?.locks
    if (!place || !locks) return 0
    const ended = [...(await others(place))].filter(([, tab]) => which(tab))
    for (const [name] of ended) await locks.request(name, { steal: true }, () => undefined)
    await this.#look(place)
    return ended.length
  }

  /** Holds the lock until the place is left; losing it before is the end of the place. */
  async #hold(place: Place): Promise<void> {
    const locks = globalThis.navigator?.locks
    if (!locks) return
    const { name, left } = place
    try {
      await locks.request(name, async () => {
        if (left.signal.aborted) return
        place.channel?.postMessage('joined')
        void this.#look(place)
        await new Promise<void>((resolve) => {
          left.signal.addEventListener('abort', () => resolve(), { once: true })
        })
      })
    } catch (error) {
      // Only a stolen lock is an end: where locks are refused altogether a tab knows of itself alone.
      const isStolen = error instanceof DOMException && error.name === 'AbortError'
      if (!isStolen || this.#place !== place) return
      this.leave()
      this.#listener.ended(place.address)
    }
  }

  /** Reads who is there, and waits for each one to go. */
  async #look(place: Place): Promise<void> {
    try {
      const there = await others(place)
      if (this.#place !== place) return
      for (const name of there.keys()) if (!place.watched.has(name)) void this.#watch(place, name)
      const tabs = [...there.values(), this.#self(place)]
      this.#listener.changed(tabs.sort((one, other) => one.openedAt - other.openedAt))
    } catch {
      // A page that is being put away cannot ask; it has no place any more.
    }
  }

  async #watch(place: Place, name: string): Promise<void> {
    const { watched, left } = place
    watched.add(name)
    try {
      const options: LockOptions = { mode: 'shared', signal: left.signal }
      await globalThis.navigator.locks.request(name, options, () => undefined)
    } catch {
      return
    }
    watched.delete(name)
    await this.#look(place)
  }

  #self(place: Place): OpenTab {
    return { id: this.#id, openedAt: place.since, here: true }
  }
}

/** The other tabs of a place's account, by the names of their locks. */
async function others({ address, name }: Place): Promise<Map<string, OpenTab>> {
  const prefix = prefixOf(address)
  const { held = [] } = (await globalThis.navigator?.locks?.query()) ?? {}
  const tabs = new Map<string, OpenTab>()
  for (const lock of held) {
    // Whoever waited for a tab that is gone holds its lock for a moment, shared.
    if (lock.mode !== 'exclusive' || !lock.name?.startsWith(prefix) || lock.name === name) continue
    const [id = '', since = ''] = lock.name.slice(prefix.length).split(':')
    if (/^[0-9a-f-]{1,36}$/.test(id) && /^\d{1,16}$/.test(since)) {
      tabs.set(lock.name, { id, openedAt: Number(since), here: false })
    }
  }
  return tabs
}

/** On which a tab that has come tells the others; what is said on it does not matter. */
function openChannel(address: string, hear: () => void): BroadcastChannel | undefined {
  if (typeof globalThis.BroadcastChannel !== 'function') return undefined
  const channel = new BroadcastChannel(`keyhole:tabs:${address}`)
  channel.onmessage = hear
  // In Node an open channel would keep the process alive.
  const { unref } = channel as BroadcastChannel & { unref?: () => void }
  if (typeof unref === 'function') unref.call(channel)
  return channel
}
