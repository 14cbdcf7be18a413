import type { FirstQuery, FirstTokens, TokenRecord, TokenSource } from '@keyhole/vault/token-reader'

/** Stored tokens whose reads never settle once they are closed: what waits for one is given up, and nothing fails aloud. */
export class ClosingSource implements TokenSource {
  readonly #opening: Promise<TokenSource>
  #isClosed = false

  constructor(opening: Promise<TokenSource>) {
    this.#opening = opening
  }

  /** Settles once nothing is read any more, also if they could never be opened. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening.then(
      (source) => source.close(),
      () => undefined,
    )
  }

  async ids(): Promise<string[]> {
    return await this.#untilClosed((source) => source.ids())
  }

  async first(query: FirstQuery): Promise<FirstTokens | undefined> {
    return await this.#untilClosed((source) => source.first(query))
  }

  async *chunks(size: number): AsyncGenerator<TokenRecord[]> {
    const chunks = await this.#untilClosed(async (source) => source.chunks(size))
    for (;;) {
      const { done, value } = await this.#untilClosed(() => chunks.next())
      if (done) return
      yield value
    }
  }

  async read(ids: readonly string[]): Promise<TokenRecord[]> {
    return await this.#untilClosed((source) => source.read(ids))
  }

  async #untilClosed<T>(read: (source: TokenSource) => Promise<T>): Promise<T> {
    try {
      const source = await this.#opening
      return await (this.#isClosed ? never() : read(source))
    } finally {
      if (this.#isClosed) await never()
    }
  }
}

const never = () => new Promise<never>(() => undefined)
