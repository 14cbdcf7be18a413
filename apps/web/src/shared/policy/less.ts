import { plainJson } from './json.ts'
import { asStatement, type Statement } from './statement.ts'

/**
 * Whether a policy clearly allows no more than another: for each statement of the other, it has the same one or one with a stricter form.
 * If that isn't obvious, the answer is no, even if it may be so.
 * @param given statements that {@link asStatement} can read
 * @param asked the same
 */
export function isPlainlyLess(given: readonly unknown[], asked: readonly unknown[]): boolean {
  const texts = new Set(given.map((statement) => plainJson(statement)))
  return asked.every(
    (statement) =>
      texts.has(plainJson(statement)) || given.some((candidate) => isStricter(candidate, statement)),
  )
}

/** Whether one comparison of numbers is at least as strict as another of the same field. */
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
