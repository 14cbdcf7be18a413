import type { StoredToken } from '@keyhole/vault'
import { useMemo } from 'react'
import type { LimitLink } from '../grant-words/verdict.ts'
import type { Report } from './report.ts'
import { type Holding, useReport } from './use-report.ts'

/** What a request rests on: what holds along the whole chain of a token. */
export interface Basis {
  readonly command: string
  readonly policy: readonly unknown[]
  /** DID of whose resource it is. */
  readonly subject: string
  /** What each link of the chain limits, root first. */
  readonly links: readonly LimitLink[]
  /** When the last of its links starts, in milliseconds; undefined: at once. */
  readonly notBefore: number | undefined
  /** When the first of its links ends, in milliseconds; undefined: without end. */
  readonly expiresAt: number | undefined
}

export type BasisState =
  | { readonly state: 'reading' }
  | { readonly state: 'held'; readonly basis: Basis }
  | { readonly state: 'refused'; readonly title: string; readonly advice: string }
  | { readonly state: 'failed'; readonly error: unknown }

function basisOf({ refusal, effective, links }: Report): BasisState {
  if (refusal) return { state: 'refused', ...refusal }
  const subject = links[0]?.capability?.subject ?? undefined
  if (!effective || subject === undefined)
    return { state: 'failed', error: { details: { name: 'InvalidClaim', args: { why: 'Powerline' } } } }
  const { command, policy, notBefore, expiresAt } = effective
  const limits = links.flatMap(({ capability }) =>
    capability ? [{ command: capability.command, policy: [...capability.policy] }] : [],
  )
  return { state: 'held', basis: { command, policy, subject, links: limits, notBefore, expiresAt } }
}

/** Checks a token's chain, and reads what it lets its holder do. The same object until that changes. */
export function useBasis(stored: StoredToken, holding: Holding = 'now'): BasisState {
  const { report, error } = useReport(stored, holding)
  return useMemo(() => {
    if (error !== undefined) return { state: 'failed', error }
    return report === undefined ? { state: 'reading' } : basisOf(report)
  }, [report, error])
}
