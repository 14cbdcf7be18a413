// Checks that no two different policies read alike. This file's own evaluator judges each of many policies on many calls. If two read the
// same, as a tree or as one line, they must judge every call the same. KEYHOLE_READINGS=20000 is the long form.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { type Simple, simplifyPolicy } from '../policy/simplify.ts'
import type { Limit } from './limits.ts'
import { delegationSentence, tellGrant } from './sentence.ts'

const MANY = Number(process.env.KEYHOLE_READINGS ?? 2000)
const SEED = 20_261_123

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Policy = readonly Json[]

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One step of a path. @returns an empty list if it leads nowhere, otherwise the value in a list */
function step(value: unknown, part: string): unknown[] {
  const key = /^\.([a-z]+)$/i.exec(part)?.[1] ?? /^\["(.*)"\]$/.exec(part)?.[1]
  if (key !== undefined) return isMap(value) ? [Object.hasOwn(value, key) ? value[key] : null] : []
  if (part === '[]') return isMap(value) ? [Object.values(value)] : Array.isArray(value) ? [value] : []
  const index = /^\[(-?\d+)\]$/.exec(part)?.[1]
  if (index !== undefined) {
    const item: unknown = Array.isArray(value) ? value.at(Number(index)) : undefined
    return item === undefined ? [] : [item]
  }
  const [, from, to] = /^\[(-?\d*):(-?\d*)\]$/.exec(part) ?? []
  if (from === undefined) throw new Error(`no part of a path: ${part}`)
  if (!Array.isArray(value)) return []
  return [value.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to))]
}

function follow(value: unknown, path: string): unknown[] {
  let found: unknown[] = [value]
  for (const [part] of path === '.' ? [] : path.matchAll(/\.[a-z]+\??|\.?\[[^\]]*\]\??/gi)) {
    const isOptional = part.endsWith('?')
    found = step(found[0], part.replace(/\?$/, '').replace('.[', '['))
    if (found.length === 0 && !isOptional) return []
    if (found.length === 0) found = [null]
  }
  return found
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => same(each, b[at]))
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
    )
  }
  return a === b
}

