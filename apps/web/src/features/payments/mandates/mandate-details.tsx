import type { Mandate } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { RevocationText } from '../../../shared/tokens/revocation-text.tsx'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Facts } from '../../../shared/ui/layout/facts.tsx'
import { HandOver } from '../../../shared/ui/sharing/hand-over.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { TimeText } from '../../../shared/ui/text/time-text.tsx'
import { usePayments } from '../../../shared/vault/use-sealed-lists.ts'
import { budgetWords, money } from '../../../shared/words/payment.ts'
import { moment } from '../../../shared/words/when.ts'
import { failedAmount } from '../history/history.ts'
import { PaymentList } from '../history/payment-list.tsx'
import { SpendByPayee } from '../history/spend-by-payee.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { MandateActions } from './mandate-actions.tsx'
import { MandateKeeper } from './mandate-keeper.tsx'
import { MandateBadge, SuspendedNotice } from './mandate-standing.tsx'
import { mandateState } from './mandate-state.ts'
import { mandateCapability } from './mandate-words.ts'
import { useMandateName } from './use-mandate-name.ts'

/** Payments shown of one mandate. */
const MOST = 5

/** One mandate on a page of its own: what it lets someone pay, what is left, what was paid, and what can be done about it. */
export function MandateDetails({ mandate, now }: { mandate: Mandate; now: number }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const { name, token } = useMandateName(mandate)
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  const state = mandateState(mandate, now)
  const { cid, own } = mandate
  return (
    <article ref={place} tabIndex={-1} aria-label={name} className="flex flex-col gap-6 outline-none">
      <Card title={<span className="wrap-anywhere">{name}</span>}>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
          <div className="flex min-w-0 flex-1 basis-72 flex-col gap-3">
            <SentenceView capability={mandateCapability(mandate)} contacts={contacts} />
            <p>
              <MandateBadge mandate={mandate} now={now} />
            </p>
          </div>
          <div className="w-full sm:w-56">
            <BudgetMeter mandate={mandate} over={state === 'ended'} />
          </div>
          {mandate.keeper ? null : <SuspendedNotice state={state} />}
          <MandateKeeper mandate={mandate} />
          <MandateActions mandate={mandate} name={name} state={state} />
        </div>
      </Card>
      <Paid mandate={mandate} />
      <About mandate={mandate} />
      {token === undefined || own ? null : (
        <HandOver text={token.token} label={t`token`} what={t`the token`} />
      )}
      {token?.revoked && !own ? <RevocationText cid={cid} /> : null}
    </article>
  )
}

/** What was authorised under it, for whom, and the last payments, which lead on to all of them. */
function Paid({ mandate: { cid, currency, digits, total } }: { mandate: Mandate }) {
  const { t } = useLingui()
  const { payments } = usePayments()
  const paid = payments.filter(({ mandate }) => mandate === cid)
  const failed = failedAmount(paid)
  return (
    <Card
      title={t`Payments under this mandate`}
      actions={
        paid.length > MOST ? (
          <Link
            to="/payment"
            search={{ tab: 'history', under: cid }}
            className={buttonClass('quiet', 'small')}
          >
            <Trans>All of them</Trans>
          </Link>
        ) : null
      }
    >
      <div className="flex flex-col gap-5">
        <Facts
          facts={[
            [t`Total authorised`, money(total.amount, currency, digits)],
            failed === 0 ? undefined : [t`Of this, failed`, money(failed, currency, digits)],
            [t`Payments authorised`, `${total.payments}`],
          ]}
        />
        <SpendByPayee mandate={cid} />
        {paid.length > 0 ? <PaymentList payments={paid.slice(0, MOST)} /> : null}
      </div>
    </Card>
  )
}

function About({ mandate }: { mandate: Mandate }) {
  const { t } = useLingui()
  const { cid, issuer, audience, min, max, budget, currency, digits } = mandate
  const { own, createdAt, notBefore, expiresAt, payees } = mandate
  return (
    <Card title={t`Details`}>
      <Facts
        facts={[
          [t`Budget`, budgetWords(budget, currency, digits)],
          [t`Minimum per payment`, min === undefined ? t`anything above zero` : money(min, currency, digits)],
          [t`Maximum per payment`, money(max, currency, digits)],
          [
            t`Payees`,
            payees.length === 0 ? (
              t`any shop`
            ) : (
              <span key="payees" className="flex flex-col items-start gap-1">
                {payees.map((payee) => (
                  <ContactName key={payee} did={payee} what={t`the payee’s DID`} />
                ))}
              </span>
            ),
          ],
          [t`Signed by`, <ContactName key="issuer" did={issuer} what={t`the issuer’s DID`} />],
          own
            ? undefined
            : [t`Held by`, <ContactName key="audience" did={audience} what={t`the audience’s DID`} />],
          [t`Created`, <TimeText key="made" at={createdAt * 1000} />],
          notBefore === undefined ? undefined : [t`Starts`, moment(notBefore * 1000)],
          [t`Expires`, expiresAt === undefined ? t`never` : moment(expiresAt * 1000)],
          [t`CID`, <DidText key="cid" text={cid} what={t`the CID`} />],
        ]}
      />
    </Card>
  )
}
