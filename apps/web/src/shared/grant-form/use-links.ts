import { useMemo } from 'react'
import type { LimitLink } from '../grant-words/verdict.ts'
import { plainJson } from '../policy/json.ts'

interface SignedLink {
  command: string
  policy: unknown[]
}

/**
 * The chain that a form signs, root first: the links that were received, and its own. It stays the same array until one of them changes,
 * although a form reads its policy anew each time it renders. Undefined while the command can't be read.
 */
export function useLinks(
  own: SignedLink | undefined,
  received?: readonly LimitLink[],
): readonly LimitLink[] | undefined {
  const text = own && plainJson([own.command, own.policy])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` tells when the form's own link changed
  return useMemo(() => own && [...(received ?? []), own], [text, received])
}
