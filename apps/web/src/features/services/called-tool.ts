import { canonicalSelector } from '../../shared/policy/selector.ts'
import { asStatement } from '../../shared/policy/statement.ts'

/** The one tool or prompt that a grant is about. */
export interface CalledTool {
  readonly kind: 'tool' | 'prompt'
  readonly server: string
  readonly name: string
}

/** The commands of calls that have arguments with a schema (docs/commands.md). */
const KINDS: Readonly<Record<string, CalledTool['kind']>> = {
  '/mcp/tools/call': 'tool',
  '/mcp/prompts/get': 'prompt',
}

/**
 * The tool or prompt that a policy names: with one server and one name that every call must have.
 *
 * @returns undefined if it leaves either open, or contradicts itself
 */
export function calledTool(command: string, policy: readonly unknown[]): CalledTool | undefined {
  const kind = Object.hasOwn(KINDS, command) ? KINDS[command] : undefined
  if (kind === undefined) return undefined
  const single = singleValues(policy)
  const [server, name] = [single.get('.server'), single.get('.name')]
  return typeof server === 'string' && typeof name === 'string' ? { kind, server, name } : undefined
}

/** The fields that a policy leaves one value alone, by their selectors. There is nothing more to limit in them. */
export function fixedFields(policy: readonly unknown[]): ReadonlySet<string> {
  return new Set(singleValues(policy).keys())
}

/** A policy without the statements that leave one value alone in these fields. */
export function freed(policy: readonly unknown[], fields: ReadonlySet<string>): readonly unknown[] {
  return policy.filter((statement) => {
    const single = singleValue(statement)
    return single === undefined || !fields.has(single.field)
  })
}

/** A selector in the form in which the fields of a policy are compared. */
export const comparable = (selector: string) => canonicalSelector(selector, 'call')

/** The value that every call must have in a field, by selectors. Undefined where a policy wants several, which no call can have. */
function singleValues(policy: readonly unknown[]): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>()
  for (const statement of policy) {
    const single = singleValue(statement)
    if (!single) continue
    const { field, value } = single
    values.set(field, values.has(field) && values.get(field) !== value ? undefined : value)
  }
  return values
}

/** The one value that a statement leaves a field; undefined if it says anything else. */
function singleValue(statement: unknown): { readonly field: string; readonly value: unknown } | undefined {
  const read = asStatement(statement)
  if ('problem' in read || read.kind !== 'compare' || read.operator !== '==') return undefined
  return { field: comparable(read.selector), value: read.value }
}
