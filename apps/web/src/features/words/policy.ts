import { t } from '@lingui/core/macro'
import { exactJson } from '../policy/json.ts'
import { asStatement, type Comparison, type Statement } from '../policy/statement.ts'
import { quotable, valueWords } from './value.ts'

/** Where a selector starts from: the arguments of the call, or one item of a list in them. */
export type Scope = 'call' | 'item'

/** A selector without its leading dot, as field names are told from each other. */
export function fieldName(selector: string): string {
  return selector.replace(/^\.(?=.)/, '')
}

/** What a selector leads to, as the subject of a sentence. */
export function selectorWords(selector: string, scope: Scope = 'call'): string {
  if (selector === '.') return scope === 'item' ? t`the item` : t`the whole request`
  if (selector === '.[]') return scope === 'item' ? t`everything in the item` : t`everything in the request`
  return t`“${quotable(fieldName(selector))}”`
}

/** A comparison as a sentence. Each is a message of its own, since languages order the parts differently. */
function compareWords(operator: Comparison, field: string, value: unknown, name: string): string {
  if (value === null && operator === '==') return t`${field} is not given`
  if (value === null && operator === '!=') return t`${field} is given`
  const is = valueWords(value, name)
  switch (operator) {
    case '==':
      return t`${field} is ${is}`
    case '!=':
      return t`${field} is not ${is}`
    case '<':
      return t`${field} is less than ${is}`
    case '<=':
      return t`${field} is at most ${is}`
    case '>':
      return t`${field} is more than ${is}`
    case '>=':
      return t`${field} is at least ${is}`
  }
}

/** What a pattern comes down to: how many stars it has, and the text around them. */
export type Glob =
  | { kind: 'exact' | 'starts' | 'ends' | 'contains'; text: string }
  | { kind: 'any' }
  | { kind: 'pattern' }

/** Reads a pattern of `like`, in which only * is special and \* is a star itself. */
export function readGlob(pattern: string): Glob {
  const parts = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll('\\*', '*'))
  const [first = '', second = '', third = ''] = parts
  if (parts.length === 1) return { kind: 'exact', text: first }
  if (pattern === '*') return { kind: 'any' }
  if (parts.length === 2 && second === '') return { kind: 'starts', text: first }
  if (parts.length === 2 && first === '') return { kind: 'ends', text: second }
  if (parts.length === 3 && first === '' && third === '' && second !== '')
    return { kind: 'contains', text: second }
  return { kind: 'pattern' }
}

function likeWords(field: string, pattern: string): string {
  const glob = readGlob(pattern)
  const text = 'text' in glob ? quotable(glob.text) : ''
  switch (glob.kind) {
    case 'exact':
      return t`${field} reads exactly “${text}”`
    case 'any':
      return t`${field} is any text`
    case 'starts':
      return t`${field} starts with “${text}”`
    case 'ends':
      return t`${field} ends with “${text}”`
    case 'contains':
      return t`${field} contains “${text}”`
    case 'pattern':
      return t`${field} fits the pattern “${quotable(pattern)}”, where * is any text`
  }
}

/** A statement inside another: in brackets where it is made of several, so that it cannot be read two ways. */
function nested(statement: Statement, scope: Scope): string {
  const words = readStatement(statement, scope)
  const several = (statement.kind === 'and' || statement.kind === 'or') && statement.of.length > 1
  return several ? `(${words})` : words
}

/** A statement in words: a sentence without its full stop. */
export function readStatement(statement: Statement, scope: Scope = 'call'): string {
  switch (statement.kind) {
    case 'compare': {
      const { operator, selector, value } = statement
      return compareWords(operator, selectorWords(selector, scope), value, fieldName(selector))
    }
    case 'like':
      return likeWords(selectorWords(statement.selector, scope), statement.pattern)
    case 'and':
    case 'or': {
      const [first, ...rest] = statement.of.map((inner) => nested(inner, scope))
      if (first === undefined) return t`nothing further is asked`
      return rest.reduce((a, b) => (statement.kind === 'and' ? t`${a}, and ${b}` : t`${a}, or ${b}`), first)
    }
    case 'not':
      return t`it is not the case that ${nested(statement.of, scope)}`
    case 'all':
      return t`for every item in ${selectorWords(statement.selector, scope)}: ${nested(statement.of, 'item')}`
    case 'any':
      return t`for at least one item in ${selectorWords(statement.selector, scope)}: ${nested(statement.of, 'item')}`
  }
}

/** One policy statement in words; one that is not understood is quoted and said to be so. */
export function statementWords(statement: unknown): string {
  const read = asStatement(statement)
  return 'problem' in read ? t`a condition Keyhole cannot read: ${exactJson(statement)}` : readStatement(read)
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
