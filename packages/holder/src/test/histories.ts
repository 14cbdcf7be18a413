// Random histories of a few people and the grants between them.
import fc from 'fast-check'
import { anyArgs, anyPolicy, anyValue } from '../../../enclave/src/test/naive-arbitraries.ts'
import { Link, type Value } from '../../../enclave/src/test/naive-evaluator.ts'
import { cidText } from '../codec/cid.ts'

/** Number of people. The first owns everything. */
export const PEOPLE = 5
/** When a history starts, in seconds. */
export const START = 1_800_000_000

const COMMANDS = [
  '/',
  '/msg',
  '/msg/send',
  '/msg/send/now',
  '/msgs',
  '/crypto',
  '/a/ä',
  '/ucan/x',
  '/ucan/revoke',
]
const command = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('/msg', '/msg/send', '/msg/send/now') },
  { weight: 2, arbitrary: fc.constantFrom(...COMMANDS) },
  { weight: 1, arbitrary: fc.constantFrom('msg', '/Msg', '/msg/', '//') },
)
/** Seconds from the start of the history; null: never, undefined: not given. */
const moment = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.integer({ min: -20, max: 400 }) },
)
const start = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.integer({ min: -20, max: 200 }) },
)
const person = fc.nat({ max: PEOPLE - 1 })
/** Mostly few limits, because a history in which nothing is allowed tests little. */
const policy = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Value>([]) },
  { weight: 3, arbitrary: anyPolicy },
  { weight: 1, arbitrary: fc.constant<Value>([['==', '.a', null]]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Value>([['<', '.a', 'x']], [['==', 'a', 1n]], [['nor', []]], [[]]),
  },
)
const meta = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.array(fc.tuple(fc.constantFrom('note', 'ä', '__proto__'), anyValue), { maxLength: 2 }),
  },
)
const subject = fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: person })
const limits = {
  command,
  policy: policy.map(toJs),
  expiry: moment,
  start,
  meta: meta.map((entries) => entries && toObject(new Map(entries))),
}

export type Step =
  | ({ readonly kind: 'issue'; readonly to: number } & Limits)
  | ({
      readonly kind: 'narrow'
      readonly grant: number
      readonly to: number
      readonly subject: number | undefined
    } & Limits)
  | {
      readonly kind: 'invoke'
      readonly grant: number
      readonly command: string
      readonly args: Readonly<Record<string, unknown>>
      readonly subject: number | undefined
      readonly audience: number | undefined
      readonly lifetime: number | undefined
    }
  | { readonly kind: 'wait'; readonly seconds: number }

export interface Limits {
  readonly command: string
  readonly policy: readonly unknown[]
  readonly expiry: number | null | undefined
  readonly start: number | undefined
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('issue' as const), to: person, ...limits }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('narrow' as const),
      grant: fc.nat(),
      to: person,
      subject,
      ...limits,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('invoke' as const),
      grant: fc.nat(),
      command,
      args: anyArgs.map(toObject),
      subject,
      audience: fc.option(person, { nil: undefined }),
      lifetime: fc.option(fc.nat({ max: 500 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat({ max: 200 }) }) },
) as fc.Arbitrary<Step>

const beginning = fc.record({
  kind: fc.constant('issue' as const),
  to: fc.constant(1),
  ...limits,
  command: fc.constantFrom('/', '/msg'),
})

/** A history: a grant, and what happens to it. */
export const anyHistory: fc.Arbitrary<readonly Step[]> = fc
  .tuple(beginning as fc.Arbitrary<Step>, fc.array(step, { minLength: 2, maxLength: 8 }))
  .map(([first, rest]) => [first, ...rest])

/** DAG-JSON as callers write it. JavaScript can't write a float without a fraction. */
function toJs(value: Value): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e21 ? 0.5 : value
  if (value instanceof Uint8Array)
    return { '/': { bytes: Buffer.from(value).toString('base64').replaceAll('=', '') } }
  if (value instanceof Link) return { '/': cidText(value) }
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, toJs(each)]))
  return Array.isArray(value) ? value.map(toJs) : value
}

function toObject(value: ReadonlyMap<string, Value>): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...value].map(([key, each]) => [key, toJs(each)]))
}
