/** A place for short texts that outlives the page: localStorage where there is one, and the page's memory beside it. */
export interface LocalValues {
  read(key: string): string | undefined
  /** @returns whether it will outlive the page */
  write(key: string, value: string): boolean
  remove(key: string): void
}

/** This page's localStorage. Where it is forbidden or full, texts live as long as the page. */
export function browserValues(): LocalValues {
  const memory = memoryValues()
  return {
    read(key) {
      try {
        const storage = globalThis.localStorage
        if (storage) return storage.getItem(key) ?? undefined
      } catch {
        // Forbidden: what this page wrote is all that is known.
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
        // Forbidden: there is nothing to remove.
      }
    },
  }
}

/** Texts that live as long as the page: for accounts that are not to outlive it. */
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
