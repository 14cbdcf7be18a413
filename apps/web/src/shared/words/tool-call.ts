import { t } from '@lingui/core/macro'
import type { Leaf } from '../policy/simplify.ts'
import { quotablePath } from '../text/visible.ts'
import { covers } from './covers.ts'
import { leafWords } from './policy.ts'
import { valueWords } from './value.ts'

/** Whether a command calls tools of MCP servers, whose fields Keyhole knows (docs/commands.md). */
export function callsTools(command: string): boolean {
  return covers('/mcp/tools/call', command)
}

/** The name of a tool's argument, to be quoted. Undefined for another field of its call. */
function argumentName(selector: string): string | undefined {
  const [, argument] = /^\.arguments\.([^.[].*)$/.exec(selector) ?? []
  return argument === undefined ? undefined : quotablePath(argument)
}

/** What an argument of a tool is called, as the subject of a sentence. Undefined for another field of its call. */
export function argumentWords(selector: string): string | undefined {
  const argument = argumentName(selector)
  return argument === undefined ? undefined : t`the argument “${argument}”`
}

/** What comes before the conditions for the items of an argument. Undefined for another field. */
export function argumentItems(kind: 'all' | 'any', selector: string): string | undefined {
  const argument = argumentName(selector)
  if (argument === undefined) return undefined
  return kind === 'all'
    ? t`each item in the argument “${argument}”:`
    : t`at least one item in the argument “${argument}”:`
}

/** A limit to one server, one tool, or what an argument of the tool may be. Undefined if it reads as for any other field. */
export function toolLeaf(leaf: Leaf): string | undefined {
  const argument = argumentWords(leaf.selector)
  if (argument !== undefined) return leafWords(leaf, 'call', argument)
  if (leaf.kind !== 'compare' || leaf.operator !== '==' || typeof leaf.value !== 'string') return undefined
  const name = valueWords(leaf.value)
  if (leaf.selector === '.server') return t`the server is ${name}`
  return leaf.selector === '.name' ? t`the tool is ${name}` : undefined
}

/** A limit to one of several servers or tools, before their names. Undefined for another field. */
export function oneOfTools(selector: string, count: number): string | undefined {
  if (selector === '.server') return t`the server is one of these ${count}:`
  return selector === '.name' ? t`the tool is one of these ${count}:` : undefined
}
