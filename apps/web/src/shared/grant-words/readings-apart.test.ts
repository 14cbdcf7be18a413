// Compares a policy with one that differs in a single place by something easily confused: a number and its text, a key and a path, an
// invisible character, a condition one list further out. If both read the same, they must judge every call the same. reading.test.ts
// compares arbitrary policies of few words; this file compares near neighbours with odd words. KEYHOLE_READINGS=20000 is the long form.
import { describe, expect, it } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { limitsText, policyLimits } from './limits.ts'
import { tellGrant } from './sentence.ts'

const MANY = Number(process.env.KEYHOLE_READINGS ?? 500)

type Value = null | boolean | number | bigint | string | readonly Value[] | { readonly [key: string]: Value }
type Statement = readonly [string, ...unknown[]]
type Policy = readonly Statement[]

/** Random numbers from a seed. */
function drawing(seed: number) {
  let state = seed | 1
  const draw = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(draw() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  return { draw, below, pick }
}
type Drawing = ReturnType<typeof drawing>

// UCAN 1.0.0, "Policy", as this file reads it. Values are as the enclave returns them, with bytes and links as maps with one key.

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'
const isMap = (value: unknown): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '/')

/** A number as an integer and the power of two to divide it by. */
function exactly(value: number | bigint): [bigint, bigint] {
  if (typeof value === 'bigint') return [value, 0n]
  let [scaled, power] = [value, 0n]
  while (!Number.isInteger(scaled)) [scaled, power] = [scaled * 2, power + 1n]
  return [BigInt(scaled), power]
}

function compare(a: number | bigint, b: number | bigint): number {
  const [[top, power], [other, otherPower]] = [exactly(a), exactly(b)]
  const [left, right] = [top << otherPower, other << power]
  return left < right ? -1 : left > right ? 1 : 0
}

function same(a: unknown, b: unknown): boolean {
  if (isNumber(a) && isNumber(b)) return compare(a, b) === 0
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [own, other] = [Object.entries(a), new Map(Object.entries(b))]
  return own.length === other.size && own.every(([key, item]) => other.has(key) && same(item, other.get(key)))
}

const PART = /^(?:\.([A-Za-z_][\w-]*)|\.?\[("(?:[^"\\]|\\.)*")\]|\.?\[(-?\d*)(:?)(-?\d*)\])(\?*)/

/** The value at the end of a path, in a list. Empty if the path leads nowhere. */
function follow(value: unknown, path: string): unknown[] {
  let [at, rest] = [value, /^\.\?*$/.test(path) ? '' : path]
  while (rest !== '') {
    const [whole = '', name, quoted, from = '', colon, to = '', optional] = PART.exec(rest) ?? []
    if (whole === '') throw new Error(`no path: ${path}`)
    rest = rest.slice(whole.length)
    const key = name ?? (quoted === undefined ? undefined : String(JSON.parse(quoted)))
    let next: unknown
    if (key !== undefined) next = isMap(at) ? (Object.hasOwn(at, key) ? at[key] : null) : undefined
    else if (colon === ':')
      next = Array.isArray(at)
        ? at.slice(from === '' ? 0 : Number(from), to === '' ? at.length : Number(to))
        : undefined
    else if (from !== '') next = Array.isArray(at) ? at.at(Number(from)) : undefined
    else next = isMap(at) ? Object.values(at) : Array.isArray(at) ? at : undefined
    if (next === undefined && optional === '') return []
    at = next === undefined ? null : next
  }
  return [at]
}

function fits(text: string, pattern: string): boolean {
  const parts = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll('\\*', '*'))
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let rest = text.slice(first.length, text.length - last.length)
  for (const part of others) {
    const found = rest.indexOf(part)
    if (found < 0) return false
    rest = rest.slice(found + part.length)
  }
  return true
}

function holds([operator, first, second]: Statement, value: unknown): boolean {
  if (operator === 'not') return !holds(first as Statement, value)
  if (operator === 'and') return (first as Policy).every((each) => holds(each, value))
  if (operator === 'or')
    return (first as Policy).length === 0 || (first as Policy).some((each) => holds(each, value))
  const found = follow(value, String(first))
  if (found.length === 0) return false
  const [at] = found
  switch (operator) {
    case '==':
      return same(at, second)
    case '!=':
      return !same(at, second)
    case 'like':
      return typeof at === 'string' && fits(at, String(second))
    case 'all':
    case 'any': {
      const items = Array.isArray(at) ? at : isMap(at) ? Object.values(at) : undefined
      if (items === undefined) return false
      return operator === 'all'
        ? items.every((item) => holds(second as Statement, item))
        : items.some((item) => holds(second as Statement, item))
    }
    default: {
      if (!isNumber(at)) return false
      const order = compare(at, second as number)
      return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[operator] ?? false
    }
  }
}

