import type { ContactKind } from '@keyhole/vault'
import { covers } from '../words/command.ts'

/** What someone probably is who is granted a command. Only services follow revocations. Undefined if it says nothing. */
export function likelyKind(command: string): ContactKind | undefined {
  return covers('/relay/revocations/read', command) ? 'service' : undefined
}
