import type { PaymentRecord } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { formatTag } from '../../../shared/language/language.ts'
import { visible } from '../../../shared/text/visible.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Facts } from '../../../shared/ui/layout/facts.tsx'
import { HandOver } from '../../../shared/ui/sharing/hand-over.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { Foreign } from '../../../shared/ui/text/foreign.tsx'
import { money, payeeName } from '../../../shared/words/payment.ts'
import { moment } from '../../../shared/words/when.ts'
import { shorten } from '../../../shared/words/who.ts'
import { PaymentReceiptCard } from './payment-receipt.tsx'
import { useMandateNames } from './use-mandate-names.ts'

interface PaymentItemProps {
  payment: PaymentRecord
  open: boolean
  onToggle: () => void
}

/** One payment: to whom, how much, for which order, by whom approved; and all of it once opened. */
export function PaymentItem({ payment, open, onToggle }: PaymentItemProps) {
  const { payee, amount, currency, digits, order, at } = payment
  const site = payeeName(payee, useContacts())
  const time = new Intl.DateTimeFormat(formatTag(), { timeStyle: 'short' }).format(at)
  return (
    <article aria-label={site} className="flex flex-col gap-3 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="wrap-anywhere font-medium">{site}</p>
          <p className="wrap-anywhere text-ink-soft text-sm">
            <Trans>
              Order <Foreign>{visible(order)}</Foreign>, at {time}
            </Trans>
          </p>
          <div className="mt-1 flex flex-wrap gap-2">
            <ReceiptBadge payment={payment} />
            <ApprovedBadge payment={payment} />
          </div>
        </div>
        <p className="font-semibold text-lg">{money(amount, currency, digits)}</p>
        <Button size="small" tone="bare" aria-expanded={open} onClick={onToggle}>
          {open ? <Trans>Hide details</Trans> : <Trans>Details</Trans>}
        </Button>
      </div>
      {open ? <PaymentDetails payment={payment} /> : null}
    </article>
  )
}

function ReceiptBadge({ payment: { receipt, expiresAt } }: { payment: PaymentRecord }) {
  const { t } = useLingui()
  const now = useNow()
  if (receipt) {
    return receipt.outcome === 'ok' ? (
      <Badge tone="good">{t`receipt: paid`}</Badge>
    ) : (
      <Badge tone="bad">{t`receipt: failed`}</Badge>
    )
  }
  return <Badge>{now < expiresAt ? t`authorised` : t`no receipt`}</Badge>
}

function ApprovedBadge({ payment: { by, mandate } }: { payment: PaymentRecord }) {
  const { t } = useLingui()
  if (by === 'mandate') return <Badge>{t`by itself`}</Badge>
  if (by === 'request') return <Badge>{t`asked for by a holder`}</Badge>
  return mandate === undefined ? null : <Badge>{t`under a mandate`}</Badge>
}

function PaymentDetails({ payment }: { payment: PaymentRecord }) {
  const { t } = useLingui()
  const names = useMandateNames()
  const { payee, amount, currency, digits, order, at, expiresAt, issuer, by, mandate, requester, id, token } =
    payment
  const approved = { hand: t`by hand`, mandate: t`by this vault’s own mandate`, request: t`on request` }[by]
  return (
    <div className="flex flex-col gap-5 rounded-control bg-sunken p-4">
      <Facts
        facts={[
          [t`Payee`, <ContactName key="payee" did={payee} what={t`the payee’s DID`} />],
          [t`Amount`, `${money(amount, currency, digits)} (${currency})`],
          [t`Order`, <Foreign key="order">{visible(order)}</Foreign>],
          [t`Approved`, approved],
          mandate === undefined
            ? undefined
            : [
                t`Mandate`,
                <Link
                  key="mandate"
                  to="/payment"
                  search={{ tab: 'mandates', mandate }}
                  className="underline decoration-line-strong underline-offset-4"
                >
                  {names.get(mandate) ?? shorten(mandate)}
                </Link>,
              ],
          requester === undefined
            ? undefined
            : [
                t`Asked for by`,
                <ContactName key="requester" did={requester} what={t`the requester’s DID`} />,
              ],
          [t`Signed`, moment(at)],
          [t`The shop could use it until`, moment(expiresAt)],
          [t`Signed with`, <ContactName key="issuer" did={issuer} what={t`the issuer’s DID`} />],
          [t`CID`, <DidText key="cid" text={id} what={t`the CID`} />],
        ]}
      />
      <HandOver text={token} label={t`authorisation`} what={t`the authorisation`} />
      <PaymentReceiptCard payment={payment} />
    </div>
  )
}
