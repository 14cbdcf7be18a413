import { t } from '@lingui/core/macro'
import type { Leaf, Scope } from '../policy/simplify.ts'
import type { Comparison } from '../policy/statement.ts'
import { quotablePath } from '../text/visible.ts'
import { quotable, valueWords } from './value.ts'

export type { Scope } from '../policy/simplify.ts'

/** A selector without its leading dot, as a field name. */
export function fieldName(selector: string): string {
  return selector.replace(/^\.(?=.)/, '')
}

/** What a selector selects, as the subject of a sentence. */
export function selectorWords(selector: string, scope: Scope = 'call'): string {
  if (selector === '.') return scope === 'item' ? t`the item` : t`the whole request`
  if (selector === '.[]') return scope === 'item' ? t`everything in the item` : t`everything in the request`
  const name = quotablePath(fieldName(selector))
  return scope === 'item' ? t`the item’s “${name}”` : t`“${name}”`
}

/** A comparison as a sentence. Each is its own message, because languages order the parts differently. */
function compareWords(operator: Comparison, field: string, value: unknown): string {
  if (value === null && operator === '==') return t`${field} is not given`
  if (value === null && operator === '!=') return t`${field} is given`
  const is = valueWords(value)
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

/** The meaning of a pattern: its stars, and the text around them. */
export type Glob =
  | { kind: 'exact' | 'starts' | 'ends' | 'contains'; text: string }
  | { kind: 'any' }
  | { kind: 'pattern' }

/** Reads a pattern of `like`, in which only * is special and \* is a literal star. */
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

/** A comparison as a sentence without its full stop. @param field what it is about. Default: as the selector says */
export function leafWords(
  leaf: Leaf,
  scope: Scope = 'call',
  field = selectorWords(leaf.selector, scope),
): string {
  return leaf.kind === 'like'
    ? likeWords(field, leaf.pattern)
    : compareWords(leaf.operator, field, leaf.value)
}
