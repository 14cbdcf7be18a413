import type { VaultError } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { type Query, type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { answerKey, moveAnswers, type Request, renewAnswers } from './token-answers.ts'
import { type TokenClientState, tokenClient } from './token-client.ts'
import { type Answers, type Question, refusalOf } from './token-messages.ts'

export type { Request } from './token-answers.ts'

/** How often time-dependent answers are requested again, and how long answers are kept once no one shows them, in milliseconds. */
const TICK = 10_000

/** An answer that is kept up to date. */
interface Look<T> {
  /** The latest answer. */
  readonly answer: T | undefined
  /** Why the next one was refused. */
  readonly failure: VaultError | undefined
  /** Whether the answer belongs to this question, not to the one before. */
  readonly isCurrent: boolean
}

/** The query clients that have answers of the service. */
const following = new WeakSet<QueryClient>()

/** The connection to the service, opened by the first question. It updates the answers on screen. */
function followed(queries: QueryClient) {
  const client = tokenClient()
  if (!following.has(queries)) {
    following.add(queries)
    client.follow({ onChange: () => renewAnswers(queries), onMove: (to) => moveAnswers(queries, to) })
  }
  return client
}

/** Asks once, at the current time. */
async function ask(queries: QueryClient, request: Request): Promise<unknown> {
  try {
    // A request with the time is a question of its kind.
    return await followed(queries).ask({ ...request, now: Date.now() } as Question)
  } catch (error) {
    throw refusalOf(error)
  }
}

/**
 * The answer to a question about stored tokens, kept up to date. Undefined until there is one. When the question changes, the last answer
 * stays until the new one arrives.
 */
export function useLook<R extends Request>(request: R | undefined): Look<Answers[R['ask']]> {
  const queries = useQueryClient()
  const { phase, address } = useVaultSnapshot()
  const isUnlocked = phase === 'unlocked'
  const place =
    address !== undefined && (isUnlocked || phase === 'locked') ? { address, isUnlocked } : undefined
  const isAsked = place !== undefined && request !== undefined
  const { data, error, isPlaceholderData } = useQuery<unknown, VaultError>({
    queryKey: answerKey(place, request),
    queryFn: isAsked ? () => ask(queries, request) : skipToken,
    // Take it from the cache, and only from this place: what belongs to a place we left is gone.
    placeholderData: (_: unknown, before: Query<unknown, VaultError> | undefined) =>
      isAsked && before?.queryKey[1] === place.address && before.queryKey[2] === isUnlocked
        ? queries.getQueryData(before.queryKey)
        : undefined,
    // Render each answer, even an equal one, so that React keeps nothing from before a lock.
    structuralSharing: false,
    // A refusal is shown, and the question is asked again with the next tick.
    retry: false,
    staleTime: TICK,
    refetchInterval: TICK,
    gcTime: TICK,
  })
  return {
    // A request gets the answer type of its kind.
    answer: data as Answers[R['ask']] | undefined,
    failure: error ?? undefined,
    isCurrent: data !== undefined && !isPlaceholderData,
  }
}

/** The state of the token service. */
export function useTokenClientState(): TokenClientState {
  const client = tokenClient()
  return useSyncExternalStore(client.watch, client.getState)
}
