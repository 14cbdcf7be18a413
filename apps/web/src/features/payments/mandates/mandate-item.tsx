import type { Mandate } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { announce } from '../../../shared/browser/announce.ts'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { RevocationText } from '../../../shared/tokens/revocation-text.tsx'
import { useToken } from '../../../shared/tokens/use-tokens.ts'
import { Button, buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Facts } from '../../../shared/ui/layout/facts.tsx'
import { HandOver } from '../../../shared/ui/sharing/hand-over.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { TimeText } from '../../../shared/ui/text/time-text.tsx'
import { money } from '../../../shared/words/payment.ts'
import { explainText } from '../../../shared/words/refusal.ts'
import { moment } from '../../../shared/words/when.ts'
import { SpendByPayee } from '../history/spend-by-payee.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { leftOf, mandateState, STATE_TONES } from './mandate-state.ts'
import { mandateCapability, stateWords } from './mandate-words.ts'

interface MandateItemProps {
  mandate: Mandate
  now: number
  open: boolean
  onToggle: () => void
}

/** One mandate that this vault counts: its sentence, what is left of it, and what can be done about it. */
export function MandateItem({ mandate, now, open, onToggle }: MandateItemProps) {
  const { t } = useLingui()
  const vault = useVault()
  const contacts = useContacts()
  const { token } = useToken(mandate.cid)
  const [ending, setEnding] = useState(false)
  const state = mandateState(mandate, now)
  const over = state === 'ended'
  const { until } = leftOf(mandate, now)
  const name = token?.label ?? (mandate.own ? t`This vault, by itself` : t`A mandate without a name`)
  const { cid } = mandate
  const suspend = useAction(async (suspended: boolean) => {
    await vault.mandates.suspend(cid, suspended)
    if (!suspended) announce(t`Confirmed`, t`It can be paid under “${name}” again.`, { about: cid })
    else
      announce(t`Suspended`, t`Nothing is paid under “${name}” until you confirm it.`, {
        about: cid,
        undo: async () => {
          await vault.mandates.suspend(cid, false)
        },
      })
  })
  return (
    <article aria-label={name} className="border-line border-t">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3 py-4">
        <div className="min-w-0 flex-1 basis-72">
          <p className="wrap-anywhere font-semibold">{name}</p>
          <SentenceView
            capability={mandateCapability(mandate)}
            contacts={contacts}
            className={over ? 'text-ink-faint' : 'text-ink-soft'}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <Badge tone={STATE_TONES[state]}>{stateWords(mandate, state, until, now)}</Badge>
          </div>
        </div>
        <div className="w-full sm:w-56">
          <BudgetMeter mandate={mandate} over={over} />
        </div>
        {state === 'suspended' ? (
          <Notice
            tone="warn"
            className="basis-full"
            title={t`Nothing is paid under it until you confirm it.`}
          >
            <Trans>
              If you did not suspend it yourself, this account was restored, and may have paid more than it
              knows. Look at what was spent, then confirm or end it.
            </Trans>
          </Notice>
        ) : null}
        <div className="flex basis-full flex-wrap gap-2">
          {state === 'suspended' ? (
            <Button size="small" tone="primary" busy={suspend.pending} onClick={() => suspend.run(false)}>
              <Trans>Confirm</Trans>
            </Button>
          ) : over ? null : (
            <Button size="small" busy={suspend.pending} onClick={() => suspend.run(true)}>
              <Trans>Suspend</Trans>
            </Button>
          )}
          {over ? null : (
            <Button size="small" onClick={() => setEnding(true)}>
              <Trans>End…</Trans>
            </Button>
          )}
          <Button size="small" tone="bare" aria-expanded={open} onClick={onToggle}>
            {open ? <Trans>Hide details</Trans> : <Trans>Details</Trans>}
          </Button>
        </div>
        {suspend.error === undefined ? null : (
          <div className="basis-full">
            <Failure error={suspend.error} />
          </div>
        )}
      </div>
      {open ? (
        <MandateDetails mandate={mandate} token={token?.token} revoked={token?.revoked ?? false} />
      ) : null}
      <ConfirmDialog
        open={ending}
        onOpenChange={setEnding}
        title={t`End “${name}”?`}
        phrase={t({ message: 'end', comment: 'Typed to confirm that a mandate ends' })}
        action={t`End it for good`}
        explain={explainText}
        onConfirm={async () => {
          await vault.mandates.end(cid)
          announce(t`Ended`, t`Nothing is paid under “${name}” any more.`, { about: cid })
        }}
      >
        <SentenceView capability={mandateCapability(mandate)} contacts={contacts} />
        <p>
          <Trans>
            Nothing takes this back. It holds at once, since each payment needs this vault; where you have the
            account in another browser, end it there as well. What was authorised before stays authorised
            until it runs out, within the hour.
          </Trans>
        </p>
      </ConfirmDialog>
    </article>
  )
}

interface MandateDetailsProps {
  mandate: Mandate
  /** The delegation's text, where it is still stored. */
  token: string | undefined
  revoked: boolean
}

function MandateDetails({ mandate, token, revoked }: MandateDetailsProps) {
  const { t } = useLingui()
  const { cid, issuer, audience, min, max, currency, digits, total, own, createdAt, notBefore, expiresAt } =
    mandate
  return (
    <div className="flex flex-col gap-5 pb-6">
      <SpendByPayee mandate={cid} />
      <Facts
        facts={[
          [t`Spent in all`, money(total.amount, currency, digits)],
          [t`Payments in all`, `${total.payments}`],
          [
            t`Least for one payment`,
            min === undefined ? t`anything above zero` : money(min, currency, digits),
          ],
          [t`Most for one payment`, money(max, currency, digits)],
          [t`Signed with`, <ContactName key="issuer" did={issuer} what={t`the issuer’s DID`} />],
          own
            ? undefined
            : [t`Held by`, <ContactName key="audience" did={audience} what={t`the audience’s DID`} />],
          [t`Made`, <TimeText key="made" at={createdAt * 1000} />],
          notBefore === undefined ? undefined : [t`From when`, moment(notBefore * 1000)],
          [t`Until`, expiresAt === undefined ? t`without end` : moment(expiresAt * 1000)],
          [t`CID`, <DidText key="cid" text={cid} what={t`the CID`} />],
        ]}
      />
      {token === undefined || own ? null : <HandOver text={token} label={t`token`} what={t`the token`} />}
      {revoked && !own ? <RevocationText cid={cid} /> : null}
      <div className="flex flex-wrap gap-2">
        <Link to="/payment" search={{ tab: 'history', under: cid }} className={buttonClass('quiet', 'small')}>
          <Trans>Its payments</Trans>
        </Link>
      </div>
    </div>
  )
}
