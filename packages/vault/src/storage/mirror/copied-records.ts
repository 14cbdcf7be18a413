import * as v from 'valibot'
import { type JournaledStore, parseKey } from '../journal/journal-lines.ts'
import { decodeValue } from '../journal/journal-value.ts'
import {
  type MetadataRecord,
  metadataRecord,
  type SessionRecord,
  sessionRecord,
  type TokenRecord,
  tokenRecord,
} from '../schema.ts'
import type { AccountMirror } from './mirror.ts'

/** Records per page. */
const PAGE = 200

/** Records of the second copy, as text until someone reads them. */
type Texts = ReadonlyMap<string, string>

/** The records of an account's second copy, read once and kept as text. Skips what doesn't parse. */
export class CopiedRecords {
  /** Records the copy should have but couldn't read. */
  readonly unreadable: number
  readonly #texts: Record<JournaledStore, Texts>

  private constructor(texts: Record<JournaledStore, Texts>, unreadable: number) {
    this.#texts = texts
    this.unreadable = unreadable
  }

  /** @throws Error if the file system fails */
  static async read({ journal }: AccountMirror): Promise<CopiedRecords> {
    const { entries, unreadable } = await journal.read(await journal.list())
    const texts = { tokens: new Map<string, string>(), sessions: new Map(), metadata: new Map() }
    for (const [key, text] of entries) {
      const parsed = parseKey(key)
      if (text !== undefined && typeof parsed?.id === 'string') texts[parsed.store].set(parsed.id, text)
    }
    return new CopiedRecords(texts, unreadable)
  }

  /** How many records a store has, including those that don't parse. */
  count(store: JournaledStore): number {
    return this.#texts[store].size
  }

  /** All ids of a store, in order. */
  ids(store: JournaledStore): string[] {
    return [...this.#texts[store].keys()].sort()
  }

  has(store: JournaledStore, id: string): boolean {
    return this.#texts[store].has(id)
  }

  /** The tokens whose text contains a text, such as a CID. */
  tokensWith(text: string): TokenRecord[] {
    const found = [...this.#texts.tokens.values()].filter((each) => each.includes(text))
    return found.flatMap((each) => parsed(tokenRecord, each) ?? [])
  }

  token(id: string): TokenRecord | undefined {
    return parsed(tokenRecord, this.#texts.tokens.get(id))
  }

  metadata(key: string): MetadataRecord | undefined {
    return parsed(metadataRecord, this.#texts.metadata.get(key))
  }

  /** Every token that parses, `size` at a time, by id. */
  tokenPages(size = PAGE): AsyncGenerator<TokenRecord[]> {
    return this.#pages('tokens', tokenRecord, size)
  }

  metadataPages(size = PAGE): AsyncGenerator<MetadataRecord[]> {
    return this.#pages('metadata', metadataRecord, size)
  }

  /** The metadata whose key starts with `prefix`. */
  metadataUnder(prefix: string): MetadataRecord[] {
    const keys = this.ids('metadata').filter((key) => key.startsWith(prefix))
    return keys.flatMap((key) => this.metadata(key) ?? [])
  }

  async readSessions(): Promise<SessionRecord[]> {
    const texts = [...this.#texts.sessions.values()]
    return texts.flatMap((text) => parsed(sessionRecord, text) ?? []).sort(byNewest)
  }

  async *#pages<S extends v.GenericSchema>(
    store: JournaledStore,
    schema: S,
    size: number,
  ): AsyncGenerator<v.InferOutput<S>[]> {
    const ids = this.ids(store)
    for (let at = 0; at < ids.length; at += size) {
      const page = ids.slice(at, at + size)
      yield page.flatMap((id) => parsed(schema, this.#texts[store].get(id)) ?? [])
    }
  }
}

/** Sorts newest first. */
export function byNewest(one: { createdAt: number }, other: { createdAt: number }): number {
  return other.createdAt - one.createdAt
}

function parsed<S extends v.GenericSchema>(
  schema: S,
  text: string | undefined,
): v.InferOutput<S> | undefined {
  if (text === undefined) return undefined
  try {
    const result = v.safeParse(schema, decodeValue(text))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}
