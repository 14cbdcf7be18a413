/** A list that is kept until it changes. */
export interface KeptList<T> {
  /** As it was read last. */
  get(): Promise<T>
  /** Reads it again. */
  refresh(): Promise<T>
  /** Has the next `get` read it again. */
  drop(): void
}

/** Keeps what was read. What fails isn't kept. */
export function keptList<T>(read: () => Promise<T>): KeptList<T> {
  let kept: Promise<T> | undefined
  const refresh = () => {
    const reading = read()
    reading.catch(() => {
      if (kept === reading) kept = undefined
    })
    kept = reading
    return reading
  }
  return {
    get: () => kept ?? refresh(),
    refresh,
    drop() {
      kept = undefined
    },
  }
}
