import type { VaultError } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { type Query, type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { answerKey, moveAnswers, type Request, renewAnswers } from './token-answers.ts'
import { type TokenClientState, tokenClient } from './token-client.ts'
import { type Answers, type Question, refusalOf } from './token-messages.ts'

export type { Request } from './token-answers.ts'

/** What stands to a time is asked for again this often, in milliseconds; so long is kept what nobody looks at. */
const TICK = 10_000

/** An answer that is kept up to date. */
interface Look<T> {
  /** The last that came. */
  readonly answer: T | undefined
  /** What the next was refused with. */
  readonly failure: VaultError | undefined
  /** Whether the answer is to this question, not to the one that was asked before it. */
  readonly isCurrent: boolean
}

/** The caches that have answers of the service. */
const following = new WeakSet<QueryClient>()

/** The way to the service, which begins with the first question; what it tells reaches the answers that are shown. */
function followed(queries: QueryClient) {
  const client = tokenClient()
  if (!following.has(queries)) {
    following.add(queries)
    client.follow({ onChange: () => renewAnswers(queries), onMove: (to) => moveAnswers(queries, to) })
  }
  return client
}

/** Asks once, as of now. */
async function ask(queries: QueryClient, request: Request): Promise<unknown> {
  try {
    // With the time, a request is a question of its kind.
    return await followed(queries).ask({ ...request, now: Date.now() } as Question)
  } catch (error) {
    throw refusalOf(error)
  }
}

/**
 * The answer to a question about the stored tokens, kept up to date; undefined until there is one. When the question
 * changes the answer to the last one stands until the new one comes.
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
    // It is looked up where it is kept, and of this place alone: what was left is gone from there.
    placeholderData: (_: unknown, before: Query<unknown, VaultError> | undefined) =>
      isAsked && before?.queryKey[1] === place.address && before.queryKey[2] === isUnlocked
        ? queries.getQueryData(before.queryKey)
        : undefined,
    // Each answer is drawn, though it says the same: nothing that was drawn before a lock stays in what React remembers.
    structuralSharing: false,
    // A refusal is shown, and asked again with the next tick.
    retry: false,
    staleTime: TICK,
    refetchInterval: TICK,
    gcTime: TICK,
  })
  return {
    // What is asked is answered as its kind of question is.
    answer: data as Answers[R['ask']] | undefined,
    failure: error ?? undefined,
    isCurrent: data !== undefined && !isPlaceholderData,
  }
}

/** How the service of the tokens is doing. */
export function useTokenClientState(): TokenClientState {
  const client = tokenClient()
  return useSyncExternalStore(client.watch, client.getState)
}
