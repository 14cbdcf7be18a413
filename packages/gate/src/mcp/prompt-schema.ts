// The arguments of a prompt, as a schema: what is offered, and what a call is held against.
import { isRecord } from '../calls/arguments.ts'
import type { Item } from './upstream.ts'

/** Schema of a prompt's arguments. Each is a text, and there are no others. */
export interface PromptSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, { readonly type: 'string'; readonly description?: string }>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** The schema of a prompt's arguments, as the server lists them. */
export function promptSchema({ arguments: given }: Item): PromptSchema {
  const named = (Array.isArray(given) ? given : []).filter(isRecord).flatMap((each) => {
    const { name, description, required } = each
    if (typeof name !== 'string') return []
    const said = typeof description === 'string' ? { description } : {}
    return [{ name, isRequired: required === true, property: { type: 'string' as const, ...said } }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, property }) => [name, property])),
    required: named.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
    additionalProperties: false,
  }
}
