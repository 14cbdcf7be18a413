import { plural, t } from '@lingui/core/macro'
import { selectorProblem } from './selector.ts'

/** The operators that compare a field with a value. */
export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof COMPARISONS)[number]

/** A parsed policy statement of UCAN 1.0.0. */
export type Statement =
  | { kind: 'compare'; operator: Comparison; selector: string; value: unknown }
  | { kind: 'like'; selector: string; pattern: string }
  | { kind: 'and' | 'or'; of: Statement[] }
  | { kind: 'not'; of: Statement }
  | { kind: 'all' | 'any'; selector: string; of: Statement }

/** Why a statement can't be read, in words. */
export interface Problem {
  problem: string
}

/** Nesting deeper than the token format allows is refused before it can exhaust the stack. */
const DEEPEST = 128

function isComparison(operator: string): operator is Comparison {
  return COMPARISONS.some((known) => known === operator)
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Reads one policy statement. This helps the person who types it; the enclave reads the policy itself, and its decision counts. */
export function asStatement(value: unknown, depth = 0): Statement | Problem {
  if (depth > DEEPEST) return { problem: t`Statements are nested more than 128 deep.` }
  if (!Array.isArray(value)) return { problem: t`Each statement is a list, such as ["<=", ".amount", 5000].` }
  const items: unknown[] = value
  const [operator, first, second] = items
  if (typeof operator !== 'string')
    return { problem: t`A statement starts with its operator in quotes, such as "==".` }
  const arity = (count: number): Problem | undefined =>
    items.length === count ? undefined : { problem: partsProblem(operator, count - 1, items.length - 1) }

  if (isComparison(operator) || operator === 'like') {
    const wrong = arity(3) ?? badSelector(first)
    if (wrong) return wrong
    const selector = String(first)
    if (operator === 'like') {
      if (typeof second !== 'string')
        return { problem: t`“like” compares with a text in quotes, where * is any text.` }
      return { kind: 'like', selector, pattern: second }
    }
    if (operator !== '==' && operator !== '!=' && !isNumber(second)) {
      return { problem: t`“${operator}” compares with a number.` }
    }
    return { kind: 'compare', operator, selector, value: second }
  }
  if (operator === 'and' || operator === 'or') {
    const wrong = arity(2)
    if (wrong) return wrong
    if (!Array.isArray(first)) return { problem: t`“${operator}” takes a list of statements.` }
    const of: Statement[] = []
    for (const inner of first) {
      const read = asStatement(inner, depth + 1)
      if ('problem' in read) return read
      of.push(read)
    }
    return { kind: operator, of }
  }
  if (operator === 'not') {
    const wrong = arity(2)
    if (wrong) return wrong
    const of = asStatement(first, depth + 1)
    return 'problem' in of ? of : { kind: 'not', of }
  }
  if (operator === 'all' || operator === 'any') {
    const wrong = arity(3) ?? badSelector(first)
    if (wrong) return wrong
    const of = asStatement(second, depth + 1)
    return 'problem' in of ? of : { kind: operator, selector: String(first), of }
  }
  return { problem: t`“${operator}” isn’t an operator. Use one of == != < <= > >= like and or not all any.` }
}

function partsProblem(operator: string, wanted: number, found: number): string {
  return plural(wanted, {
    one: `“${operator}” takes # part after it, not ${found}.`,
    other: `“${operator}” takes # parts after it, not ${found}.`,
  })
}

function badSelector(selector: unknown): Problem | undefined {
  if (typeof selector !== 'string')
    return { problem: t`The field comes second, in quotes, such as ".amount".` }
  const problem = selectorProblem(selector)
  return problem === undefined ? undefined : { problem }
}
