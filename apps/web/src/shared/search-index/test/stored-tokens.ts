import type { FirstQuery, FirstTokens, TokenRecord, TokenSource } from '@keyhole/vault/token-reader'

const byId = (one: TokenRecord, other: TokenRecord) => (one.id < other.id ? -1 : 1)

/** Stored tokens in memory, which count how many are read. */
export class StoredTokens implements TokenSource {
  readonly records = new Map<string, TokenRecord>()
  /** How many records were read. */
  reads = 0
  /** The most records of each sort that `first` reads, if that is fewer than it is asked for. */
  most = Number.POSITIVE_INFINITY
  #isHeld = false
  #release: () => void = () => undefined
  #released: Promise<void> = Promise.resolve()

  constructor(records: readonly TokenRecord[]) {
    for (const record of records) this.put(record)
  }

  put(record: TokenRecord): void {
    this.records.set(record.id, record)
  }

  /** Chunks after the first one wait from now on. @returns lets them go on */
  hold(): () => void {
    this.#isHeld = true
    this.#released = new Promise((resolve) => {
      this.#release = resolve
    })
    return () => this.#release()
  }

  async close(): Promise<void> {}

  async ids(): Promise<string[]> {
    return [...this.records.keys()].sort()
  }

  async first(query: FirstQuery): Promise<FirstTokens | undefined> {
    const { types, now } = query
    const most = Math.min(query.most, this.most)
    if (this.records.size <= most) return undefined
    const all = [...this.records.values()].sort(byId)
    const tokens = all.filter(({ type }) => types.includes(type))
    const revocations = this.#read(all.filter(({ type }) => type === 'revocation'))
    if (tokens.length <= most) return { tokens: this.#read(tokens), isAll: true, revocations }
    const end = ({ expiresAt = Number.POSITIVE_INFINITY }: TokenRecord) => expiresAt
    const expiring = all
      .filter((each) => end(each) >= now && each.expiresAt !== undefined)
      .sort((one, other) => end(one) - end(other))
      .slice(0, most)
    const listed = this.#read(expiring).filter(({ type }) => types.includes(type))
    return { tokens: listed.sort(byId), isAll: false, revocations }
  }

  async *chunks(size: number): AsyncGenerator<TokenRecord[]> {
    for (let after = ''; ; ) {
      const ids = (await this.ids()).filter((id) => id > after).slice(0, size)
      if (ids.length === 0) return
      yield await this.read(ids)
      after = ids.at(-1) ?? ''
      if (this.#isHeld) await this.#released
    }
  }

  async read(ids: readonly string[]): Promise<TokenRecord[]> {
    return this.#read(ids.flatMap((id) => this.records.get(id) ?? []))
  }

  #read(records: TokenRecord[]): TokenRecord[] {
    this.reads += records.length
    return records
  }
}
