// Random policies and arguments that are likely to match: few names, few numbers, and numbers near the limits.
import fc from 'fast-check'
import { Link, type Value } from './naive-evaluator.ts'
import { tokenOf } from './naive-tokens.ts'

const NAMES = ['a', 'b', 'to', 'A', '', 'ä', 'e-mail', '0']
const LINKS = ['x', 'y'].map((text) => new Link(tokenOf(Buffer.from(text)).link.bytes))

const integer = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(-3n, 3n) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      2n ** 53n,
      2n ** 53n + 1n,
      -(2n ** 53n) - 1n,
      2n ** 63n,
      2n ** 64n - 1n,
      -(2n ** 64n),
    ),
  },
)
/** DAG-CBOR has neither NaN, nor infinities, nor -0. */
const float = fc.oneof(
  fc.constantFrom(0, 0.5, 1, -1.5, 2, 2 ** 53, 2 ** 53 + 2, 2 ** 64, -(2 ** 64), 1e300, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
)
const number = fc.oneof({ weight: 2, arbitrary: integer }, { weight: 1, arbitrary: float })
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '*', '\\'), maxLength: 5 }),
  fc.constantFrom('', '\n', 'a\nb', 'ä', '😀', 'a@example.com'),
)
const bytes = fc.uint8Array({ maxLength: 4 })
const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  number,
  number,
  text,
  bytes,
  fc.constantFrom(...LINKS),
)
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES.slice(0, 3)) },
  { weight: 1, arbitrary: fc.constantFrom(...NAMES) },
)

/** Any value, three levels deep at most. */
export const anyValue: fc.Arbitrary<Value> = valueUpTo(3)

function valueUpTo(depth: number): fc.Arbitrary<Value> {
  if (depth === 0) return scalar
  const inner = valueUpTo(depth - 1)
  return fc.oneof(
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(inner, { maxLength: 4 }) },
    { weight: 2, arbitrary: mapOf(inner) },
  )
}

function mapOf(value: fc.Arbitrary<Value>): fc.Arbitrary<ReadonlyMap<string, Value>> {
  return fc.array(fc.tuple(name, value), { maxLength: 4 }).map((entries) => new Map(entries))
}

/** Arguments. */
export const anyArgs: fc.Arbitrary<ReadonlyMap<string, Value>> = mapOf(anyValue)

const bound = fc.oneof(fc.integer({ min: -4, max: 4 }).map(String), fc.constant(''))
const part = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('.a', '.b', '.to') },
  { weight: 1, arbitrary: fc.constantFrom(...NAMES).map((key) => `[${JSON.stringify(key)}]`) },
  { weight: 1, arbitrary: fc.constantFrom(...NAMES).map((key) => `.[${JSON.stringify(key)}]`) },
  { weight: 1, arbitrary: fc.constant('[]') },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 3 }).map((index) => `[${index}]`) },
  { weight: 1, arbitrary: fc.tuple(bound, bound).map(([start, end]) => `[${start}:${end}]`) },
)
const optional = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('?', '??') },
)

/** A selector that parses. */
export const anySelector: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('.', '.?') },
  {
    weight: 6,
    arbitrary: fc
      .array(fc.tuple(part, optional), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.map((each) => each.join('')).join(''))
      .map((path) => (path.startsWith('.') ? path : `.${path}`)),
  },
)

/** A statement that parses. */
export const anyStatement: fc.Arbitrary<Value> = statementUpTo(3)

function statementUpTo(depth: number): fc.Arbitrary<Value> {
  const leaf: fc.Arbitrary<Value> = fc.oneof(
    fc.tuple(fc.constantFrom('==', '!='), anySelector, valueUpTo(2)),
    fc.tuple(fc.constantFrom('<', '<=', '>', '>='), anySelector, number),
    fc.tuple(fc.constant('like'), anySelector, text),
  )
  if (depth === 0) return leaf
  const inner = statementUpTo(depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('and', 'or'), fc.array(inner, { maxLength: 3 })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('not'), inner) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('all', 'any'), anySelector, inner) },
  )
}

/** A policy that parses. */
export const anyPolicy: fc.Arbitrary<readonly Value[]> = fc.array(anyStatement, { maxLength: 2 })
