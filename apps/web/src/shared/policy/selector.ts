import { t } from '@lingui/core/macro'

/**
 * One part of a selector: `.name`, `["any key"]`, `[]`, `[0]`, `[-1]`, a slice, each with an optional `?`. A part in brackets may also
 * follow a dot that starts the selector.
 */
const PART =
  /^(?:\.[A-Za-z_][A-Za-z0-9_-]*|\.?\["(?:[^"\\]|\\.)*"\]|\.?\[\]|\.?\[-?\d+\]|\.?\[(?:-?\d+)?:(?:-?\d+)?\])\?*/

/** Why a text isn't a selector, in words. Undefined if it is one. */
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

/** A key in brackets as a name, if possible. */
function plainKey(text: string): string {
  const [, name] = /^\["([A-Za-z_][A-Za-z0-9_-]*)"\]$/.exec(text) ?? []
  return name === undefined ? text : `.${name}`
}

/** Whether a part always leads somewhere in the arguments, which are a map: a key that a map lacks is null. */
const isThere = (part: Part) => part.isKey || part.text === '[]'

/** A selector in one standard form: `.["to"]` is `.to`, and so is `.to?` at the arguments, where it always leads somewhere. */
export function canonicalSelector(selector: string, scope: 'call' | 'item' = 'item'): string {
  const parts = partsOf(selector)
  if (parts.length === 0) return '.'
  const isOptional = (part: Part, at: number) =>
    part.isOptional && !(at === 0 && scope === 'call' && isThere(part))
  const text = parts.map((part, at) => `${part.text}${isOptional(part, at) ? '?' : ''}`).join('')
  return text.startsWith('.') ? text : `.${text}`
}

/** Whether a selector selects everything it starts from. */
export function isWhole(selector: string): boolean {
  return /^\.\?*$/.test(selector)
}

/** Whether a selector always leads to a value, even if only to null. */
export function leadsSomewhere(selector: string, scope: 'call' | 'item'): boolean {
  return partsOf(selector).every(
    (part, at) => part.isOptional || (at === 0 && isThere(part) && scope === 'call'),
  )
}

/** For a selector that ends in all or some items: it leads to a list or bytes, and if optional also to null. Undefined for any other. */
export function endsInItems(selector: string): { orNull: boolean } | undefined {
  const parts = partsOf(selector)
  const last = parts.at(-1)
  if (last === undefined || !/^\[(?:-?\d*:-?\d*)?\]$/.test(last.text)) return undefined
  return { orNull: last.isOptional }
}

/** Whether a selector's last part is the name of a field, not a place in a list. */
export function endsInField(selector: string): boolean {
  return partsOf(selector).at(-1)?.isKey ?? false
}

/** The field of the call or item that a selector starts with. Undefined if it doesn't start with one. */
export function firstField(selector: string): string | undefined {
  const [first] = partsOf(selector)
  return first?.isKey ? canonicalSelector(first.text) : undefined
}
