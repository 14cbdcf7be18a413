import type { UnlockProof } from '@keyhole/vault'
import { useEffect, useState } from 'react'
import { useAction } from '../hooks/use-action.ts'
import { useCountdown } from '../hooks/use-countdown.ts'
import { isAboutUnlockProof, unlockProblem, waitUntil } from './unlock-proof-words.ts'
import type { EnteredProof } from './use-unlock-proof.ts'

/** An action that needs a proof, and its result. */
export interface ProvenAction {
  /** Takes the proof and does it. Ignored while one is running, and during a wait. */
  readonly run: () => void
  readonly pending: boolean
  /** Clears the refusal once something has changed. */
  readonly clear: () => void
  /** Seconds until the next try is allowed. */
  readonly wait: number
  /** Why the proof was refused, in words, for below its field. */
  readonly problem: string | undefined
  /** Any other reason why it was refused. */
  readonly failure: unknown
}

/**
 * @param proof the proof being entered
 * @param perform does it; a rejection becomes `problem`, `wait` or `failure`
 */
export function useProven(proof: EnteredProof, perform: (proof: UnlockProof) => Promise<void>): ProvenAction {
  const [retryAt, setRetryAt] = useState<number>()
  const wait = useCountdown(retryAt)
  const { run, pending, error, clear } = useAction(async () => {
    try {
      await perform(await proof.take())
    } catch (error) {
      setRetryAt(waitUntil(error))
      throw error
    }
    proof.forget()
  })
  const about = isAboutUnlockProof(error)
  // The field was disabled while it ran, and so lost the focus.
  const { select } = proof
  useEffect(() => {
    if (error !== undefined && !pending && (about || document.activeElement === document.body)) select()
  }, [about, error, pending, select])
  return {
    run: () => wait === 0 && run(),
    pending,
    clear,
    wait,
    problem: about ? unlockProblem(error, proof.kind) : undefined,
    failure: about ? undefined : error,
  }
}
