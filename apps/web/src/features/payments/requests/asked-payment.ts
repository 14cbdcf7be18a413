import type { ValidationResult } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { explainRule } from '../../../shared/words/explain-refusal.ts'
import { type PaymentArgs, paymentArgs } from '../../../shared/words/payment-args.ts'
import { REQUEST } from '../../../shared/words/payment-commands.ts'

/** A payment that a mandate's holder asks for. Times in milliseconds. */
export interface AskedFor extends PaymentArgs {
  /** DID of who asks, and of whose vault is asked. */
  readonly requester: string
  readonly subject: string
  readonly expiresAt: number | undefined
  /** CIDs of the delegations it rests on, root first: the mandate is one of them. */
  readonly proofs: readonly string[]
}

/** What a checked request asks for, or why nothing can be paid on it, in words. */
export function readAsked(result: ValidationResult): { asked: AskedFor } | { title: string; advice: string } {
  if (!result.valid) {
    return explainRule(result.error)
  }
  if (result.command !== REQUEST) {
    return {
      title: t`This asks for something other than a payment.`,
      advice: t`A request for a payment has the command ${REQUEST}; this one has ${result.command}.`,
    }
  }
  const read = v.safeParse(paymentArgs, result.args)
  if (!read.success) {
    return {
      title: t`This request cannot be read.`,
      advice: t`It has to name a payee, an order, a currency, and an amount in its smallest unit. Nothing else is allowed.`,
    }
  }
  const { issuer: requester, subject, expires_at: end, chain } = result
  return {
    asked: {
      ...{ requester, subject, ...read.output },
      expiresAt: end === null ? undefined : end * 1000,
      proofs: chain.map(({ cid }) => cid),
    },
  }
}
