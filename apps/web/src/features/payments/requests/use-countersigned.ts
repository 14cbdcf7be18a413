import type { KeyVault, PaymentRecord } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { callIn } from '../../../shared/tokens/call.ts'
import { usePayments } from '../../../shared/vault/use-sealed-lists.ts'
import { useVaultCheck } from '../../../shared/vault/use-vault-check.ts'

/** The payment that a request was countersigned with. Null if it was not. Undefined while that is unknown, as in a locked vault. */
export function useCountersigned(request: string): PaymentRecord | null | undefined {
  const { phase } = useVaultSnapshot()
  const { payments, loading, error } = usePayments()
  const isRead = phase === 'unlocked' && !loading && error === undefined
  const asked = payments.filter(({ by }) => by === 'request')
  const { found } = useVaultCheck(
    isRead ? ['countersigned', request, `${asked.length}`] : undefined,
    (vault) => countersignedAs(vault, request, asked),
  )
  if (!isRead || found === undefined) return undefined
  return asked.find(({ id }) => id === found) ?? null
}

/** The id of the payment that names this request as the one it answers. Null if none does. */
async function countersignedAs(
  vault: KeyVault,
  request: string,
  payments: readonly PaymentRecord[],
): Promise<string | null> {
  if (payments.length === 0) return null
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
