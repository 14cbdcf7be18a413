/** How far ahead of its caller a pipeline works. */
export interface PipelineLimits<T> {
  /** Most items at a time, including the one that the caller has. */
  readonly most: number
  /** Whether an item is so long that the next one waits until the caller is done with it. */
  readonly isLong: (item: T) => boolean
}

interface Started<R> {
  readonly result: Promise<IteratorResult<R>>
  /** Called when the caller is done with the result. */
  readonly done: () => void
}

/**
 * Works on the next items while the caller uses a result. Work begins, and results come, in the order of the items.
 * After a failure, what has begun goes on, and its results are dropped.
 */
export async function* pipeline<T, R>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  { most, isLong }: PipelineLimits<T>,
): AsyncGenerator<R> {
  const iterator = items[Symbol.asyncIterator]()
  const started: Started<R>[] = []
  let turn: Promise<unknown> = Promise.resolve()
  const start = () => {
    const item = turn.then(() => iterator.next())
    const result = item.then(async (next): Promise<IteratorResult<R>> => {
      if (next.done) return { done: true, value: undefined }
      return { value: await work(next.value) }
    })
    let done = () => {}
    const used = new Promise<void>((resolve) => {
      done = resolve
    })
    turn = item.then((next) => (!next.done && isLong(next.value) ? used : undefined))
    // Whoever waits for the results in turn learns of the first failure.
    for (const each of [result, turn]) each.catch(() => undefined)
    started.push({ result, done })
  }
  try {
    for (;;) {
      while (started.length < most) start()
      const first = started.shift()
      const next = await first?.result
      if (!next || next.done) return
      yield next.value
      first?.done()
    }
  } finally {
    // Not awaited: it would wait for an item that is being read.
    iterator.return?.(undefined).catch(() => undefined)
  }
}
