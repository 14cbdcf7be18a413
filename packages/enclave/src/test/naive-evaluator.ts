// Evaluates a policy only by the table of operators in docs/ucan.md: short, slow, recursive, and written without
// looking at the plugin's code. If the two differ, one of them is wrong.

/** A link, by the bytes of its CID. */
export class Link {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** The IPLD data model: a `bigint` is an integer, a `number` is a float. */
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

/** A policy, statement or selector that doesn't parse. */
export class Malformed extends Error {}

/** A path that leads nowhere, which makes its statement false. */
class NoPath extends Error {}

/** @throws Malformed */
export function policyHolds(policy: Value, args: Value): boolean {
  return listOf(policy).every((statement) => statementHolds(statement, args))
}

function statementHolds(statement: Value, value: Value): boolean {
  const [operator, ...operands] = listOf(statement)
  switch (operator) {
    case '==':
      return atPath(operands, value, (found, wanted) => same(found, wanted))
    case '!=':
      return atPath(operands, value, (found, wanted) => !same(found, wanted))
    case '<':
      return atPath(operands, value, (found, wanted) => isNumber(found) && found < numberOf(wanted))
    case '<=':
      return atPath(operands, value, (found, wanted) => isNumber(found) && found <= numberOf(wanted))
    case '>':
      return atPath(operands, value, (found, wanted) => isNumber(found) && found > numberOf(wanted))
    case '>=':
      return atPath(operands, value, (found, wanted) => isNumber(found) && found >= numberOf(wanted))
    case 'like':
      return atPath(
        operands,
        value,
        (found, pattern) => typeof found === 'string' && isLike(found, textOf(pattern)),
      )
    case 'and': {
      const [inner] = only(operands, 1)
      return listOf(inner).every((each) => statementHolds(each, value))
    }
    case 'or': {
      const [inner] = only(operands, 1)
      return listOf(inner).length === 0 || listOf(inner).some((each) => statementHolds(each, value))
    }
    case 'not': {
      const [inner] = only(operands, 1)
      return !statementHolds(inner ?? null, value)
    }
    case 'all':
      return atPath(
        operands,
        value,
        (found, inner) => items(found)?.every((each) => statementHolds(inner, each)) ?? false,
      )
    case 'any':
      return atPath(
        operands,
        value,
        (found, inner) => items(found)?.some((each) => statementHolds(inner, each)) ?? false,
      )
    default:
      throw new Malformed('There is no such operator.')
  }
}

/** Evaluates a statement with a path and one operand; false if the path leads nowhere. */
function atPath(
  operands: readonly Value[],
  value: Value,
  answer: (found: Value, operand: Value) => boolean,
): boolean {
  const [path, operand] = only(operands, 2)
  const steps = parseSelector(textOf(path))
  let found: Value
  try {
    found = follow(steps, value)
  } catch (error) {
    if (error instanceof NoPath) return false
    throw error
  }
  return answer(found, operand ?? null)
}

interface Step {
  /** @throws NoPath */
  readonly take: (value: Value) => Value
  readonly optional: boolean
}

function follow(steps: readonly Step[], start: Value): Value {
  return steps.reduce<Value>((value, { take, optional }) => {
    try {
      return take(value)
    } catch (error) {
      if (error instanceof NoPath && optional) return null
      throw error
    }
  }, start)
}

const PART =
  /(?:\.(?<name>[A-Za-z_][\w-]*)|\.?\[(?:(?<key>"(?:[^"\\]|\\.)*")|(?<index>-?\d+)|(?<slice>-?\d*:-?\d*)|(?<values>))\])(?<optional>\?*)/uy

function parseSelector(text: string): Step[] {
  if (/^\.\?*$/.test(text)) return []
  if (!text.startsWith('.')) throw new Malformed('A selector starts with a dot.')
  const steps: Step[] = []
  let at = 0
  while (at < text.length) {
    PART.lastIndex = at
    const groups = PART.exec(text)?.groups
    if (!groups) throw new Malformed('A part of a selector does not parse.')
    at = PART.lastIndex
    steps.push({ take: step(groups), optional: groups.optional !== '' })
  }
  return steps
}

function step({ name, key, index, slice }: Record<string, string | undefined>): (value: Value) => Value {
  if (name !== undefined) return (value) => field(value, name)
  if (key !== undefined) return (value) => field(value, JSON.parse(key))
  if (index !== undefined) return (value) => item(value, Number(index))
  if (slice !== undefined) {
    const [start, end] = slice.split(':').map((bound) => (bound === '' ? undefined : Number(bound)))
    return (value) => sequence(value).slice(start, end)
  }
  return values
}

/** A missing key gives null. */
function field(value: Value, key: string): Value {
  if (value instanceof Map) return value.get(key) ?? null
  throw new NoPath()
}

function item(value: Value, index: number): Value {
  const found = sequence(value).at(index)
  if (found === undefined) throw new NoPath()
  // An item of bytes is an integer.
  return value instanceof Uint8Array ? BigInt(Number(found)) : found
}

function sequence(value: Value): Uint8Array | readonly Value[] {
  if (value instanceof Uint8Array || isList(value)) return value
  throw new NoPath()
}

/** `[]`: the values of a map, in the order of its keys in DAG-CBOR; a list or bytes unchanged. */
function values(value: Value): Value {
  return value instanceof Map ? (items(value) ?? null) : sequence(value)
}

/** What `all` and `any` iterate over. */
function items(value: Value): readonly Value[] | undefined {
  if (isList(value)) return value
  if (!(value instanceof Map)) return undefined
  const bytes = (key: string) => Buffer.from(key)
  const inOrder = [...value].sort(
    ([a], [b]) => bytes(a).length - bytes(b).length || Buffer.compare(bytes(a), bytes(b)),
  )
  return inOrder.map(([, each]) => each)
}

/** Deep equality; integers and floats by value. JavaScript compares a `bigint` with a `number` exactly. */
function same(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return !(a < b) && !(a > b)
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((each, at) => same(each, b[at] ?? null))
  }
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, each]) => b.has(key) && same(each, b.get(key) ?? null))
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  if (a instanceof Link && b instanceof Link) return same(a.bytes, b.bytes)
  return a === b
}

/** `*` matches any text, `\*` a star, everything else itself. */
function isLike(text: string, pattern: string): boolean {
  if (pattern === '') return text === ''
  if (pattern.startsWith('*')) {
    return isLike(text, pattern.slice(1)) || (text !== '' && isLike(text.slice(1), pattern))
  }
  const letter = pattern.startsWith('\\*') ? '*' : pattern.charAt(0)
  const rest = pattern.startsWith('\\*') ? pattern.slice(2) : pattern.slice(1)
  return text.startsWith(letter) && isLike(text.slice(1), rest)
}

function only(operands: readonly Value[], count: number): readonly Value[] {
  if (operands.length !== count) throw new Malformed('A statement has too few parts, or too many.')
  return operands
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number'
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function numberOf(value: Value): bigint | number {
  if (isNumber(value)) return value
  throw new Malformed('This is not a number.')
}

function textOf(value: Value | undefined): string {
  if (typeof value === 'string') return value
  throw new Malformed('This is not a text.')
}

function listOf(value: Value | undefined): readonly Value[] {
  if (value !== undefined && isList(value)) return value
  throw new Malformed('This is not a list.')
}
