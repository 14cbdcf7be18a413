import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type DeskState, type Kept, tokenDesk } from './token-client.ts'
import type { Answers, Question } from './token-messages.ts'

/** A question without the time at which it is asked. */
type Timeless<Q> = Q extends unknown ? Omit<Q, 'now'> : never
export type Request = Timeless<Question>

const NOTHING: Kept = { answer: undefined, failure: undefined }
const never = () => () => undefined

/** An answer that is kept up to date. */
interface Look<T> extends Kept<T> {
  /** Whether the answer is to this question, not to the one that was asked before it. */
  readonly isCurrent: boolean
}

/**
 * The answer to a question about the stored tokens, kept up to date; undefined until there is one. When the question
 * changes the answer to the last one stands until the new one comes.
 */
export function useLook<R extends Request>(request: R | undefined): Look<Answers[R['ask']]> {
  // Kept by its name, which says nothing that is sealed, and never by its answer: a lock has to reach all of those.
  const name = request === undefined ? undefined : JSON.stringify(request)
  const before = useRef<string>(undefined)
  const { subscribe, read, isAnswered } = useMemo(() => {
    if (name === undefined) return { subscribe: never, read: () => NOTHING, isAnswered: () => false }
    const last = before.current
    const desk = tokenDesk()
    // It was a request a line above.
    const question = (now: number) => ({ ...JSON.parse(name), now }) as Question
    return {
      subscribe: (looker: () => void) => desk.look(name, question, looker),
      read: () => desk.answer(name, last),
      isAnswered: () => desk.isAnswered(name),
    }
  }, [name])
  // What is asked under a name is answered as its kind of question is.
  const kept = useSyncExternalStore(subscribe, read) as Kept<Answers[R['ask']]>
  const isCurrent = isAnswered()
  useEffect(() => {
    if (isCurrent) before.current = name
  }, [isCurrent, name])
  return { ...kept, isCurrent }
}

/** How the keeper of the tokens is doing. */
export function useDeskState(): DeskState {
  const desk = tokenDesk()
  return useSyncExternalStore(desk.watch, desk.getState)
}