const judge = (policy: Policy, call: unknown) => policy.every((statement) => holds(statement, call))

// Odd words, and for each the words it can be confused with.

const BIG = 2 ** 60
/** Groups of texts and values that might read alike. */
const ALIKE: readonly (readonly Value[])[] = [
  [1, '1', true, 'true', [1], '[1]', 1.0000000001],
  [null, 'nothing', '', 'null', [], 'an empty list', {}, '{}'],
  [
    'x',
    'x ',
    ' x',
    'x\u200b',
    'x\\u{200b}',
    'x\\',
    'x\\\\',
    '“x”',
    'x”',
    '\\“x',
    'х',
    'ｘ',
    'x\u0301',
    'x\n',
    'x\\n',
  ],
  ['x” or ““a” is “y', 'x”, and “b” is “y', 'x”; end of the list', 'x”; 2) “b” is “y', 'x; b'],
  [
    BIG,
    1152921504606847000n,
    BigInt(BIG),
    BigInt(BIG) + 1n,
    1.152921504606847e18,
    '1,152,921,504,606,846,976',
  ],
  [2 ** 53, 9007199254740993n, 9007199254740992n, 9007199254740991, 2 ** 53 + 2],
  [0.1, 0.30000000000000004, 0.3, 1e-7, 1e21, 1e22, '1e21', 1000, '1,000', '1000', 1000.5, 999.9999999999999],
  [{ '/': { bytes: 'eA' } }, 'the bytes “eA”', { '/': 'eA' }, 'eA', { bytes: 'eA' }],
  [['a', 'b'], ['a, b'], 'a, b', '["a", "b"]', { 0: 'a', 1: 'b' }, ['b', 'a'], [['a', 'b']]],
  [{ a: 1 }, { a: '1' }, { 'a\u200b': 1 }, { a: 1, b: null }, { a: { a: 1 } }],
  [
    'did:web:a.example',
    'did:web:a.example:b',
    'did:web:a.example%3A1',
    'a.example',
    'did:web:A.example',
    'did:key:z6Mk',
  ],
  ['GBP', 'gbp', 'GBP ', 'EUR', 'JPY', 'XXX', 'it is paid in GBP'],
]
const VALUES = ALIKE.flat()

const PATHS: readonly (readonly string[])[] = [
  ['.', '.?', '.[]', '.[]?', '.[][0]', '.[][0:1]', '.["."]', '.[""]', '.["[]"]'],
  ['.a', '.["a"]', '.a?', '.A', '.["a?"]', '.["a "]', '.["a\u200b"]', '.["“a”"]', '.["\\u0061"]'],
  ['.a.b', '.["a.b"]', '.a?.b', '.a.b?', '.["a"].b', '.a["b"]', '.["a’s b"]', '.a.b.b'],
  [
    '.l',
    '.l[]',
    '.l[0]',
    '.l[-1]',
    '.l[0:1]',
    '.l[1:]',
    '.l[:-1]',
    '.l[0]?',
    '.l[00]',
    '.["l[0]"]',
    '.l[0].b',
    '.l[:]',
    '.l[9:]',
  ],
  ['.amount', '.["amount"]', '.amount?', '.currency', '.payee', '.payee?', '.order', '.amount.b'],
]
const NUMBERS = [0, 1, 100, 0.5, BIG, 9007199254740993n, 2 ** 53, 1000, 18446744073709551615n]
const PATTERNS = [
  '*',
  '**',
  'x',
  'x*',
  '*x',
  '*x*',
  'x\\*',
  'x\\**',
  '\\*',
  '*\\*',
  'x*y',
  'x\\*y*',
  '',
  '*x”*',
  'did:web:*',
  'did:web:a.example*',
  '*”*',
  'x\\',
]
const COMMANDS = ['/msg/send', '/payment/authorize', '/a”b', '/']

function valueBeside(value: unknown, { pick }: Drawing): Value {
  return pick(ALIKE.find((group) => group.some((each) => Object.is(each, value))) ?? VALUES)
}

function pathBeside(path: string, { pick }: Drawing): string {
  return pick(PATHS.find((group) => group.includes(path)) ?? PATHS.flat())
}

function statement(depth: number, source: Drawing): Statement {
  const { draw, below, pick } = source
  const path = pick(pick(PATHS))
  const inner = () => statement(depth - 1, source)
  const kind = draw()
  if (depth > 0 && kind < 0.15) return ['not', inner()]
  if (depth > 0 && kind < 0.35) return [pick(['and', 'or']), Array.from({ length: below(4) }, inner)]
  if (depth > 0 && kind < 0.5) return [pick(['all', 'any']), path, inner()]
  if (kind < 0.8) return [pick(['==', '!=']), path, pick(pick(ALIKE))]
  if (kind < 0.9) return [pick(['<', '<=', '>', '>=']), path, pick(NUMBERS)]
  return ['like', path, pick(PATTERNS)]
}

