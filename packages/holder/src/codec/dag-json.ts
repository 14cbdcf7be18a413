// Converts between callers' values and tokens: DAG-JSON as JavaScript values.
import { malformed } from '../errors.ts'
import { CborReader } from './cbor-reader.ts'
import { encodeCbor } from './cbor-writer.ts'
import { cidText } from './cid.ts'
import { toBase64 } from './text.ts'
import { isBytes, isList, isMap, Link, type Value } from './value.ts'
import { Budget } from './work-budget.ts'

/**
 * Converts a JavaScript value to what a reader of the token will see. @throws HolderError InvalidInput for what can't
 * be encoded; TooMuchWork
 */
export function toValue(from: unknown): Value {
  return new CborReader(encodeCbor(from), new Budget()).value(0)
}

/**
 * Converts a value to JavaScript. An integer is a number if that is exact, otherwise a bigint.
 * @throws HolderError MalformedToken for a map with the key `/`, which DAG-JSON reserves for links and bytes
 */
export function fromValue(value: Value): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (isBytes(value)) return { '/': { bytes: toBase64(value) } }
  if (value instanceof Link) return { '/': cidText(value) }
  if (isList(value)) return value.map(fromValue)
  if (!isMap(value)) return value
  if (value.has('/')) malformed('A map has the key “/”, which DAG-JSON keeps for links and bytes.')
  // `fromEntries` defines every key, even `__proto__`.
  return Object.fromEntries(Array.from(value, ([key, each]) => [key, fromValue(each)]))
}
