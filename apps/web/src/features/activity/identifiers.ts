import type { ActivityLine } from '@keyhole/vault'
import type { Fact } from '../../shared/words/activity.ts'

/** Facts that are the CID of a token. */
const TOKENS: ReadonlySet<string> = new Set(['cid', 'revokes', 'task', 'mandate'])

/** Other facts that only identify something. People see a name instead. */
const OTHERS: ReadonlySet<string> = new Set(['id', 'method', 'contact', 'template', 'device', 'ended', 'key'])

/** Whether a fact is the CID of a token. */
export function isToken({ field }: Fact): boolean {
  return TOKENS.has(field)
}

/** The CIDs of the tokens that a line is about. */
export function tokensIn({ about = {} }: ActivityLine): string[] {
  return Object.entries(about).flatMap(([field, value]) => (TOKENS.has(field) ? [`${value}`] : []))
}

/** The identifier in a fact, if it is one. */
export function identifierIn({ field, value, finds }: Fact): string | undefined {
  return finds ?? (OTHERS.has(field) ? value : undefined)
}
