import type { Clock } from '../../base/clock.ts'

/** A tab of this browser that has an account open. */
export interface OpenTab {
  /** The activity log uses the same name for the tab. */
  readonly id: string
  /** When it opened the account, in milliseconds since 1970. */
  readonly openedAt: number
  /** Whether it is this tab. */
  readonly here: boolean
}

/** Gets told about the account's tabs. */
export interface OpenTabsListener {
  /** The tabs that have the account open, oldest first. */
  changed(tabs: readonly OpenTab[]): void
  /** Another tab ended this one. */
  ended(address: string): void
}

interface Place {
  readonly address: string
  readonly name: string
  readonly since: number
  readonly left: AbortController
  readonly channel: BroadcastChannel | undefined
  /** Names of other tabs' locks being waited for. */
  readonly watched: Set<string>
}

const prefixOf = (address: string) => `keyhole:tab:${address}:`

/**
 * The tabs that have an account open. Each holds a Web Lock whose name carries its id and start time. A killed tab
 * loses its lock, and the others, who wait for it, notice at once. Ending a tab means stealing its lock, which even a
 * frozen tab learns before it does anything else. Nothing polls. Without Web Locks a tab only knows itself.
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

  /** Joins the tabs of an account and leaves the previous one. */
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

  /** Leaves the account's tabs. */
  leave(): void {
    const place = this.#place
    if (!place) return
    this.#place = undefined
    place.left.abort()
    place.channel?.close()
    this.#listener.changed([])
  }

  /** Ends another tab of the account. @returns whether there was one */
  async end(id: string): Promise<boolean> {
    return (await this.#take((tab) => tab.id === id)) > 0
  }

  /** Ends all other tabs of the account. @returns how many there were */
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

  /** Holds the lock until this tab leaves. Losing it earlier means another tab ended this one. */
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
      // Only a stolen lock ends the tab. If locks are refused altogether, the tab only knows itself.
      const isStolen = error instanceof DOMException && error.name === 'AbortError'
      if (!isStolen || this.#place !== place) return
      this.leave()
      this.#listener.ended(place.address)
    }
  }

  /** Reads which tabs are there, and waits for each to go. */
  async #look(place: Place): Promise<void> {
    try {
      const there = await others(place)
      if (this.#place !== place) return
      for (const name of there.keys()) if (!place.watched.has(name)) void this.#watch(place, name)
      const tabs = [...there.values(), this.#self(place)]
      this.#listener.changed(tabs.sort((one, other) => one.openedAt - other.openedAt))
    } catch {
      // A page that is going away can't query locks, and no longer counts as open.
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

/** The other tabs of the account, by lock name. */
async function others({ address, name }: Place): Promise<Map<string, OpenTab>> {
  const prefix = prefixOf(address)
  const { held = [] } = (await globalThis.navigator?.locks?.query()) ?? {}
  const tabs = new Map<string, OpenTab>()
  for (const lock of held) {
    // A tab that waited for a closed tab's lock holds it for a moment, in shared mode.
    if (lock.mode !== 'exclusive' || !lock.name?.startsWith(prefix) || lock.name === name) continue
    const [id = '', since = ''] = lock.name.slice(prefix.length).split(':')
    if (/^[0-9a-f-]{1,36}$/.test(id) && /^\d{1,16}$/.test(since)) {
      tabs.set(lock.name, { id, openedAt: Number(since), here: false })
    }
  }
  return tabs
}

/** Where a new tab announces itself; the message's content doesn't matter. */
function openChannel(address: string, hear: () => void): BroadcastChannel | undefined {
  if (typeof globalThis.BroadcastChannel !== 'function') return undefined
  const channel = new BroadcastChannel(`keyhole:tabs:${address}`)
  channel.onmessage = hear
  // In Node an open channel would keep the process alive.
  const { unref } = channel as BroadcastChannel & { unref?: () => void }
  if (typeof unref === 'function') unref.call(channel)
  return channel
}
