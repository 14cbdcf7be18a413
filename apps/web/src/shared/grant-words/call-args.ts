import { plural, t } from '@lingui/core/macro'
import { plainJson } from '../policy/json.ts'
import { leafWords } from '../words/policy.ts'
import { callsTools, toolLeaf } from '../words/tool-call.ts'
import { numberWords } from '../words/value.ts'

/** The most values of a call that are told, and characters of each value and of its name. More would fill a phone's screen. */
const MOST = { values: 4, value: 80, name: 40 }

/** What a call says, each value as a limit to it would be told. The last one says how many are left out, if any are. */
export function argsWords(command: string, args: Readonly<Record<string, unknown>>): string[] {
  const all = valuesIn('', args)
  const told = all.slice(0, MOST.values).map(([path, value]) => {
    const is = { kind: 'compare', operator: '==', value: briefly(value) } as const
    const leaf = { ...is, selector: cut(path, MOST.name) }
    return (callsTools(command) ? toolLeaf(leaf) : undefined) ?? leafWords(leaf)
  })
  const more = all.length - told.length
  if (more === 0) return told
  return [...told, plural(more, { one: 'one more value', other: '# more values' })]
}

/** The values in a map, and in lists that are too long to be told as one, with the selector of each. */
function valuesIn(path: string, value: unknown): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const inner = Object.entries(value)
  const isList = Array.isArray(value)
  const isOne = inner.length === 0 || Object.hasOwn(value, '/')
  // The arguments themselves are a map whatever they hold.
  if (path !== '' && (isOne || (isList && plainJson(value).length <= MOST.value))) return [[path, value]]
  return inner.flatMap(([name, each]) => valuesIn(`${path}${isList ? `[${name}]` : keyed(name)}`, each))
}

function keyed(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

/** A value with its text cut, where that is long: a text, a link or bytes. */
function briefly(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MOST.value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, briefly(inner)]))
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const ends = most / 4
  return t`${text.slice(0, 2 * ends)} [… ${numberWords(text.length - 3 * ends)} more …] ${text.slice(-ends)}`
}
