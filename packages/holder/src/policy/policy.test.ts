// Compares the policy engine with a second evaluator, written only from the table of operators.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyArgs, anyPolicy } from '../../../enclave/src/test/naive-arbitraries.ts'
import { encode } from '../../../enclave/src/test/naive-cbor.ts'
import { type Value as NaiveValue, policyHolds } from '../../../enclave/src/test/naive-evaluator.ts'
import { CborReader } from '../codec/cbor-reader.ts'
import type { Value } from '../codec/value.ts'
import { Budget, MAX_WORK } from '../codec/work-budget.ts'
import { readPolicy } from './policy.ts'

/** A value as read from a token: floats stay floats. */
function read(value: NaiveValue): Value {
  return new CborReader(new Uint8Array(encode(value)), new Budget()).value(0)
}

const holds = (policy: Value, args: Value) =>
  readPolicy(policy, new Budget()).firstBroken(args, new Budget()) === -1

it('gives the same results as the table of operators', () => {
  const held = { yes: 0, no: 0 }
  fc.assert(
    fc.property(anyPolicy, anyArgs, (policy, args) => {
      const expected = policyHolds(policy, args)
      held[expected ? 'yes' : 'no'] += 1
      expect(holds(read(policy), read(args))).toBe(expected)
    }),
    { numRuns: 5_000 },
  )
  expect(Math.min(held.yes, held.no)).toBeGreaterThan(1_000)
})

it('says which statement fails', () => {
  const policy = readPolicy(
    read([
      ['==', '.a', 1n],
      ['<', '.b', 5n],
      ['==', '.c', 2n],
    ]),
    new Budget(),
  )
  const args = read(
    new Map<string, NaiveValue>([
      ['a', 1n],
      ['b', 9n],
    ]),
  )
  expect(policy.firstBroken(args, new Budget())).toBe(1)
})

/** Each would take hours without a limit. */
const HOSTILE: [string, NaiveValue, NaiveValue][] = [
  ['stars over a long text', [['like', '.a', `${'*a'.repeat(4_096)}*b`]], 'a'.repeat(1 << 19)],
  ['a part that nearly matches everywhere', [['like', '.a', `*b${'a'.repeat(4_096)}*`]], 'a'.repeat(1 << 19)],
  [
    'a part that nearly matches, from its end',
    [['like', '.a', `*${'a'.repeat(4_096)}b*`]],
    'a'.repeat(1 << 19),
  ],
  ['nested quantifiers', quantifiers(40), nested(40)],
  [
    'a path of many slices',
    [['==', `.a${'[0:]'.repeat(1_000)}`, 1n]],
    new Array<NaiveValue>(50_000).fill(1n),
  ],
  ['a path of many values', [['==', `.a${'[]'.repeat(1_000)}`, 1n]], new Array<NaiveValue>(50_000).fill(1n)],
  [
    'long lists compared',
    [['all', '.a', ['==', '.', new Array<NaiveValue>(300).fill(0n)]]],
    new Array<NaiveValue>(2_000).fill(new Array<NaiveValue>(300).fill(0n)),
  ],
]

function quantifiers(depth: number): NaiveValue {
  let inner: NaiveValue = ['==', '.', 2n]
  for (let at = 0; at < depth; at += 1) inner = ['any', '.', inner]
  return [['any', '.a', inner]]
}

function nested(depth: number): NaiveValue {
  let value: NaiveValue = [1n, 1n]
  for (let at = 0; at < depth; at += 1) value = [value, value]
  return value.length > 0 ? value : []
}

it.each(HOSTILE)('finishes %s, or reports that it is too much', (_name, policy, value) => {
  // A value that shares its parts is much smaller than what it represents, so it isn't read from bytes here.
  const args = new Map([['a', value]]) as unknown as Value
  const spent: number[] = []
  const budget = new Budget()
  const spend = budget.spend.bind(budget)
  budget.spend = (work) => {
    spent.push(work)
    spend(work)
  }
  let answer: unknown
  try {
    answer = readPolicy(read(policy), new Budget()).firstBroken(args, budget)
  } catch (error) {
    answer = error
  }
  if (typeof answer !== 'number') expect(answer).toMatchObject({ code: 'TooMuchWork' })
  // No single step is so large that the last one could take forever.
  expect(Math.max(...spent.slice(0, 100_000))).toBeLessThan(MAX_WORK)
})

it.each([
  ['something other than a list', 'x'],
  ['an unknown operator', [['nor', []]]],
  ['one operand too many', [['==', '.a', 1n, 2n]]],
  ['one operand too few', [['not']]],
  ['a selector that is cut off', [['==', '.a[', 1n]]],
  ['a selector without a dot', [['==', 'a', 1n]]],
  ['a comparison with a text', [['<', '.a', 'x']]],
  ['an invalid pattern', [['like', '.a', 1n]]],
  ['a connective without a list', [['and', ['==', '.a', 1n]]]],
  ['nothing', [[]]],
] as [string, NaiveValue][])('refuses to read %s', (_name, policy) => {
  expect(() => readPolicy(read(policy), new Budget())).toThrow(
    expect.objectContaining({ code: 'MalformedToken' }),
  )
})
