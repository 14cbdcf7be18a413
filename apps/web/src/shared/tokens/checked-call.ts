import type { InspectedToken, KeyVault } from '@keyhole/vault'
import { explainRule } from '../words/explain-refusal.ts'
import type { Call } from './call.ts'
import { type Link, makeLinks } from './report.ts'

/** A call with what was found about it and the grants that it rests on. */
export interface CheckedCall {
  readonly call: Call
  /** The grants, root first. */
  readonly links: readonly Link[]
  /** Why it isn't valid: what happened, and what to do. */
  readonly refusal: { readonly title: string; readonly advice: string } | undefined
}

/**
 * Checks a call and its chain, with no key and no account.
 * @param text the call with its proofs
 * @param tokens what is in it
 * @param now milliseconds
 */
export async function checkCall(
  vault: KeyVault,
  text: string,
  call: Call,
  tokens: readonly InspectedToken[],
  now: number,
): Promise<CheckedCall> {
  const result = await vault.tokens.validate({ invocation: text, audience: call.audience })
  const grants = tokens.filter(({ kind }) => kind === 'delegation')
  const refusal = result.valid ? undefined : explainRule(result.error)
  return { call, links: makeLinks(grants, result, now), refusal }
}
