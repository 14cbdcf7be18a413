import type { EvaluatePolicyResult } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LimitLink } from '../grant-words/verdict.ts'
import { exactJson } from '../policy/json.ts'

/** The call to try. */
export interface TriedCall {
  command: string
  args: Readonly<Record<string, unknown>>
}

/** The enclave's verdict on a call. Undefined until there is one. */
export type Verdict =
  | { links: readonly LimitLink[]; call: TriedCall; result: EvaluatePolicyResult }
  | { error: unknown }

/**
 * Asks the enclave about a call, and again whenever the call or the links change. Until it answers, the last verdict stays.
 * @param links undefined while there is nothing to decide
 */
export function useVerdict(
  links: readonly LimitLink[] | undefined,
  call: TriedCall | undefined,
): Verdict | undefined {
  const vault = useVault()
  const question = useMemo(() => {
    if (links === undefined || call === undefined) return undefined
    // Links read from a chain have more fields, and the enclave refuses unknown ones.
    return { links: links.map(({ command, policy }) => ({ command, policy })), call }
  }, [links, call])
  // As text, because a policy has integers of any size.
  const asText = useMemo(() => (question === undefined ? undefined : exactJson(question)), [question])
  const { data, error } = useQuery({
    queryKey: ['verdict', asText],
    queryFn: question
      ? async () => ({ ...question, result: await vault.tokens.evaluatePolicy(question) })
      : skipToken,
    placeholderData: keepPreviousData,
    // The enclave's answer to the same question never changes, not even a refusal.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 0,
  })
  return useMemo(() => {
    if (question === undefined) return undefined
    return error === null ? data : { error }
  }, [question, data, error])
}
