import type { KeyVault } from '@keyhole/vault'
import * as v from 'valibot'
import { type PaymentArgs, paymentArgs } from '../words/payment-args.ts'
import { REQUEST } from '../words/payment-commands.ts'

/** What a signed request asks for. */
export interface Asked {
  readonly args: Readonly<Record<string, unknown>>
  /** The payment, if its arguments are those of one. */
  readonly payment?: PaymentArgs
}

/** The arguments of a call, taken as they are: a record of valibot's would leave names such as `constructor` out. */
export const signedMap = v.custom<Asked['args']>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/** What a signed request asks for, from its text. Undefined if there is no request in it. */
export async function readAsked(vault: KeyVault, text: string): Promise<Asked | undefined> {
  const { tokens } = await vault.tokens.inspect(text)
  const payload = tokens.find(({ kind }) => kind === 'invocation')?.payload
  const args = v.safeParse(signedMap, payload?.args)
  if (!args.success) return undefined
  const payment = v.safeParse(paymentArgs, payload?.args)
  const isPayment = payload?.cmd === REQUEST && payment.success
  return { args: args.output, ...(isPayment && { payment: payment.output }) }
}
