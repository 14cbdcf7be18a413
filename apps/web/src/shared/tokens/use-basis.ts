import type { StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { useEffect, useState } from 'react'
import type { LimitLink } from '../grant-words/verdict.ts'
import { makeReport } from './report.ts'

/** What a request rests on: what holds along the whole chain of a token. */
export interface Basis {
  readonly command: string
  readonly policy: readonly unknown[]
  /** DID of whose resource it is. */
  readonly subject: string
  /** What each link of the chain limits, root first. */
  readonly links: readonly LimitLink[]
  /** Milliseconds; undefined: without end. */
  readonly expiresAt: number | undefined
}

export type BasisState =
  | { readonly state: 'reading' }
  | { readonly state: 'held'; readonly basis: Basis }
  | { readonly state: 'refused'; readonly title: string; readonly advice: string }
  | { readonly state: 'failed'; readonly error: unknown }

/** Checks a token's chain, and reads what it lets its holder do. */
export function useBasis(stored: StoredToken): BasisState {
  const vault = useVault()
  const [found, setFound] = useState<BasisState>({ state: 'reading' })
  const { token, cid } = stored
  useEffect(() => {
    let left = false
    const read = async (): Promise<BasisState> => {
      const { tokens } = await vault.inspect(token)
      const report = makeReport(tokens, await vault.verifyToken({ token, leaf: cid }), Date.now())
      if (report.refusal) return { state: 'refused', ...report.refusal }
      const { effective, links } = report
      const subject = links[0]?.capability?.subject ?? undefined
      if (!effective || subject === undefined) throw new Error('The chain names no subject.')
      const { command, policy, expiresAt } = effective
      const limits = links.flatMap(({ capability }) =>
        capability ? [{ command: capability.command, policy: [...capability.policy] }] : [],
      )
      return { state: 'held', basis: { command, policy, subject, links: limits, expiresAt } }
    }
    read()
      .catch((error: unknown): BasisState => ({ state: 'failed', error }))
      .then((next) => left || setFound(next))
    return () => {
      left = true
    }
  }, [vault, token, cid])
  return found
}
