import type { FieldKind, ToolField } from '@keyhole/vault/services'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'

/**
 * How a field is limited: not at all, to a value, to a folder, to a beginning, to a range, to a truth, or to some of its choices. `free`: not at
 * all, although the request sets it to one value.
 */
export type Rule = 'any' | 'free' | 'is' | 'under' | 'starts' | 'between' | 'yes' | 'no' | 'some'

/** A limit as a person fills it in. It keeps every part when the rule changes. */
export interface FieldLimit {
  readonly rule: Rule
  /** A value, folder, beginning, or the least number. */
  readonly value: string
  /** The greatest number. */
  readonly most: string
  /** The choices that are allowed, by their place. */
  readonly chosen: readonly number[]
}

const RULES: Readonly<Record<FieldKind, readonly Rule[]>> = {
  path: ['under', 'is', 'any'],
  paths: ['under', 'is', 'any'],
  text: ['any', 'is', 'starts'],
  texts: ['any', 'is', 'starts'],
  number: ['any', 'between'],
  integer: ['any', 'between'],
  truth: ['any', 'yes', 'no'],
  choice: ['any', 'some'],
  other: ['any'],
}

/** The rules that a field can have. A path begins with a folder, so that all of the disk is never granted by leaving it out. */
export function rulesOf(kind: FieldKind): readonly Rule[] {
  return RULES[kind]
}

/** A field's limit before anything is filled in. */
export function emptyLimit(kind: FieldKind): FieldLimit {
  return { rule: RULES[kind][0] ?? 'any', value: '', most: '', chosen: [] }
}

/** A rule in words, for a field. */
export function ruleWords(rule: Rule, kind: FieldKind): string {
  switch (rule) {
    case 'any':
      return kind === 'other' ? t`Can’t be limited here` : t`Anything`
    case 'free':
      return t`Anything`
    case 'is':
      return kind === 'path' || kind === 'paths' ? t`Exactly this` : t`Exactly this text`
    case 'under':
      return t`Everything in this folder`
    case 'starts':
      return t`Texts that start with this`
    case 'between':
      return t`Numbers in a range`
    case 'yes':
      return t`Only yes`
    case 'no':
      return t`Only no`
    case 'some':
      return t`Some of its values`
  }
}

/** Why a path isn't as gates write paths. */
function pathProblem(path: string): string | undefined {
  if (path === '') return t`Enter a path.`
  if (!path.startsWith('/')) return t`A path starts with a slash, as in /home/me/notes.`
  if (/[\\\p{Cc}]/u.test(path) || /\/\/|\/\.{1,2}(?:\/|$)/.test(path))
    return t`Write the path in full, without “..”, double slashes or backslashes.`
  return undefined
}

/** A folder without the slash, or the star, that people put at its end. */
function folderOf(text: string): string {
  return text.trim().replace(/\/\*?$/, '')
}

/** What is wrong with a limit, in words; undefined if it is finished. */
export function limitProblem({ kind, choices = [] }: Pick<ToolField, 'kind' | 'choices'>, limit: FieldLimit) {
  const { rule, value, most, chosen } = limit
  const isPath = kind === 'path' || kind === 'paths'
  switch (rule) {
    case 'under':
      return value.trim() === '/' || value.trim() === '/*' ? undefined : pathProblem(folderOf(value))
    case 'is':
      if (isPath)
        return (
          pathProblem(value.trim()) ??
          (value.trim().length > 1 && value.trim().endsWith('/')
            ? t`Leave out the slash at the end.`
            : undefined)
        )
      return value === '' ? t`Enter a text.` : undefined
    case 'starts':
      return value === '' ? t`Enter how it starts.` : undefined
    case 'between': {
      const [from, to] = [numberOf(value, kind), numberOf(most, kind)]
      if (from === undefined && to === undefined) return t`Enter a minimum, a maximum, or both.`
      if (Number.isNaN(from) || Number.isNaN(to))
        return kind === 'integer' ? t`Enter whole numbers.` : t`Enter numbers, such as 10 or 2.5.`
      return from !== undefined && to !== undefined && from > to
        ? t`The minimum is more than the maximum.`
        : undefined
    }
    case 'some':
      return chosen.some((at) => at < choices.length) ? undefined : t`Choose at least one.`
    default:
      return undefined
  }
}

/** The decimal comma of the person's language, if it has one. */
const commaOf = () => (i18n.number(0.5).includes(',') ? ',' : '.')

/** A typed number, with a decimal point or the language's comma; NaN for anything that isn't exactly one, undefined for nothing. */
function numberOf(text: string, kind: FieldKind): number | undefined {
  const typed = text.trim().replace(commaOf(), '.')
  if (typed === '') return undefined
  const value = /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN
  if (Number.isInteger(value) ? !Number.isSafeInteger(value) : kind === 'integer') return Number.NaN
  return value
}

/** A text in a pattern, in which only a star is special. */
const literal = (text: string) => text.replaceAll('*', '\\*')

/** The statements of a finished limit. A list is limited in each of its items. */
export function limitStatements(
  { kind, selector, choices = [] }: Pick<ToolField, 'kind' | 'selector' | 'choices'>,
  limit: FieldLimit,
): unknown[] {
  const { rule, value, most, chosen } = limit
  const isPath = kind === 'path' || kind === 'paths'
  const isList = kind === 'paths' || kind === 'texts'
  const about = (make: (at: string) => unknown[]) => [isList ? ['all', selector, make('.')] : make(selector)]
  switch (rule) {
    case 'is':
      return about((at) => ['==', at, isPath ? value.trim() : value])
    case 'under':
      return about((at) => ['like', at, `${literal(folderOf(value))}/*`])
    case 'starts':
      return about((at) => ['like', at, `${literal(value)}*`])
    case 'between': {
      const [from, to] = [numberOf(value, kind), numberOf(most, kind)]
      return [
        ...(from === undefined ? [] : [['>=', selector, from]]),
        ...(to === undefined ? [] : [['<=', selector, to]]),
      ]
    }
    case 'yes':
      return [['==', selector, true]]
    case 'no':
      return [['==', selector, false]]
    case 'some': {
      const each = chosen.flatMap((at) => (at < choices.length ? [['==', selector, choices[at]]] : []))
      return each.length === 1 ? each : [['or', each]]
    }
    case 'any':
    case 'free':
      return []
  }
}
