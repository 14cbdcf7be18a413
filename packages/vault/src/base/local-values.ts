/** Short texts that outlive the page: in localStorage if it's available, and always in memory too. */
export interface LocalValues {
  read(key: string): string | undefined
  /** @returns whether it will outlive the page */
  write(key: string, value: string): boolean
  remove(key: string): void
}

/** This page's localStorage. If it is blocked or full, texts live as long as the page. */
export function browserValues(): LocalValues {
  const memory = memoryValues()
  return {
    read(key) {
      try {
        const storage = globalThis.localStorage
        if (storage) return storage.getItem(key) ?? undefined
      } catch {
        // localStorage is blocked, so only what this page wrote is known.
      }
      return memory.read(key)
    },
    write(key, value) {
      memory.write(key, value)
      try {
        globalThis.localStorage?.setItem(key, value)
        return globalThis.localStorage?.getItem(key) === value
      } catch {
        return false
      }
    },
    remove(key) {
      memory.remove(key)
      try {
        globalThis.localStorage?.removeItem(key)
      } catch {
        // localStorage is blocked, so there is nothing to remove.
      }
    },
  }
}

/** Texts that live as long as the page, for accounts that must not outlive it. */
export function memoryValues(): LocalValues {
  const texts = new Map<string, string>()
  return {
    read: (key) => texts.get(key),
    write(key, value) {
      texts.set(key, value)
      return false
    },
    remove: (key) => void texts.delete(key),
  }
}
