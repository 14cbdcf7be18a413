import type { KeyVault, PaymentRecord } from '@keyhole/vault'
import { callIn } from '../../../shared/tokens/call.ts'
import { usePayments } from '../../../shared/vault/use-sealed-lists.ts'
import { useVaultCheck } from '../../../shared/vault/use-vault-check.ts'

/** The payment that a request was countersigned with. Undefined if it was not, while that is looked up, and while the vault is locked. */
export function useCountersigned(request: string): PaymentRecord | undefined {
  const { payments } = usePayments()
  const asked = payments.filter(({ by }) => by === 'request')
  const { found } = useVaultCheck(
    asked.length === 0 ? undefined : ['countersigned', request, `${asked.length}`],
    (vault) => countersignedAs(vault, request, asked),
  )
  return asked.find(({ id }) => id === found)
}

/** The id of the payment that names this request as the one it answers. Null if none does. */
async function countersignedAs(
  vault: KeyVault,
  request: string,
  payments: readonly PaymentRecord[],
): Promise<string | null> {
  const read = async (text: string) => callIn((await vault.tokens.inspect(text)).tokens)
  const asked = await read(request)
  if (asked === undefined) return null
  const { payee, order } = asked.args
  for (const payment of payments) {
    // Only those for the same order are read.
    if (payment.payee !== payee || payment.order !== order) continue
    const answered = (await read(payment.token))?.args.request
    if (typeof answered === 'object' && answered !== null && Reflect.get(answered, '/') === asked.cid)
      return payment.id
  }
  return null
}
