import { plural, t } from '@lingui/core/macro'
import { plainJson } from '../policy/json.ts'
import { leafWords } from '../words/policy.ts'
import { callsTools, toolLeaf } from '../words/tool-call.ts'
import { numberWords } from '../words/value.ts'

/** The most values of a call that are told, and characters of each value and of its name. */
interface Most {
  readonly values: number
  readonly value: number
  readonly name: number
}

/** As much as one line of a list has room for. */
export const IN_A_LINE: Most = { values: 4, value: 80, name: 40 }

/** What a call says, each value as a limit to it would be told. The last one says how many are left out, if any are. */
export function argsWords(
  command: string,
  args: Readonly<Record<string, unknown>>,
  most: Most = IN_A_LINE,
): string[] {
  const all = valuesIn('', args, most)
  const told = all.slice(0, most.values).map(([path, value]) => {
    const is = { kind: 'compare', operator: '==', value: briefly(value, most) } as const
    const leaf = { ...is, selector: cut(path, most.name) }
    return (callsTools(command) ? toolLeaf(leaf) : undefined) ?? leafWords(leaf)
  })
  const more = all.length - told.length
  return more === 0 ? told : [...told, moreWords(more)]
}

/** That so many values are not shown. */
export function moreWords(count: number): string {
  return plural(count, { one: 'one more value', other: '# more values' })
}

/** The values in a map, and in lists that are too long to be told as one, with the selector of each. */
function valuesIn(path: string, value: unknown, most: Most): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const inner = Object.entries(value)
  const isList = Array.isArray(value)
  const isOne = inner.length === 0 || Object.hasOwn(value, '/')
  // The arguments themselves are a map whatever they hold.
  if (path !== '' && (isOne || (isList && plainJson(value).length <= most.value))) return [[path, value]]
  return inner.flatMap(([name, each]) => valuesIn(`${path}${isList ? `[${name}]` : keyed(name)}`, each, most))
}

function keyed(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

/** A value with its text cut, where that is long: a text, a link or bytes. */
function briefly(value: unknown, most: Most): unknown {
  if (typeof value === 'string') return cut(value, most.value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, briefly(inner, most)]))
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const ends = most / 4
  return t`${text.slice(0, 2 * ends)} [… ${numberWords(text.length - 3 * ends)} more …] ${text.slice(-ends)}`
}
