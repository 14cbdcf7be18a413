// What callers hand in, and what they get back: DAG-JSON as JavaScript has it.
import { malformed } from '../errors.ts'
import { CborReader } from './cbor-reader.ts'
import { encodeCbor } from './cbor-writer.ts'
import { cidText } from './cid.ts'
import { toBase64 } from './text.ts'
import { isBytes, isList, isMap, Link, type Value } from './value.ts'
import { Budget } from './work-budget.ts'

/** Reads a JavaScript value, as a reader of the token will find it. @throws HolderError InvalidInput for what has no form; TooMuchWork */
export function toValue(from: unknown): Value {
  return new CborReader(encodeCbor(from), new Budget()).value(0)
}

/**
 * The JavaScript value of what was read: an integer is a number where that holds it exactly, else a bigint.
 *
 * @throws HolderError MalformedToken for a map with the key `/`, which DAG-JSON keeps for links and bytes
 */
export function fromValue(value: Value): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (isBytes(value)) return { '/': { bytes: toBase64(value) } }
  if (value instanceof Link) return { '/': cidText(value) }
  if (isList(value)) return value.map(fromValue)
  if (!isMap(value)) return value
  if (value.has('/')) malformed('A map has the key “/”, which DAG-JSON keeps for links and bytes.')
  // `fromEntries` defines each key, `__proto__` too.
  return Object.fromEntries(Array.from(value, ([key, each]) => [key, fromValue(each)]))
}
