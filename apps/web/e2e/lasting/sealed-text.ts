// What docs/formats.md says of checksums, written down a second time: so a text can be changed and its checksum forged.
import { createHash } from 'node:crypto'

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type Fields = { [name: string]: Json }

function head(major: number, argument: number): Buffer {
  const type = major << 5
  if (argument < 24) return Buffer.from([type | argument])
  if (argument < 0x100) return Buffer.from([type | 24, argument])
  if (argument < 0x10000) return Buffer.from([type | 25, argument >> 8, argument & 255])
  const wide = Buffer.alloc(argument < 2 ** 32 ? 5 : 9, type | (argument < 2 ** 32 ? 26 : 27))
  if (wide.length === 5) wide.writeUInt32BE(argument, 1)
  else wide.writeBigUInt64BE(BigInt(argument), 1)
  return wide
}

/** The one DAG-CBOR encoding of a JSON value without floats. */
export function canonical(value: Json): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([head(3, bytes.length), bytes])
  }
  if (value === null) return Buffer.from([0xf6])
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(canonical)])
  const entries = Object.entries(value).sort(([a], [b]) => {
    const [first, second] = [Buffer.from(a), Buffer.from(b)]
    return first.length - second.length || first.compare(second)
  })
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([name, item]) => [canonical(name), canonical(item)]),
  ])
}

const digest = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest('base64url')

/** The checksum of a sealed state: over everything but itself. */
export function stateChecksum({ checksum: _, ...rest }: Fields): string {
  return digest(canonical(rest))
}

/** One change of one value. */
export interface Change {
  /** Where, as `keys.0.nonce`. */
  readonly path: string
  readonly fields: Fields
}

/** Another value of the same kind and length, which parses where the first one did. */
function other(value: Json): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return null
  const letter = value[0] === 'A' ? 'B' : 'A'
  return `${letter}${value.slice(1)}`
}

/** Every value of a text changed, one at a time. */
export function changes(fields: Fields): Change[] {
  const walk = (value: Json, path: readonly string[]): string[][] => {
    if (typeof value !== 'object' || value === null) return [[...path]]
    return Object.entries(value).flatMap(([name, item]) => walk(item, [...path, name]))
  }
  return walk(fields, []).map((path) => {
    const changed = structuredClone(fields)
    change(changed, path, other)
    return { path: path.join('.'), fields: changed }
  })
}

/** Replaces the value at a path. */
export function change(
  value: Json,
  [name = '', ...rest]: readonly string[],
  make: (value: Json) => Json,
): void {
  if (typeof value !== 'object' || value === null) throw new Error(`There is nothing at ${name}`)
  const held: Json = Reflect.get(value, name)
  if (rest.length > 0) change(held, rest, make)
  else Reflect.set(value, name, make(held))
}
