/**
 * Shares one answer among those who ask while it is worked out, such as whether a store can be reached. Whoever asks after it came starts the next one.
 *
 * @param work what answers. What it throws, everyone who waits for it gets
 */
export function sharedAnswer<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return async () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return await running
  }
}
