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

/** The limit to one call, which the service names by a code. Undefined if it reads as for any other field. */
export function onceLeaf(leaf: Leaf): string | undefined {
  if (leaf.kind !== 'compare' || leaf.operator !== '==' || leaf.selector !== '.once') return undefined
  return typeof leaf.value === 'string'
    ? t`it is the one call that the service named “${quotable(leaf.value)}”`
    : undefined
}
