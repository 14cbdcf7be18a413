import { t } from '@lingui/core/macro'
import { limitText, statementLimit } from '../../shared/grant-words/limits.ts'
import { exactJson, readJson } from '../../shared/policy/json.ts'
import { asStatement, type Statement } from '../../shared/policy/statement.ts'
import { toValue } from '../../shared/policy/value-text.ts'

/** A field that a policy mentions. */
export interface PolicyField {
  /** Its path, as policies write it: ".to.email". */
  readonly path: string
  /** The policy's limits on it, in words. */
  readonly limits: readonly string[]
  /** The only value that the policy allows, if there is just one, as a person would type it. */
  readonly preset: string | undefined
  /** Whether it is compared as text, so that digits stay text. */
  readonly isText: boolean
}

/** The arguments of a request while they are filled in: as fields, or as JSON if fields can't express them. */
export type ArgsDraft =
  | {
      readonly mode: 'fields'
      readonly values: Readonly<Record<string, string>>
      readonly more: readonly ArgRow[]
    }
  | { readonly mode: 'json'; readonly text: string }

/** An argument that no policy mentions. */
export interface ArgRow {
  readonly id: number
  readonly path: string
  readonly value: string
}

export const NO_ARGS: ArgsDraft = { mode: 'fields', values: {}, more: [] }

const PART = /\.([A-Za-z_][A-Za-z0-9_-]*)|\.?\["((?:[^"\\]|\\.)*)"\]/y

/** The names that lead to a field. Undefined for a selector that goes into a list or selects everything at once. */
export function namesOf(path: string): string[] | undefined {
  const names: string[] = []
  PART.lastIndex = 0
  while (PART.lastIndex < path.length) {
    const found = PART.exec(path)
    if (!found) return undefined
    const name = found[1] ?? quoted(found[2] ?? '')
    if (name === undefined) return undefined
    names.push(name)
  }
  return names.length === 0 ? undefined : names
}

/** A name inside JSON's quotation marks. Undefined if it has an escape that JSON doesn't know. */
function quoted(inside: string): string | undefined {
  const read = readJson(`"${inside}"`)
  return 'value' in read && typeof read.value === 'string' ? read.value : undefined
}

/** The fields that a policy mentions, in its order, without duplicates. */
export function fieldsOf(policy: readonly unknown[]): PolicyField[] {
  const fields = new Map<string, PolicyField>()
  const note = (statement: Statement, raw: unknown, whole: boolean) => {
    switch (statement.kind) {
      case 'compare':
      case 'like': {
        const { selector: path } = statement
        if (namesOf(path) === undefined) return
        const before = fields.get(path)
        const fixed = whole && statement.kind === 'compare' && statement.operator === '=='
        fields.set(path, {
          path,
          limits: [...(before?.limits ?? []), limitText(statementLimit(raw))],
          preset: fixed ? typed(statement.value) : before?.preset,
          isText: statement.kind === 'like' || (before?.isText ?? false),
        })
        return
      }
      case 'and':
      case 'or': {
        const inner = Array.isArray(raw) && Array.isArray(raw[1]) ? raw[1] : []
        for (const [index, each] of statement.of.entries()) {
          note(each, inner[index], whole && statement.kind === 'and')
        }
      }
    }
  }
  for (const raw of policy) {
    const read = asStatement(raw)
    if (!('problem' in read)) note(read, raw, true)
  }
  return [...fields.values()]
}

/** What a request for a payment has to name. */
const OF_PAYMENT = ['.payee', '.amount', '.currency', '.order']

/** The same fields, and the others that a request for a payment has to name. An order is a text, also one of digits. */
export function withPayment(fields: readonly PolicyField[]): readonly PolicyField[] {
  const missing = OF_PAYMENT.filter((path) => !fields.some((field) => field.path === path))
  return [
    ...fields,
    ...missing.map((path) => ({ path, limits: [], preset: undefined, isText: path === '.order' })),
  ]
}

/** The paths of the fields that a request for a payment has to name and that are still empty. As JSON there are no fields. */
export function emptyOfPayment(draft: ArgsDraft, fields: readonly PolicyField[]): string[] {
  if (draft.mode === 'json') return []
  return fields
    .filter(
      ({ path, preset = '' }) => OF_PAYMENT.includes(path) && (draft.values[path] ?? preset).trim() === '',
    )
    .map(({ path }) => path)
}

/** A value as it is typed: plain if that reads back the same, otherwise as JSON. */
function typed(value: unknown): string {
  return typeof value === 'string' && toValue(value) === value ? value : exactJson(value)
}

/** The arguments that a draft produces, or what is wrong with it, in words. */
export function readArgs(
  draft: ArgsDraft,
  fields: readonly PolicyField[],
): { args: Record<string, unknown> } | { problem: string } {
  if (draft.mode === 'json') {
    const read = readJson(draft.text.trim() === '' ? '{}' : draft.text)
    if ('problem' in read) return read
    if (!isMap(read.value)) return { problem: t`Arguments are a map of names and values, in { }.` }
    return { args: read.value }
  }
  const args: Record<string, unknown> = {}
  const entries = [
    ...fields.map(({ path, preset, isText }) => ({ path, isText, text: draft.values[path] ?? preset ?? '' })),
    ...draft.more.map(({ path, value }) => ({ path: dotted(path), isText: false, text: value })),
  ]
  for (const { path, isText, text } of entries) {
    if (text.trim() === '') continue
    const names = namesOf(path)
    if (!names) return { problem: t`“${path}” names no field. Write it as in to.email, or use JSON.` }
    if (!put(args, names, isText ? text : toValue(text))) {
      return { problem: t`“${path}” conflicts with another argument. Rename or remove one.` }
    }
  }
  return { args }
}

/** Whether anything is filled in, or nothing has to be. Before that we can't tell what would be asked. */
export function isBegun(draft: ArgsDraft, fields: readonly PolicyField[]): boolean {
  if (draft.mode === 'json') return true
  const isTyped = Object.values(draft.values).some((value) => value.trim() !== '')
  return isTyped || draft.more.length > 0 || fields.every(({ preset }) => preset !== undefined)
}

/** Switches to JSON and keeps what has been filled in. */
export function argsAsJson(draft: ArgsDraft, fields: readonly PolicyField[]): ArgsDraft {
  const read = readArgs(draft, fields)
  return { mode: 'json', text: exactJson('args' in read ? read.args : {}) }
}

function dotted(path: string): string {
  const trimmed = path.trim()
  return trimmed === '' || trimmed.startsWith('.') ? trimmed : `.${trimmed}`
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets a value at the end of these names. @returns false if something else is already there */
function put(into: Record<string, unknown>, names: readonly string[], value: unknown): boolean {
  const [name = '', ...rest] = names
  const there = Object.hasOwn(into, name) ? into[name] : undefined
  if (rest.length === 0) {
    if (there !== undefined) return false
    Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
    return true
  }
  if (there !== undefined && !isMap(there)) return false
  const inner = there ?? {}
  Object.defineProperty(into, name, { value: inner, enumerable: true, configurable: true, writable: true })
  return put(inner, rest, value)
}
