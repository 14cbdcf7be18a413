// Policies: conditions on the arguments (UCAN 1.0.0, "Policy"), compiled when read. An unknown operator, selector or
// form is refused, because skipping a statement would drop a limit.

import { bytewise, isBytes, isList, isMap, Link, type Value } from '../codec/value.ts'
import { type Budget, COMPARED, COMPILED, READ, STEP, VALUE } from '../codec/work-budget.ts'
import { malformed } from '../errors.ts'
import { readGlob } from './like.ts'
import { readSelector, type Selector } from './selector.ts'

/** Whether a statement is true. @throws HolderError TooMuchWork: it may be true or not */
type Statement = (value: Value, budget: Budget) => boolean

/** Statements that must all be true. */
export interface Policy {
  /** As it was read. */
  readonly source: readonly Value[]
  /**
   * The position of the first statement that isn't true; -1 if all are.
   * @throws HolderError TooMuchWork: it may be true or not
   */
  firstBroken(args: Value, budget: Budget): number
}

/** Reads a policy. @throws HolderError MalformedToken, TooMuchWork */
export function readPolicy(source: Value, budget: Budget): Policy {
  if (!isList(source)) malformed('A policy is a list of statements.')
  const statements = source.map((each) => readStatement(each, budget))
  return { source, firstBroken: (args, spent) => statements.findIndex((holds) => !holds(args, spent)) }
}

function readStatement(source: Value, budget: Budget): Statement {
  budget.spend(VALUE)
  const [op, first, second, ...rest] = isList(source) ? source : []
  const statement =
    first === undefined || rest.length > 0
      ? undefined
      : second === undefined
        ? readConnective(op, first, budget)
        : readRelation(op, first, second, budget)
  if (!statement) malformed(`A statement of the policy does not parse: “${String(op).slice(0, 20)}”.`)
  return (value, spent) => {
    spent.spend(STEP)
    return statement(value, spent)
  }
}

function readConnective(op: Value | undefined, operand: Value, budget: Budget): Statement | undefined {
  if (op === 'not') {
    const inner = readStatement(operand, budget)
    return (value, spent) => !inner(value, spent)
  }
  if ((op !== 'and' && op !== 'or') || !isList(operand)) return undefined
  const inner = operand.map((each) => readStatement(each, budget))
  return op === 'and'
    ? (value, spent) => inner.every((holds) => holds(value, spent))
    : (value, spent) => inner.length === 0 || inner.some((holds) => holds(value, spent))
}

function readRelation(
  op: Value | undefined,
  path: Value,
  operand: Value,
  budget: Budget,
): Statement | undefined {
  const selector = typeof path === 'string' ? readSelector(path, budget) : undefined
  if (!selector) return undefined
  if (op === '==' || op === '!=')
    return at(selector, (found, spent) => equal(found, operand, spent) === (op === '=='))
  if (op === 'all' || op === 'any') {
    const inner = readStatement(operand, budget)
    return at(selector, (found, spent) => {
      if (!isList(found) && !isMap(found)) return false
      // `any` ends at the first true item, `all` at the first false one.
      for (const item of found.values()) if (inner(item, spent) === (op === 'any')) return op === 'any'
      return op === 'all'
    })
  }
  if (op === 'like' && typeof operand === 'string') {
    budget.spend(COMPILED * operand.length)
    const matches = readGlob(operand)
    return at(selector, (found, spent) => typeof found === 'string' && matches(found, spent))
  }
  if (typeof op !== 'string' || !/^[<>]=?$/.test(op) || !isNumber(operand)) return undefined
  return at(selector, (found) => {
    if (!isNumber(found)) return false
    return (
      (op.length > 1 && alike(found, operand)) || (op.startsWith('<') ? found < operand : found > operand)
    )
  })
}

/** A statement about the value at a path: false if the path leads nowhere. */
function at(selector: Selector, holds: Statement): Statement {
  return (value, budget) => {
    const found = selector(value, budget)
    return found !== undefined && holds(found, budget)
  }
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number'
}

/** A bigint and a number compare by value, without rounding (ECMA-262, 7.2.13). */
function alike(a: bigint | number, b: bigint | number): boolean {
  return a <= b && a >= b
}

/** Deep equality; numbers by value. */
function equal(a: Value, b: Value, budget: Budget): boolean {
  budget.spend(STEP)
  if (isNumber(a) && isNumber(b)) return alike(a, b)
  if (isBytes(a)) return isBytes(b) && same(a, b, budget)
  if (a instanceof Link) return b instanceof Link && same(a.bytes, b.bytes, budget)
  if (isList(a)) {
    return (
      isList(b) && a.length === b.length && a.every((item, place) => equal(item, b[place] ?? null, budget))
    )
  }
  if (isMap(a)) {
    // Both have their keys in order.
    return (
      isMap(b) &&
      a.size === b.size &&
      equal([...a.keys()], [...b.keys()], budget) &&
      equal([...a.values()], [...b.values()], budget)
    )
  }
  if (typeof a === 'string') budget.spend(COMPARED * a.length)
  return a === b
}

function same(a: Uint8Array, b: Uint8Array, budget: Budget): boolean {
  budget.spend(READ * a.length)
  return a.length === b.length && bytewise(a, b) === 0
}
