import type { PaymentRecord } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { formatTag } from '../../../shared/language/language.ts'
import { visible } from '../../../shared/text/visible.ts'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Foreign } from '../../../shared/ui/text/foreign.tsx'
import { money, payeeName } from '../../../shared/words/payment.ts'
import { PaymentBadges } from './payment-badges.tsx'

/** One payment in a list: to whom, how much, for which order, by whom approved; and the way to its page. */
export function PaymentItem({ payment }: { payment: PaymentRecord }) {
  const { id, payee, amount, currency, digits, order, at } = payment
  const site = payeeName(payee, useContacts())
  const time = new Intl.DateTimeFormat(formatTag(), { timeStyle: 'short' }).format(at)
  return (
    <article aria-label={site} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere font-medium">{site}</p>
        <p className="wrap-anywhere mb-1 text-ink-soft text-sm">
          <Trans>
            Order <Foreign>{visible(order)}</Foreign>, at {time}
          </Trans>
        </p>
        <PaymentBadges payment={payment} />
      </div>
      <p className="font-semibold text-lg">{money(amount, currency, digits)}</p>
      <Link to="/payment" search={{ tab: 'history', payment: id }} className={buttonClass('bare', 'small')}>
        <Trans>Details</Trans>
      </Link>
    </article>
  )
}
