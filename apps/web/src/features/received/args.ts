import { t } from '@lingui/core/macro'
import { limitText, statementLimit } from '../../shared/grant-words/limits.ts'
import { exactJson, readJson } from '../../shared/policy/json.ts'
import { asStatement, type Statement } from '../../shared/policy/statement.ts'
import { toValue } from '../../shared/policy/value-text.ts'

/** A field that a policy speaks of. */
export interface PolicyField {
  /** As a policy names it: ".to.email". */
  readonly path: string
  /** What the policy asks of it, in words. */
  readonly limits: readonly string[]
  /** What it has to be, where the policy leaves no choice; as it would be typed. */
  readonly preset: string | undefined
  /** Whether it is compared as a text, so that digits in it are text too. */
  readonly isText: boolean
}

/** The arguments of a request as they are being filled in: by fields, or as JSON for what fields cannot say. */
export type ArgsDraft =
  | {
      readonly mode: 'fields'
      readonly values: Readonly<Record<string, string>>
      readonly more: readonly ArgRow[]
    }
  | { readonly mode: 'json'; readonly text: string }

/** An argument that no policy speaks of. */
export interface ArgRow {
  readonly id: number
  readonly path: string
  readonly value: string
}

export const NO_ARGS: ArgsDraft = { mode: 'fields', values: {}, more: [] }

const PART = /\.([A-Za-z_][A-Za-z0-9_-]*)|\.?\["((?:[^"\\]|\\.)*)"\]/y

/** The names that lead to a field, or undefined for a selector that leads into lists or to everything at once. */
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

/** A name as it stands in JSON's quotation marks; undefined for one with an escape that JSON does not have. */
function quoted(inside: string): string | undefined {
  const read = readJson(`"${inside}"`)
  return 'value' in read && typeof read.value === 'string' ? read.value : undefined
}

/** The fields that a policy speaks of, in its order, each once. */
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

/** A value as it is typed: plain where that reads back as the same, else as JSON. */
function typed(value: unknown): string {
  return typeof value === 'string' && toValue(value) === value ? value : exactJson(value)
}

/** The arguments that a draft makes, or what is wrong with it, in words. */
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
      return { problem: t`“${path}” cannot stand beside the other arguments: one of them is in its way.` }
    }
  }
  return { args }
}

/** Whether anything was filled in, or nothing is left to be: before that there is no telling what would be asked. */
export function isBegun(draft: ArgsDraft, fields: readonly PolicyField[]): boolean {
  if (draft.mode === 'json') return true
  const isTyped = Object.values(draft.values).some((value) => value.trim() !== '')
  return isTyped || draft.more.length > 0 || fields.every(({ preset }) => preset !== undefined)
}

/** Moves the arguments to JSON, with what has been filled in. */
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

/** Puts a value where the names lead. @returns false where something else is there already */
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