/** A statement with one thing changed. */
function changed(of: Statement, source: Drawing): Statement {
  const { draw, below, pick } = source
  const [operator, first, second] = of
  if (draw() < 0.08) return ['not', of]
  switch (operator) {
    case 'not':
      return draw() < 0.2 ? (first as Statement) : ['not', changed(first as Statement, source)]
    case 'and':
    case 'or': {
      const list = first as Policy
      if (list.length === 0 || draw() < 0.2) return [operator === 'and' ? 'or' : 'and', list]
      const at = below(list.length)
      const each = list[at] as Statement
      if (draw() < 0.2) return [operator, list.filter((_, index) => index !== at)]
      // Move the following ones one list further in, or those of a list one further out.
      if (draw() < 0.3) return [operator, [...list.slice(0, at), [pick(['and', 'or']), list.slice(at)]]]
      if ((each[0] === 'and' || each[0] === 'or') && draw() < 0.5)
        return [operator, [...list.slice(0, at), ...(each[1] as Policy), ...list.slice(at + 1)]]
      return [operator, list.map((member, index) => (index === at ? changed(member, source) : member))]
    }
    case 'all':
    case 'any':
      if (draw() < 0.2) return [operator === 'all' ? 'any' : 'all', first, second]
      if (draw() < 0.3) return [operator, pathBeside(String(first), source), second]
      return [operator, first, changed(second as Statement, source)]
    case 'like':
      return draw() < 0.3
        ? [operator, pathBeside(String(first), source), second]
        : draw() < 0.2
          ? ['==', first, second]
          : [operator, first, pick(PATTERNS)]
    case '==':
    case '!=':
      if (draw() < 0.2) return [operator === '==' ? '!=' : '==', first, second]
      return draw() < 0.4
        ? [operator, pathBeside(String(first), source), second]
        : [operator, first, valueBeside(second, source)]
    default:
      if (draw() < 0.3) return [pick(['<', '<=', '>', '>=']), first, second]
      return draw() < 0.4
        ? [operator, pathBeside(String(first), source), second]
        : [operator, first, pick(NUMBERS)]
  }
}

function policyBeside(policy: Policy, source: Drawing): Policy {
  const { draw, below, pick } = source
  if (policy.length === 0) return [statement(1, source)]
  const at = below(policy.length)
  if (draw() < 0.1) return [...policy.slice(0, at), [pick(['and', 'or']), policy.slice(at)]]
  if (draw() < 0.1) return policy.filter((_, index) => index !== at)
  return policy.map((each, index) => (index === at ? changed(each, source) : each))
}

/** The values that a policy's conditions name, with their look-alikes. Calls are built from them. */
function namedIn([operator, first, second]: Statement): Value[] {
  if (operator === 'not') return namedIn(first as Statement)
  if (operator === 'and' || operator === 'or') return (first as Policy).flatMap(namedIn)
  if (operator === 'all' || operator === 'any') return namedIn(second as Statement)
  if (operator !== 'like') return [second as Value]
  const text = String(second)
  return ['', 'q', '*'].map((star) => text.replace(/(?<!\\)\*/g, star).replaceAll('\\*', '*'))
}

const KEYS = [
  'a',
  'b',
  'l',
  'a.b',
  'a?',
  'a ',
  'a\u200b',
  '“a”',
  'A',
  '.',
  '',
  '[]',
  'l[0]',
  'a’s b',
  'amount',
  'currency',
  'payee',
  'order',
]

function callsFor(policies: readonly Policy[], source: Drawing): Record<string, Value>[] {
  const { draw, below, pick } = source
  const named = policies.flat().flatMap(namedIn)
  const numbers = named
    .filter(isNumber)
    .flatMap((value): Value[] => [value, Number(value) + 1, Number(value) - 1])
  const values: Value[] = [
    ...named,
    ...numbers,
    ...named.map((value) => valueBeside(value, source)),
    null,
    5,
    'q',
  ]
  const value = (depth: number): Value => {
    const kind = draw()
    if (depth > 0 && kind < 0.25) return Array.from({ length: below(3) }, () => value(depth - 1))
    if (depth > 0 && kind < 0.4) return map(depth - 1)
    return pick(values)
  }
  const map = (depth: number): Record<string, Value> =>
    Object.fromEntries(Array.from({ length: below(5) }, () => [pick(KEYS), value(depth)]))
  return [{}, ...Array.from({ length: 150 }, () => map(2))]
}

const shown = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))

