import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { usePayments } from '../../../shared/vault/use-sealed-lists.ts'
import { money, payeeName } from '../../../shared/words/payment.ts'
import { spentByPayee } from './history.ts'

/** How much was authorised for whom under a mandate, the most first. */
export function SpendByPayee({ mandate }: { mandate: string }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const { loading, payments } = usePayments()
  const spent = useMemo(() => spentByPayee(payments, mandate), [payments, mandate])
  const most = spent[0]?.amount ?? 0
  if (spent.length === 0) {
    return loading ? null : (
      <p className="text-ink-soft text-sm">
        <Trans>No payments authorised yet.</Trans>
      </p>
    )
  }
  return (
    <div>
      <p className="mb-2 font-medium text-sm">
        <Trans>Authorised by payee</Trans>
      </p>
      <ul aria-label={t`Authorised by payee`} className="flex flex-col gap-2">
        {spent.map(({ payee, amount, payments, failed, currency, digits }) => (
          <li key={payee} className="flex flex-wrap justify-between gap-x-4 text-sm">
            <span className="min-w-0 wrap-anywhere">{payeeName(payee, contacts)}</span>
            <span className="whitespace-nowrap">
              {money(amount, currency, digits)}{' '}
              <span className="text-ink-faint">
                (<Plural value={payments} one="# payment" other="# payments" />
                {failed === 0 ? null : <Trans>, {failed} failed</Trans>})
              </span>
            </span>
            <svg
              aria-hidden="true"
              viewBox="0 0 200 2"
              preserveAspectRatio="none"
              className="mt-1 h-1 w-full rounded-full bg-sunken"
            >
              <rect height="2" width={Math.max(2, (200 * amount) / most)} className="fill-ink" />
            </svg>
          </li>
        ))}
      </ul>
    </div>
  )
}
