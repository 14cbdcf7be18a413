import type { EvaluatePolicyResult } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LimitLink } from '../grant-words/verdict.ts'
import { exactJson } from '../policy/json.ts'

/** A call that is tried. */
export interface TriedCall {
  command: string
  args: Readonly<Record<string, unknown>>
}

/** What the enclave says of a call; undefined until it has. */
export type Verdict =
  | { links: readonly LimitLink[]; call: TriedCall; result: EvaluatePolicyResult }
  | { error: unknown }

/**
 * Has the enclave decide a call, anew whenever the call or the links change. Until it has, what it said of the one before stands.
 * @param links undefined while there is nothing to decide
 */
export function useVerdict(
  links: readonly LimitLink[] | undefined,
  call: TriedCall | undefined,
): Verdict | undefined {
  const vault = useVault()
  const question = useMemo(() => {
    if (links === undefined || call === undefined) return undefined
    // Links come with more to them where they are read off a chain, and the enclave takes nothing that it does not know.
    return { links: links.map(({ command, policy }) => ({ command, policy })), call }
  }, [links, call])
  // As text, since a policy has integers of any size.
  const asText = useMemo(() => (question === undefined ? undefined : exactJson(question)), [question])
  const { data, error } = useQuery({
    queryKey: ['verdict', asText],
    queryFn: question
      ? async () => ({ ...question, result: await vault.tokens.evaluatePolicy(question) })
      : skipToken,
    placeholderData: keepPreviousData,
    // The enclave says the same of the same, and refuses it again.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 0,
  })
  return useMemo(() => {
    if (question === undefined) return undefined
    return error === null ? data : { error }
  }, [question, data, error])
}
