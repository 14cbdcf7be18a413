import type { PaymentRecord } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { visible } from '../../../shared/text/visible.ts'
import { useMandateNames } from '../../../shared/tokens/use-mandate-names.ts'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Facts } from '../../../shared/ui/layout/facts.tsx'
import { HandOver } from '../../../shared/ui/sharing/hand-over.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { Foreign } from '../../../shared/ui/text/foreign.tsx'
import { money, payeeName } from '../../../shared/words/payment.ts'
import { moment } from '../../../shared/words/when.ts'
import { shorten } from '../../../shared/words/who.ts'
import { PaymentBadges } from './payment-badges.tsx'
import { PaymentReceiptCard } from './payment-receipt.tsx'

/** One payment on a page of its own: to whom, how much, who approved it, what was signed, and its receipt. */
export function PaymentDetails({ payment }: { payment: PaymentRecord }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const names = useMandateNames()
  const { payee, amount, currency, digits, order, at, expiresAt, issuer, by, mandate, requester, id, token } =
    payment
  const approved = { hand: t`by hand`, mandate: t`by this vault’s own mandate`, request: t`on request` }[by]
  const site = payeeName(payee, contacts)
  const sum = money(amount, currency, digits)
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  return (
    <article ref={place} tabIndex={-1} aria-label={site} className="outline-none">
      <Card title={<span className="wrap-anywhere">{t`${sum} to ${site}`}</span>}>
        <div className="flex flex-col gap-5">
          <PaymentBadges payment={payment} />
          <Facts
            facts={[
              [t`Payee`, <ContactName key="payee" did={payee} what={t`the payee’s DID`} />],
              [t`Amount`, `${sum} (${currency})`],
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
              [t`Valid for the shop until`, moment(expiresAt)],
              [t`Signed by`, <ContactName key="issuer" did={issuer} what={t`the issuer’s DID`} />],
              [t`CID`, <DidText key="cid" text={id} what={t`the CID`} />],
            ]}
          />
          <HandOver text={token} label={t`authorisation`} what={t`the authorisation`} />
          <PaymentReceiptCard payment={payment} />
        </div>
      </Card>
    </article>
  )
}
