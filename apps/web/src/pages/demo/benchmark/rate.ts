/** How many calls run at once: the most that a page would have. */
const TOGETHER = 32

/**
 * How often per second something can be done, with many calls at once.
 * @param least minimum milliseconds to run
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

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
