import { exactJson } from './json.ts'
import { asStatement, type Statement } from './statement.ts'

/**
 * Whether a policy plainly lets through no more than another: each statement of the other stands in it, or one that is stricter by its
 * form. Where that cannot be seen the answer is no, though it may be so.
 * @param given statements that {@link asStatement} can read
 * @param asked the same
 */
export function isPlainlyLess(given: readonly unknown[], asked: readonly unknown[]): boolean {
  const texts = new Set(given.map((statement) => exactJson(statement)))
  return asked.every(
    (statement) =>
      texts.has(exactJson(statement)) || given.some((candidate) => isStricter(candidate, statement)),
  )
}

/** Whether a comparison of numbers lets nothing through that another one of the same field does not. */
function isStricter(given: unknown, asked: unknown): boolean {
  const [one, other] = [comparisonOf(given), comparisonOf(asked)]
  if (!one || one.selector !== other?.selector) return false
  const { operator, value } = one
  switch (other.operator) {
    case '<=':
      return isOneOf(operator, '==', '<', '<=') && value <= other.value
    case '<':
      return operator === '<' ? value <= other.value : isOneOf(operator, '==', '<=') && value < other.value
    case '>=':
      return isOneOf(operator, '==', '>', '>=') && value >= other.value
    case '>':
      return operator === '>' ? value >= other.value : isOneOf(operator, '==', '>=') && value > other.value
    default:
      return false
  }
}

const isOneOf = (operator: string, ...operators: string[]) => operators.includes(operator)

type Bound = Extract<Statement, { kind: 'compare' }> & { readonly value: number | bigint }

function comparisonOf(statement: unknown): Bound | undefined {
  const read = asStatement(statement)
  if ('problem' in read || read.kind !== 'compare') return undefined
  const { value } = read
  return typeof value === 'number' || typeof value === 'bigint' ? { ...read, value } : undefined
}
