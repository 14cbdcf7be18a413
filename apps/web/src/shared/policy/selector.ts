import { t } from '@lingui/core/macro'

/**
 * One part of a selector: `.name`, `["any key"]`, `[]`, `[0]`, `[-1]`, a slice, each with an optional `?`. A part in
 * brackets may also follow a dot that starts the selector.
 */
const PART =
  /^(?:\.[A-Za-z_][A-Za-z0-9_-]*|\.?\["(?:[^"\\]|\\.)*"\]|\.?\[\]|\.?\[-?\d+\]|\.?\[(?:-?\d+)?:(?:-?\d+)?\])\?*/

/** Why a text is no selector, in words, or undefined when it is one. */
export function selectorProblem(selector: string): string | undefined {
  if (/^\.\?*$/.test(selector)) return undefined
  if (selector === '') return t`Name the field, such as .amount, or a single dot for the whole request.`
  if (!selector.startsWith('.')) return t`A field starts with a dot: “.${selector.slice(0, 40)}”.`
  let rest = selector
  while (rest !== '') {
    const part = PART.exec(rest)
    if (!part) return t`The field “${selector.slice(0, 60)}” cannot be read from “${rest.slice(0, 20)}” on.`
    rest = rest.slice(part[0].length)
  }
  return undefined
}

interface Part {
  /** Without its `?`. */
  text: string
  isKey: boolean
  isOptional: boolean
}

function partsOf(selector: string): Part[] {
  const parts: Part[] = []
  let rest = /^\.\?*$/.test(selector) ? '' : selector
  for (let found = PART.exec(rest); found !== null && rest !== ''; found = PART.exec(rest)) {
    const text = found[0].replace(/\?+$/, '').replace(/^\.\[/, '[')
    parts.push({ text: plainKey(text), isKey: /^(?:\.|\[")/.test(text), isOptional: found[0].endsWith('?') })
    rest = rest.slice(found[0].length)
  }
  return parts
}

/** A key in brackets as a name, where it is one. */
function plainKey(text: string): string {
  const [, name] = /^\["([A-Za-z_][A-Za-z0-9_-]*)"\]$/.exec(text) ?? []
  return name === undefined ? text : `.${name}`
}

/** Whether the arguments, which are a map, always have something there: a key that a map does not have is null. */
const isThere = (part: Part) => part.isKey || part.text === '[]'

/**
 * A selector as every selector of its form is written: `.["to"]` is `.to`, and so is `.to?` of the arguments, which lead there anyway.
 */
export function canonicalSelector(selector: string, scope: 'call' | 'item' = 'item'): string {
  const parts = partsOf(selector)
  if (parts.length === 0) return '.'
  const isOptional = (part: Part, at: number) =>
    part.isOptional && !(at === 0 && scope === 'call' && isThere(part))
  const text = parts.map((part, at) => `${part.text}${isOptional(part, at) ? '?' : ''}`).join('')
  return text.startsWith('.') ? text : `.${text}`
}

/** Whether a selector is of all that it starts from. */
export function isWhole(selector: string): boolean {
  return /^\.\?*$/.test(selector)
}

/** Whether a selector always leads to a value, if only to null. */
export function leadsSomewhere(selector: string, scope: 'call' | 'item'): boolean {
  return partsOf(selector).every(
    (part, at) => part.isOptional || (at === 0 && isThere(part) && scope === 'call'),
  )
}

/** What a selector can lead to that ends in all items or some of them: a list or bytes, and null where that is optional; undefined for any other. */
export function endsInItems(selector: string): { orNull: boolean } | undefined {
  const parts = partsOf(selector)
  const last = parts.at(-1)
  if (last === undefined || !/^\[(?:-?\d*:-?\d*)?\]$/.test(last.text)) return undefined
  return { orNull: last.isOptional }
}

/** The field of the call, or of the item, that a selector begins with; undefined where it begins with none. */
export function firstField(selector: string): string | undefined {
  const [first] = partsOf(selector)
  return first?.isKey ? canonicalSelector(first.text) : undefined
}
