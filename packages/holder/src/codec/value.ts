/** A link to a block: the bytes of its CID, of any version, codec and hash. */
export class Link {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/**
 * A value of the IPLD data model. A `bigint` is an integer and a `number` a float, so that 1 and 1.0 stay distinct. A
 * map's entries are in DAG-CBOR's order of keys: by length, then by bytes.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Link
  | readonly Value[]
  | ReadonlyMap<string, Value>

/** Maximum nesting of lists and maps, counting a token's envelope. */
export const MAX_DEPTH = 128

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value)
export const isMap = (value: unknown): value is ReadonlyMap<string, Value> => value instanceof Map
export const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

/** DAG-CBOR's order of keys in UTF-8: by length, then by bytes. */
export function byLength(a: Uint8Array, b: Uint8Array): number {
  return a.length - b.length || bytewise(a, b)
}

/** Order by bytes; a prefix comes first. */
export function bytewise(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, place) => byte !== b[place])
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

/** Joins byte arrays. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
