// Selectors: the path from the arguments to a statement's value (UCAN 1.0.0, "Selectors").

import { isBytes, isList, isMap, type Value } from '../codec/value.ts'
import { type Budget, COMPARED, COMPILED, STEP } from '../codec/work-budget.ts'

/** Maximum number of steps in a path. */
const MAX_STEPS = 1_024
/** An index has 64 bits. */
const INDEX = 1n << 63n
/** A step: a quoted key, an index or a slice or nothing in brackets, or a name; and whether it is optional. */
const FORM = /(?:\.?\[(?:("[^"\\]*(?:\\.[^"\\]*)*")|([-\d]*)(:?)([-\d]*))\]|\.([A-Za-z_][\w-]*))(\?*)/y

/** Follows a path; undefined if it leads nowhere. A missing key gives null. @throws HolderError TooMuchWork */
export type Selector = (value: Value, budget: Budget) => Value | undefined

/** Reads a selector; undefined if any part isn't understood, because dropping a part would drop a limit. */
export function readSelector(source: string, budget: Budget): Selector | undefined {
  budget.spend(COMPILED * source.length)
  if (/^\.\?*$/.test(source)) return (value) => value
  if (!source.startsWith('.')) return undefined
  const steps: { readonly take: Selector; readonly isOptional: boolean }[] = []
  for (let at = 0; at < source.length; at = FORM.lastIndex) {
    FORM.lastIndex = at
    const found = FORM.exec(source)
    const take = found && steps.length < MAX_STEPS ? readStep(found) : undefined
    if (!take) return undefined
    steps.push({ take, isOptional: found?.[6] !== '' })
  }
  return (value, spent) => {
    let reached = value
    for (const { take, isOptional } of steps) {
      spent.spend(STEP)
      const next = take(reached, spent)
      if (next === undefined && !isOptional) return undefined
      reached = next ?? null
    }
    return reached
  }
}

function readStep([, quoted, from = '', colon, to = '', name]: RegExpExecArray): Selector | undefined {
  const key = name ?? (quoted && unquoted(quoted))
  if (key !== undefined) return (value) => (isMap(value) ? (value.get(key) ?? null) : undefined)
  if (quoted !== undefined || !isIndex(from) || !isIndex(to)) return undefined
  if (colon) return slice(from, to)
  return from === '' ? values : item(Number(from))
}

/** A 64-bit number, or nothing. Past 2^53 it is rounded later, but no list is that long. */
function isIndex(text: string): boolean {
  return text === '' || (/^-?\d+$/.test(text) && BigInt(text) < INDEX && BigInt(text) >= -INDEX)
}

/** A JSON string; undefined if it isn't one, or contains half of a surrogate pair. */
function unquoted(text: string): string | undefined {
  try {
    const key = String(JSON.parse(text))
    return /\p{Surrogate}/u.test(key) ? undefined : key
  } catch {
    return undefined
  }
}

const values: Selector = (value, budget) => {
  if (!isMap(value)) return isList(value) || isBytes(value) ? value : undefined
  budget.spend(COMPARED * value.size)
  return [...value.values()]
}

const item =
  (index: number): Selector =>
  (value) => {
    if (!isList(value) && !isBytes(value)) return undefined
    const found = value[fromEitherEnd(index, value.length)]
    return isBytes(value) && typeof found === 'number' ? BigInt(found) : found
  }

const slice =
  (from: string, to: string): Selector =>
  (value, budget) => {
    if (!isList(value) && !isBytes(value)) return undefined
    const { length } = value
    const clamp = (index: string) => Math.min(Math.max(fromEitherEnd(Number(index), length), 0), length)
    budget.spend(COMPARED * length)
    return value.slice(clamp(from), to === '' ? length : clamp(to))
  }

/** A negative index counts from the end. */
function fromEitherEnd(index: number, length: number): number {
  return index < 0 ? index + length : index
}
