interface Holder {
  readonly mode: LockMode
  readonly steal: () => void
}

interface Waiting {
  readonly mode: LockMode
  readonly grant: () => void
}

interface Lock {
  holders: Holder[]
  waiting: Waiting[]
}

/** Web Locks in memory, as far as the vault uses them: modes, queues, aborts, stealing, queries. Node 20 has none. */
export class FakeLocks {
  readonly #locks = new Map<string, Lock>()
  readonly #waited = new Map<string, () => void>()

  /** Simulates killing the page that holds a lock: its promises never settle, and the lock is free. */
  kill(name: string): void {
    const lock = this.#locks.get(name)
    if (!lock) return
    lock.holders = []
    this.#serve(lock)
  }

  /** Resolves once someone waits for a lock from now on. */
  async waitedFor(name: string): Promise<void> {
    await new Promise<void>((resolve) => this.#waited.set(name, resolve))
  }

  get held(): string[] {
    return [...this.#locks].filter(([, { holders }]) => holders.length > 0).map(([name]) => name)
  }

  async query(): Promise<LockManagerSnapshot> {
    const held = [...this.#locks].flatMap(([name, { holders }]) =>
      holders.map(({ mode }) => ({ name, mode, clientId: 'test' })),
    )
    return { held, pending: [] }
  }

  async request<T>(
    name: string,
    first: LockOptions | LockGrantedCallback<T>,
    second?: LockGrantedCallback<T>,
  ): Promise<Awaited<T>> {
    const options = typeof first === 'function' ? {} : first
    const callback = typeof first === 'function' ? first : second
    if (!callback) throw new TypeError('There is no callback.')
    const { mode = 'exclusive', signal, ifAvailable, steal } = options
    const lock = this.#locks.get(name) ?? { holders: [], waiting: [] }
    this.#locks.set(name, lock)
    if (steal) for (const holder of lock.holders.splice(0)) holder.steal()
    const taken = lock.holders.length > 0 || (lock.waiting.length > 0 && !steal)
    if (ifAvailable && taken) return await callback(null)
    if (taken) {
      this.#waited.get(name)?.()
      await this.#wait(lock, mode, signal)
    }
    const stolen = new AbortController()
    const holder: Holder = { mode, steal: () => stolen.abort() }
    lock.holders.push(holder)
    try {
      const robbed = new Promise<never>((_, reject) => {
        stolen.signal.addEventListener('abort', () => reject(new DOMException('Stolen.', 'AbortError')))
      })
      return await Promise.race([callback({ name, mode }), robbed])
    } finally {
      lock.holders = lock.holders.filter((each) => each !== holder)
      this.#serve(lock)
    }
  }

  async #wait(lock: Lock, mode: LockMode, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = { mode, grant: resolve }
      lock.waiting.push(waiting)
      signal?.addEventListener('abort', () => {
        if (!lock.waiting.includes(waiting)) return
        lock.waiting = lock.waiting.filter((each) => each !== waiting)
        reject(signal.reason)
      })
    })
  }

  /** Grants a free lock to the next in line and, if that one is shared, to all shared ones after it. */
  #serve(lock: Lock): void {
    if (lock.holders.length > 0) return
    const next = lock.waiting.shift()
    if (!next) return
    next.grant()
    while (next.mode === 'shared' && lock.waiting[0]?.mode === 'shared') lock.waiting.shift()?.grant()
  }
}
