import type { EvaluatePolicyResult } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { useEffect, useRef, useState } from 'react'
import type { LimitLink } from '../grant-words/verdict.ts'

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
 * Has the enclave decide a call, anew whenever the call or the links change. Of answers that overtake one another the last
 * question's counts.
 * @param links the same object until they change; undefined while there is nothing to decide
 */
export function useVerdict(
  links: readonly LimitLink[] | undefined,
  call: TriedCall | undefined,
): Verdict | undefined {
  const vault = useVault()
  const [verdict, setVerdict] = useState<Verdict>()
  const turn = useRef(0)

  useEffect(() => {
    turn.current += 1
    const mine = turn.current
    if (links === undefined || call === undefined) {
      setVerdict(undefined)
      return
    }
    // Links come with more to them where they are read off a chain, and the enclave takes nothing that it does not know.
    const asked = links.map(({ command, policy }) => ({ command, policy }))
    vault.tokens.evaluatePolicy({ links: asked, call }).then(
      (result) => {
        if (turn.current === mine) setVerdict({ links, call, result })
      },
      (error: unknown) => {
        if (turn.current === mine) setVerdict({ error })
      },
    )
  }, [vault, links, call])

  return verdict
}
