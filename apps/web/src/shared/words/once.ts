import { t } from '@lingui/core/macro'
import type { Leaf } from '../policy/simplify.ts'
import { covers } from './covers.ts'
import { quotable } from './value.ts'

/** Whether calls of a command can carry the code of a call that the owner allows by itself (docs/commands.md). */
export function takesOnce(command: string): boolean {
  return ['/mcp/tools/call', '/mcp/resources/read', '/mcp/prompts/get', '/http'].some((each) =>
    covers(each, command),
  )
}

/**
 * The limit to one call that a gate asks for by a code. Only the gate that made the code counts its calls, and anyone can write such a text,
 * so the words don't promise it. Undefined if it reads as for any other field.
 */
export function onceLeaf(leaf: Leaf): string | undefined {
  if (leaf.kind !== 'compare' || leaf.operator !== '==' || leaf.selector !== '.once') return undefined
  return typeof leaf.value === 'string'
    ? t`“once” is “${quotable(leaf.value)}” (the gate that made this code allows one call; anywhere else it limits nothing)`
    : undefined
}
