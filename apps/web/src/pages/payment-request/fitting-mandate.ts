import type { Mandate, PaymentTerms } from '@keyhole/vault'

/** Why the vault's own mandate doesn't pay what it otherwise would. */
export type Hindrance = 'suspended' | 'used up'

/**
 * The vault's own mandate that approves a payment automatically, or one that would if nothing blocked it. This only chooses which mandate
 * to ask for; the enclave decides.
 * @param now milliseconds since 1970
 */
export function fittingMandate(
  mandates: readonly Mandate[],
  { payee, amount, currency }: PaymentTerms,
  now: number,
): { readonly mandate: Mandate; readonly hindrance?: Hindrance } | undefined {
  const seconds = now / 1000
  const fitting = mandates.filter(
    (each) =>
      each.own &&
      !each.ended &&
      // Another device pays under those.
      each.keeper === undefined &&
      each.currency === currency &&
      amount <= each.max &&
      amount >= (each.min ?? 0) &&
      each.payees.includes(payee) &&
      seconds >= (each.notBefore ?? 0) &&
      seconds < (each.expiresAt ?? Number.POSITIVE_INFINITY),
  )
  const judged = fitting.map((mandate) => {
    if (mandate.suspended) return { mandate, hindrance: 'suspended' as const }
    const { amount: left = amount, payments = 1 } = mandate.remaining
    return left >= amount && payments >= 1 ? { mandate } : { mandate, hindrance: 'used up' as const }
  })
  return judged.find(({ hindrance }) => hindrance === undefined) ?? judged[0]
}
