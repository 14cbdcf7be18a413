import type { UnlockProof } from '@keyhole/vault'
import { useEffect, useState } from 'react'
import { useAction } from '../hooks/use-action.ts'
import { useCountdown } from '../hooks/use-countdown.ts'
import { isAboutUnlockProof, unlockProblem, waitUntil } from './unlock-proof-words.ts'
import type { EnteredProof } from './use-unlock-proof.ts'

/** An act that a proof is given for, and what came of it. */
export interface ProvenAction {
  /** Takes the proof and does it; ignored while one runs, and while a wait is on. */
  readonly run: () => void
  readonly pending: boolean
  /** Forgets what it was refused with, once something has changed. */
  readonly clear: () => void
  /** Seconds until the next try may be made. */
  readonly wait: number
  /** What the proof was refused with, in words: it stands under the proof's field. */
  readonly problem: string | undefined
  /** What else it was refused with. */
  readonly failure: unknown
}

/**
 * @param proof the proof being given
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
  // While it was under way the field was disabled, and so has lost the focus.
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
