/** How many calls are in flight at a time: as many as a page would have, at most. */
const TOGETHER = 32

/**
 * How often a second something can be done, many at a time.
 * @param least milliseconds to go on for
 * @param each how many times one call does it
 */
export async function rate(
  once: () => Promise<unknown>,
  signal: AbortSignal,
  { least = 150, together = TOGETHER, each = 1 } = {},
): Promise<number> {
  let done = 0
  let elapsed = 0
  const start = performance.now()
  while (elapsed < least) {
    signal.throwIfAborted()
    await Promise.all(Array.from({ length: together }, once))
    done += together * each
    elapsed = performance.now() - start
  }
  return (done / elapsed) * 1000
}

/** How many milliseconds something takes. */
export async function duration(once: () => Promise<unknown>, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  const start = performance.now()
  await once()
  return performance.now() - start
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