function fits(text: string, pattern: string): boolean {
  const source = pattern
    .split(/(\\\*|\*)/)
    .map((part) => (part === '*' ? '[^]*' : part.replace('\\*', '*').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('')
  return new RegExp(`^${source}$`).test(text)
}

/** UCAN 1.0.0, "Policy". */
function holds(statement: unknown, value: unknown): boolean {
  const [operator, first, second] = statement as [string, never, never]
  const statements = first as unknown[]
  switch (operator) {
    case 'and':
      return statements.every((each) => holds(each, value))
    case 'or':
      return statements.length === 0 || statements.some((each) => holds(each, value))
    case 'not':
      return !holds(first, value)
  }
  const found = follow(value, first)
  if (found.length === 0) return false
  const [at] = found
  const [left, right] = [typeof at === 'number' ? at : Number.NaN, second as number]
  switch (operator) {
    case '==':
      return same(at, second)
    case '!=':
      return !same(at, second)
    case 'like':
      return typeof at === 'string' && fits(at, second)
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
    default: {
      const items = Array.isArray(at) ? at : isMap(at) ? Object.values(at) : undefined
      if (items === undefined) return false
      return operator === 'all'
        ? items.every((item) => holds(second, item))
        : items.some((item) => holds(second, item))
    }
  }
}

/** Turns a simplified statement back into policy form. */
function asPolicy(simple: Simple): Json {
  switch (simple.kind) {
    case 'true':
      return ['and', []]
    case 'false':
      return ['not', ['and', []]]
    case 'compare':
      return [simple.operator, simple.selector, simple.value as Json]
    case 'like':
      return ['like', simple.selector, simple.pattern]
    case 'and':
    case 'or':
      return [simple.kind, simple.of.map(asPolicy)]
    case 'not':
      return ['not', asPolicy(simple.of)]
    case 'all':
    case 'any':
      return [simple.kind, simple.selector, asPolicy(simple.of)]
    case 'unread':
      throw new Error('a statement was not read')
  }
}

interface Vocabulary {
  readonly command: string
  readonly paths: readonly string[]
  readonly values: readonly Json[]
  readonly numbers: readonly number[]
  readonly patterns: readonly string[]
}

// Only a few words, so that policies often differ in a single place, plus texts that try to look like more of the sentence.
const TRICKY = 'x”; 2) “b” is “y'
const PLAIN: Vocabulary = {
  command: '/msg/send',
  paths: [
    '.',
    '.a',
    '.a?',
    '.["a"]',
    '.b',
    '.a.b',
    '.a?.b',
    '.a.b?',
    '.l',
    '.l[]',
    '.l[0]',
    '.l[-1]?',
    '.l[0:1]',
    '.["a.b"]',
  ],
  values: [
    null,
    true,
    0,
    1,
    2,
    'x',
    'xy',
    '1',
    'true',
    '',
    'x\\',
    TRICKY,
    'x\u200b',
    [],
    [1],
    ['x', 1],
    {},
    { b: 1 },
  ],
  numbers: [0, 1, 1.5, 2],
  patterns: ['*', '**', 'x', 'x*', '*x', '*x*', 'x*y', 'x\\*', 'x\\**', '', '\\*'],
}
const PAYMENT: Vocabulary = {
  command: '/payment/authorize',
  paths: ['.amount', '.currency', '.payee', '.order', '.amount?', '.l'],
  values: [
    0,
    1,
    100,
    'GBP',
    'EUR',
    'JPY',
    'GBP, or anything',
    'did:web:a.example',
    'did:web:b.example',
    'a.example',
    null,
  ],
  numbers: [0, 1, 100],
  patterns: ['*', 'did:web:*', 'did:web:a.example', '*.example'],
}

const policies = ({ paths, values, numbers, patterns }: Vocabulary) => {
  const path = fc.constantFrom(...paths)
  const { statement } = fc.letrec<{ statement: Json }>((tie) => ({
    statement: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.tuple(fc.constantFrom('==', '!='), path, fc.constantFrom(...values)),
      fc.tuple(fc.constantFrom('<', '<=', '>', '>='), path, fc.constantFrom(...numbers)),
      fc.tuple(fc.constant('like'), path, fc.constantFrom(...patterns)),
      fc.tuple(fc.constantFrom('and', 'or'), fc.array(tie('statement'), { maxLength: 3 })),
      fc.tuple(fc.constant('not'), tie('statement')),
      fc.tuple(fc.constantFrom('all', 'any'), path, tie('statement')),
    ),
  }))
  return fc.array(statement, { maxLength: 3 })
}

const calls = ({ command, values, patterns }: Vocabulary): Record<string, Json>[] => {
  const texts = patterns.map((pattern) => pattern.replace(/(?<!\\)\*/g, 'q').replaceAll('\\*', '*'))
  const value = fc.oneof(
    fc.constantFrom<Json[]>(...values, ...texts, 1.5, 3, -1),
    fc.dictionary(fc.constantFrom('b', 'c'), fc.constantFrom(...values), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    fc.array(
      fc.oneof(
        fc.constantFrom(...values),
        fc.record({ b: fc.constantFrom(...values) }, { noNullPrototype: true }),
      ),
      {
        maxLength: 2,
      },
    ),
  )
  const names =
    command === '/msg/send' ? ['a', 'b', 'l', 'a.b'] : ['amount', 'currency', 'payee', 'order', 'l']
  const call = fc.dictionary(fc.constantFrom(...names), value, {
    maxKeys: names.length,
    noNullPrototype: true,
  })
  return [{}, ...fc.sample(call, { seed: SEED, numRuns: 400 })]
}

function lines(limits: readonly Limit[], indent = ''): string[] {
  return limits.flatMap(({ text, of = [], note = '' }) => [
    `${indent}${text} ${note}`,
    ...lines(of, `${indent}  `),
  ])
}

function seen(command: string, policy: Policy): string {
  const { sentence, limits, notes } = tellGrant(capability(command, policy), undefined, 0)
  return [sentence.map(({ text }) => text).join(''), ...lines(limits), ...notes].join('\n')
}

const DID = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const capability = (command: string, policy: Policy) => ({
  ...{ issuer: DID, audience: DID, subject: DID, command, policy },
})

function check(vocabulary: Vocabulary): void {
  const { command } = vocabulary
  const args = calls(vocabulary)
  const verdicts = (policy: Policy) =>
    args.map((call) => (policy.every((statement) => holds(statement, call)) ? 1 : 0)).join('')
  const readings = new Map<string, { policy: Policy; judged: string }>()
  for (const policy of fc.sample(policies(vocabulary), { seed: SEED, numRuns: MANY })) {
    const judged = verdicts(policy)
    const told = [
      `tree\n${seen(command, policy)}`,
      `line\n${delegationSentence(capability(command, policy), undefined, 0)}`,
    ]
    for (const reading of told) {
      const before = readings.get(reading)
      if (before && before.judged !== judged)
        expect.fail(`${JSON.stringify(before.policy)} and ${JSON.stringify(policy)} both read:\n${reading}`)
      readings.set(reading, { policy, judged })
    }
  }
  expect(readings.size).toBeGreaterThan(MANY)
}

describe.each([PLAIN, PAYMENT])('policies of $command', (vocabulary) => {
  it('never read the same if they differ, as a tree or in one line', { timeout: 600_000 }, () =>
    check(vocabulary),
  )

  it('never do so in German', { timeout: 600_000 }, async () => {
    await inGerman(() => check(vocabulary))
  })

  it('are simplified without changing what they allow', { timeout: 600_000 }, () => {
    const args = calls(vocabulary)
    for (const policy of fc.sample(policies(vocabulary), { seed: SEED + 1, numRuns: MANY })) {
      const { limits, idle, never } = simplifyPolicy(policy)
      const simple = never ? [['not', ['and', []]]] : limits.map(asPolicy)
      for (const call of args) {
        const before = policy.every((statement) => holds(statement, call))
        if (before !== simple.every((statement) => holds(statement, call)))
          expect.fail(
            `${JSON.stringify(policy)} is not ${JSON.stringify(simple)} for ${JSON.stringify(call)}`,
          )
        if (idle.some((statement) => !holds(statement, call)))
          expect.fail(`${JSON.stringify(idle)} limits ${JSON.stringify(call)}`)
      }
    }
  })
})
