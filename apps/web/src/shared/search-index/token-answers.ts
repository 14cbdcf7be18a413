import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { askAgain } from '../vault/ask-again.ts'
import type { ListedToken, Question } from './token-messages.ts'

/** A question without its time. */
type Timeless<Q> = Q extends unknown ? Omit<Q, 'now'> : never
export type Request = Timeless<Question>

/** The first part of the key of every answer about stored tokens. */
const FAMILY = 'tokens'

/** The account that answers are about, and whether its labels can be read. */
export interface Place {
  readonly address: string
  readonly isUnlocked: boolean
}

/**
 * The cache key of a request's answer. A request contains nothing sealed. A lock changes the key, so that no observer keeps what it saw
 * before.
 */
export function answerKey(place: Place | undefined, request: Request | undefined) {
  return [FAMILY, place?.address ?? '', place?.isUnlocked ?? false, request ?? {}] as const
}

/** Requests visible answers again and drops the others, because they may have changed. */
export function renewAnswers(queries: QueryClient): void {
  notifyManager.batch(() => {
    queries.removeQueries({ queryKey: [FAMILY], type: 'inactive' })
    askAgain(queries, { queryKey: [FAMILY] })
  })
}

/**
 * Moves from one place to another, or to none. For the same account, answers stay without their labels until they are requested again.
 * Requests in progress are cancelled, so that they can't bring in a label later.
 */
export function moveAnswers(queries: QueryClient, to: Place | undefined): void {
  notifyManager.batch(() => {
    const left = queries.getQueryCache().findAll({ queryKey: [FAMILY] })
    for (const { queryKey, state } of left) {
      const [, address, isUnlocked, request] = queryKey
      if (to === undefined || address !== to.address || isUnlocked === to.isUnlocked) continue
      // An old date, so that it is requested again as soon as it is shown.
      const old = { updatedAt: 1 }
      if (state.data !== undefined)
        queries.setQueryData([FAMILY, to.address, to.isUnlocked, request], withoutLabels(state.data), old)
    }
    for (const { queryKey } of left) {
      if (to === undefined || queryKey[1] !== to.address || queryKey[2] !== to.isUnlocked)
        queries.removeQueries({ queryKey, exact: true })
    }
  })
}

/** An answer without sealed data: the labels of tokens, and the vault's words in entries. */
function withoutLabels(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutLabels)
  if (typeof answer !== 'object' || answer === null) return answer
  const { label: _, entry, ...rest } = answer as Partial<ListedToken> & { entry?: unknown }
  const unlabelled = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'tokens' || key === 'token' || key === 'items' ? withoutLabels(value) : value,
  ])
  return { ...Object.fromEntries(unlabelled), ...(entry !== undefined && { entry: undefined }) }
}
