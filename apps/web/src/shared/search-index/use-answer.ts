import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type LiveAnswer, type TokenClientState, tokenClient } from './token-client.ts'
import type { Answers, Question } from './token-messages.ts'

/** A question without the time at which it is asked. */
type Timeless<Q> = Q extends unknown ? Omit<Q, 'now'> : never
export type Request = Timeless<Question>

const NOTHING: LiveAnswer = { answer: undefined, failure: undefined }
const never = () => () => undefined

/** An answer that is kept up to date. */
interface Look<T> extends LiveAnswer<T> {
  /** Whether the answer is to this question, not to the one that was asked before it. */
  readonly isCurrent: boolean
}

/**
 * The answer to a question about the stored tokens, kept up to date; undefined until there is one. When the question
 * changes the answer to the last one stands until the new one comes.
 */
export function useLook<R extends Request>(request: R | undefined): Look<Answers[R['ask']]> {
  // Known by its name, which says nothing that is sealed, and never by its answer: a lock has to reach all of those.
  const name = request === undefined ? undefined : JSON.stringify(request)
  const before = useRef<string>(undefined)
  const { subscribe, read, isAnswered } = useMemo(() => {
    if (name === undefined) return { subscribe: never, read: () => NOTHING, isAnswered: () => false }
    const last = before.current
    const client = tokenClient()
    // It was a request a line above.
    const question = (now: number) => ({ ...JSON.parse(name), now }) as Question
    return {
      subscribe: (looker: () => void) => client.look(name, question, looker),
      read: () => client.answer(name, last),
      isAnswered: () => client.isAnswered(name),
    }
  }, [name])
  // What is asked under a name is answered as its kind of question is.
  const kept = useSyncExternalStore(subscribe, read) as LiveAnswer<Answers[R['ask']]>
  const isCurrent = isAnswered()
  useEffect(() => {
    if (isCurrent) before.current = name
  }, [isCurrent, name])
  return { ...kept, isCurrent }
}

/** How the service of the tokens is doing. */
export function useTokenClientState(): TokenClientState {
  const client = tokenClient()
  return useSyncExternalStore(client.watch, client.getState)
}
