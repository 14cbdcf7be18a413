interface Waiting {
  readonly mode: LockMode
  readonly grant: (holder: Holder) => void
}

interface Held {
  holders: Holder[]
  waiting: Waiting[]
}

interface Holder {
  readonly mode: LockMode
}

/** Web Locks in memory, as far as they are used here: modes, queues and aborts. Node 20 has none. */
export class FakeLocks implements LockManager {
  readonly #locks = new Map<string, Held>()

  /** The names of held locks. */
  get held(): string[] {
    return [...this.#locks].filter(([, { holders }]) => holders.length > 0).map(([name]) => name)
  }

  /** Simulates that the page or worker holding a lock is gone. */
  lose(name: string): void {
    const lock = this.#locks.get(name)
    if (!lock) return
    lock.holders = []
    this.#serve(lock)
  }

  query(): Promise<LockManagerSnapshot> {
    throw new Error('not used')
  }

  request<T>(name: string, callback: LockGrantedCallback<T>): Promise<Awaited<T>>
  request<T>(name: string, options: LockOptions, callback: LockGrantedCallback<T>): Promise<Awaited<T>>
  async request<T>(
    name: string,
    first: LockOptions | LockGrantedCallback<T>,
    second?: LockGrantedCallback<T>,
  ): Promise<Awaited<T>> {
    const options = typeof first === 'function' ? {} : first
    const callback = typeof first === 'function' ? first : second
    if (!callback) throw new TypeError('no callback')
    const { mode = 'exclusive', signal } = options
    const lock = this.#locks.get(name) ?? { holders: [], waiting: [] }
    this.#locks.set(name, lock)
    const holder = await new Promise<Holder>((resolve, reject) => {
      const waiting: Waiting = { mode, grant: resolve }
      lock.waiting.push(waiting)
      signal?.addEventListener('abort', () => {
        if (!lock.waiting.includes(waiting)) return
        lock.waiting = lock.waiting.filter((each) => each !== waiting)
        reject(signal.reason)
      })
      this.#serve(lock)
    })
    try {
      return await callback({ name, mode })
    } finally {
      lock.holders = lock.holders.filter((each) => each !== holder)
      this.#serve(lock)
    }
  }

  #serve(lock: Held): void {
    for (let next = lock.waiting[0]; next; next = lock.waiting[0]) {
      const free = lock.holders.length === 0
      const together = [next, ...lock.holders].every(({ mode }) => mode === 'shared')
      if (!free && !together) return
      lock.waiting.shift()
      const holder = { mode: next.mode }
      lock.holders.push(holder)
      next.grant(holder)
    }
  }
}
