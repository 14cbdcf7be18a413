// What a journal says of each record: a line for each change, in blocks (docs/formats.md).
import { decodeValue, encodeValue } from './journal-value.ts'

const [BREAK, TAB, PLUS, MINUS] = [10, 9, 43, 45]
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The stores recorded in the journal. */
export const JOURNALED = ['tokens', 'sessions', 'metadata'] as const
export type JournaledStore = (typeof JOURNALED)[number]

/** Identifies a record: the store's first letter, and the record's id as JSON. */
export type RecordKey = string

const LETTERS = { tokens: 't', sessions: 's', metadata: 'm' } as const

export function keyOf(store: JournaledStore, id: unknown): RecordKey {
  return LETTERS[store] + (encodeValue(id) ?? '')
}

/** The store and id in a key; undefined for an unknown store. */
export function parseKey(key: RecordKey): { store: JournaledStore; id: unknown } | undefined {
  const store = JOURNALED.find((each) => LETTERS[each] === key[0])
  return store && { store, id: decodeValue(key.slice(1)) }
}

/** The line for a written record; undefined if the record can't be written as text. */
export function putLine(key: RecordKey, record: unknown): string | undefined {
  const text = encodeValue(record)
  return text === undefined ? undefined : `+${key}\t${text}`
}

/** The line for a deleted record. */
export function deleteLine(key: RecordKey): string {
  return `-${key}`
}

/** Applies one line of a journal. */
export function enter(entries: Map<RecordKey, string | undefined>, line: string): void {
  const tab = line.indexOf('\t')
  if (line.startsWith('+') && tab > 0) entries.set(line.slice(1, tab), line.slice(tab + 1))
  else if (line.startsWith('-')) entries.set(line.slice(1), undefined)
}

/** Lines equivalent to the entries. Deletions are only needed while an older file may contain the record. */
export function* linesFor(
  entries: ReadonlyMap<RecordKey, string | undefined>,
  deletions: boolean,
): Generator<string> {
  for (const [key, text] of entries) {
    if (text !== undefined) yield `+${key}\t${text}`
    else if (deletions) yield deleteLine(key)
  }
}

/** The lines of a block, as text. */
export function linesOf(block: Uint8Array): string[] {
  return decoder.decode(block).slice(0, -1).split('\n')
}

/** The key of each record in a block, and whether it was written (or deleted). Doesn't parse the records. */
export function* keysOf(block: Uint8Array): Generator<[key: string, isWritten: boolean]> {
  for (let start = 0; start < block.length; ) {
    const stop = block.indexOf(BREAK, start)
    if (stop < 0) return
    const line = block.subarray(start, stop)
    const tab = line.indexOf(TAB)
    if (line[0] === PLUS && tab > 0) yield [decoder.decode(line.subarray(1, tab)), true]
    else if (line[0] === MINUS) yield [decoder.decode(line.subarray(1)), false]
    start = stop + 1
  }
}