const DID = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** What a person reads: the sentence with its tree, and everything in one line. */
function readings(command: string, policy: Policy): [string, string] {
  const grant = tellGrant({ issuer: DID, audience: DID, subject: DID, command, policy }, undefined, 0)
  const words = grant.sentence.map(({ text }) => text).join('')
  const lines = (limits: typeof grant.limits, indent: string): string =>
    limits
      .map(({ text, of = [], note = '' }) => `\n${indent}${text} ${note}${lines(of, `${indent}  `)}`)
      .join('')
  const notes = grant.notes.join('\n')
  return [`${words}${lines(grant.limits, '  ')}\n${notes}`, `${words} ${limitsText(grant.limits)}\n${notes}`]
}

function compareReadings(seed: number): number {
  const source = drawing(seed)
  let compared = 0
  for (let count = 0; count < MANY; count += 1) {
    const command = source.pick(COMMANDS)
    const policy: Policy = Array.from({ length: 1 + source.below(3) }, () => statement(3, source))
    const [tree, line] = readings(command, policy)
    for (let times = 0; times < 8; times += 1) {
      const other = policyBeside(policy, source)
      const [otherTree, otherLine] = readings(command, other)
      if (tree !== otherTree && line !== otherLine) continue
      compared += 1
      for (const call of callsFor([policy, other], source))
        if (judge(policy, call) !== judge(other, call)) {
          expect.fail(`${shown(policy)}\n${shown(other)}\ndiffer for ${shown(call)}, and both read\n${line}`)
        }
    }
  }
  return compared
}

describe('a policy and a near neighbour', { timeout: 600_000 }, () => {
  it('read differently if they differ', () => {
    expect(compareReadings(20_261_124)).toBeGreaterThan(MANY / 20)
  })

  it('do so in German', async () => {
    let compared = 0
    await inGerman(() => {
      compared = compareReadings(411_62_02)
    })
    expect(compared).toBeGreaterThan(MANY / 20)
  })
})

/** Values for a field, and the note that says it may have any. A policy that is true whatever a field contains must not hide that. */
const OPEN: readonly { field: string; set: readonly Value[]; note: RegExp }[] = [
  { field: 'zz', set: [null, 5, 'q', [], ['q'], {}, { b: 1 }, true], note: /Other fields are not limited/ },
  { field: 'amount', set: [10 ** 15, 18446744073709551615n], note: /amount is not limited/ },
  {
    field: 'payee',
    set: ['did:web:evil.test', 'did:web:x.evil.test', 'did:web:evil.test%3A8443'],
    note: /any shop/,
  },
  { field: 'currency', set: ['USD', 'XXX', 'KWD'], note: /currency is not limited/ },
]

/** The fields that may have any value in every matching call without the words saying so. */
function hiddenOpen(command: string, policy: Policy, source: Drawing): string[] {
  const { limits, notes } = policyLimits(command, policy)
  const passing = callsFor([policy], source).filter((call) => judge(policy, call))
  if (limits.length === 0 || passing.length < 10) return []
  const isPayment = command !== '/msg/send'
  return OPEN.filter(({ field, set, note }) => {
    if ((field === 'zz') === isPayment || notes.some((each) => note.test(each))) return false
    const within = [5, 'q', ...policy.flatMap(namedIn)].flatMap((each): Value[] => [
      each,
      [each],
      { b: each },
    ])
    const maps = KEYS.flatMap((key) => within.map((each): Value => ({ [key]: each })))
    const values = [...set, ...within, ...maps, ...maps.map((each) => [each])]
    return passing.every((call) => values.every((value) => judge(policy, { ...call, [field]: value })))
  }).map(({ field }) => field)
}

describe('a field without limits', { timeout: 600_000 }, () => {
  it('is reported as open', () => {
    const source = drawing(77)
    for (let count = 0; count < MANY; count += 1) {
      const command = source.pick(['/msg/send', '/payment/authorize'])
      const policy: Policy = Array.from({ length: 1 + source.below(2) }, () => statement(2, source))
      expect(hiddenOpen(command, policy, source), shown(policy)).toEqual([])
    }
  })

  it('is not one that a condition on all fields covers, and is one if that covers a single field', () => {
    const source = drawing(1)
    expect(hiddenOpen('/msg/send', [['any', '.', ['==', '.', 1]]], source)).toEqual([])
    expect(hiddenOpen('/msg/send', [['==', '.[][0]', 1]], source)).toEqual([])
    expect(policyLimits('/msg/send', [['all', '.', ['==', '.', 1]]]).notes).toEqual([])
    expect(policyLimits('/msg/send', [['all', '.[][0:1]', ['==', '.', 1]]]).notes).not.toEqual([])
    expect(policyLimits('/msg/send', [['all', '.[]?', ['or', []]]]).limits).toEqual([])
  })
})
