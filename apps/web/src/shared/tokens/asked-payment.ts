import type { KeyVault, StoredToken } from '@keyhole/vault'
import { readAsked } from '../search-index/read-asked.ts'
import { tokenClient } from '../search-index/token-client.ts'
import { useVaultCheck } from '../vault/use-vault-check.ts'
import type { PaymentArgs } from '../words/payment-args.ts'
import { REQUEST } from '../words/payment-commands.ts'

/** A signed token; with its text, if that is known. */
type Signed = Pick<StoredToken, 'cid' | 'type' | 'command'> & Partial<Pick<StoredToken, 'token'>>

/** Whether it is a request for a payment. Only then its arguments are read. */
export const asksForPayment = ({ type, command }: Signed) => type === 'invocation' && command === REQUEST

/** The payment that a signed request asks for. Undefined if its arguments say something else. */
export async function readAskedPayment(vault: KeyVault, signed: Signed): Promise<PaymentArgs | undefined> {
  const text = signed.token ?? (await tokenClient().ask({ ask: 'token', cid: signed.cid })).token?.token
  if (text === undefined) return undefined
  return await readAsked(vault, text)
}

/** The same for something on screen. Undefined until it is read, and for anything that isn't a request for a payment. */
export function useAskedPayment(signed: Signed | undefined): PaymentArgs | undefined {
  const isOne = signed !== undefined && asksForPayment(signed)
  const { found } = useVaultCheck(isOne ? ['asked', signed.cid] : undefined, async (vault) =>
    // A query has no answer that is undefined.
    signed === undefined ? null : ((await readAskedPayment(vault, signed)) ?? null),
  )
  return found ?? undefined
}
