import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { askAgain } from '../vault/ask-again.ts'
import type { ListedToken, Question } from './token-messages.ts'

/** A question without the time at which it is asked. */
type Timeless<Q> = Q extends unknown ? Omit<Q, 'now'> : never
export type Request = Timeless<Question>

/** The first part of the key of every answer about the stored tokens. */
const FAMILY = 'tokens'

/** The account that the answers are about, and whether its labels can be read. */
export interface Place {
  readonly address: string
  readonly isUnlocked: boolean
}

/**
 * Where the answer to a request is kept. A request says nothing that is sealed. A lock leads to another place, so that no observer of the
 * cache goes on holding what it had seen at this one.
 */
export function answerKey(place: Place | undefined, request: Request | undefined) {
  return [FAMILY, place?.address ?? '', place?.isUnlocked ?? false, request ?? {}] as const
}

/** Asks again what is shown, and drops what is not: it may be otherwise now. */
export function renewAnswers(queries: QueryClient): void {
  notifyManager.batch(() => {
    queries.removeQueries({ queryKey: [FAMILY], type: 'inactive' })
    askAgain(queries, { queryKey: [FAMILY] })
  })
}

/**
 * Leaves one place for another, or for none: of the same account what was answered stands there without its labels, until it is asked
 * again. What is under way is given up, so that it brings no label later.
 */
export function moveAnswers(queries: QueryClient, to: Place | undefined): void {
  notifyManager.batch(() => {
    const left = queries.getQueryCache().findAll({ queryKey: [FAMILY] })
    for (const { queryKey, state } of left) {
      const [, address, isUnlocked, request] = queryKey
      if (to === undefined || address !== to.address || isUnlocked === to.isUnlocked) continue
      // Of long ago, so that it is asked again as soon as it is looked at.
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

/** An answer without what is sealed. Answers have labels in their tokens, and words of the vault in their entries. */
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
