import type { KeyVault } from '@keyhole/vault'
import * as v from 'valibot'
import { type PaymentArgs, paymentArgs } from '../words/payment-args.ts'

/** The payment that a signed request asks for, from its text. Undefined if its arguments say something else. */
export async function readAsked(vault: KeyVault, text: string): Promise<PaymentArgs | undefined> {
  const { tokens } = await vault.tokens.inspect(text)
  const read = v.safeParse(paymentArgs, tokens.find(({ kind }) => kind === 'invocation')?.payload.args)
  return read.success ? read.output : undefined
}
