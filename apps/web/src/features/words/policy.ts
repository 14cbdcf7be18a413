import { exactJson } from '../policy/json.ts'
import { asStatement, type Comparison, type Statement } from '../policy/statement.ts'
import { shorten } from './who.ts'

const COMPARED: Record<Comparison, string> = {
  '==': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
}

/** A selector as a person would name the thing: ".to.email" is "to.email", "." is what is looked at. */
export function selectorWords(selector: string, self = 'the whole request'): string {
  if (selector === '.') return self
  if (selector === '.[]') return `everything in ${self}`
  const named = selector.replace(/^\./, '').replace(/\["([^"]*)"\]/g, '“$1”')
  return self === 'it' ? `its ${named}` : named
}

/** A value as it is read out: text in quotes, null as nothing, links and bytes by their kind. */
export function valueWords(value: unknown): string {
  if (value === null) return 'nothing'
  if (typeof value === 'string') return `“${value.length > 120 ? `${value.slice(0, 117)}…` : value}”`
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString()
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `[${value.map(valueWords).join(', ')}]`
  if (typeof value === 'object' && value !== null && '/' in value) {
    const inner = value['/']
    if (typeof inner === 'string') return `the link ${shorten(inner)}`
    return 'these bytes'
  }
  return exactJson(value)
}

function globWords(pattern: string): string {
  const stars = pattern.replaceAll('\\*', '').split('*').length - 1
  const plain = (text: string) => `“${text.replaceAll('\\*', '*')}”`
  if (stars === 0) return `reads exactly ${plain(pattern)}`
  if (pattern === '*') return 'is any text'
  if (stars === 1 && pattern.endsWith('*')) return `starts with ${plain(pattern.slice(0, -1))}`
  if (stars === 1 && pattern.startsWith('*')) return `ends with ${plain(pattern.slice(1))}`
  if (stars === 2 && pattern.startsWith('*') && pattern.endsWith('*'))
    return `contains ${plain(pattern.slice(1, -1))}`
  return `fits the pattern “${pattern}”, where * is any text`
}

function join(statements: readonly Statement[], word: string, self: string): string {
  return statements.map((statement) => words(statement, self)).join(`, ${word} `)
}

function words(statement: Statement, self: string): string {
  switch (statement.kind) {
    case 'compare':
      return `${selectorWords(statement.selector, self)} ${COMPARED[statement.operator]} ${valueWords(statement.value)}`
    case 'like':
      return `${selectorWords(statement.selector, self)} ${globWords(statement.pattern)}`
    case 'and':
      return statement.of.length === 0 ? 'nothing further is asked' : join(statement.of, 'and', self)
    case 'or':
      if (statement.of.length === 0) return 'nothing further is asked'
      return statement.of.length === 1
        ? join(statement.of, 'or', self)
        : `either ${join(statement.of, 'or', self)}`
    case 'not':
      return `it is not the case that ${words(statement.of, self)}`
    case 'all':
      return `for every item in ${selectorWords(statement.selector, self)}: ${words(statement.of, 'it')}`
    case 'any':
      return `for at least one item in ${selectorWords(statement.selector, self)}: ${words(statement.of, 'it')}`
  }
}

/** One policy statement in words; one that is not understood is quoted and said to be so. */
export function statementWords(statement: unknown): string {
  const read = asStatement(statement)
  return 'problem' in read
    ? `a condition Keyhole cannot read: ${exactJson(statement)}`
    : words(read, 'the whole request')
}

/** Each statement of a policy in words; all of them must hold. */
export function policyWords(policy: readonly unknown[]): string[] {
  return policy.map(statementWords)
}

function hasLooseNot(statement: Statement, inside: boolean): boolean {
  switch (statement.kind) {
    case 'compare':
    case 'like':
      return inside && statement.selector !== '.'
    case 'and':
    case 'or':
      return statement.of.some((inner) => hasLooseNot(inner, inside))
    case 'not':
      return hasLooseNot(statement.of, true)
    case 'all':
    case 'any':
      return (inside && statement.selector !== '.') || hasLooseNot(statement.of, inside)
  }
}

/**
 * Whether a policy has a `not` over a field that may be missing. A missing field makes the inner statement false and
 * so the `not` true: such a policy lets through requests that leave the field out.
 */
export function letsMissingThrough(policy: readonly unknown[]): boolean {
  return policy.some((statement) => {
    const read = asStatement(statement)
    return !('problem' in read) && hasLooseNot(read, false)
  })
}
