import { type Mandate, type PaymentRecord, VaultError } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { ConsentSwitch } from '../../../shared/arming/consent-switch.tsx'
import { useArmed } from '../../../shared/arming/use-armed.ts'
import { isLookalike } from '../../../shared/asker/asker-host.ts'
import { announce } from '../../../shared/browser/announce.ts'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { feedRelay } from '../../../shared/relay/feed-relay.ts'
import { quotable, visible } from '../../../shared/text/visible.ts'
import { useMandateNames } from '../../../shared/tokens/use-mandate-names.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { ListProgress } from '../../../shared/ui/feedback/list-progress.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Result } from '../../../shared/ui/feedback/result.tsx'
import { Facts } from '../../../shared/ui/layout/facts.tsx'
import { Fold } from '../../../shared/ui/layout/fold.tsx'
import { HandOver } from '../../../shared/ui/sharing/hand-over.tsx'
import { Foreign } from '../../../shared/ui/text/foreign.tsx'
import { isOpening } from '../../../shared/vault/is-opening.ts'
import { useMandates } from '../../../shared/vault/use-sealed-lists.ts'
import { useVaultCheck } from '../../../shared/vault/use-vault-check.ts'
import { money, payeeWords } from '../../../shared/words/payment.ts'
import { whyFixed } from '../../../shared/words/refusals/why-fixed.ts'
import { distance, moment } from '../../../shared/words/when.ts'
import { signedWho } from '../../../shared/words/who.ts'
import { BudgetMeter } from '../mandates/budget-meter.tsx'
import { leftOf, mandateState, STATE_TONES } from '../mandates/mandate-state.ts'
import { mandateCapability, stateWords, whyNotPaid } from '../mandates/mandate-words.ts'
import { type AskedFor, readAsked } from './asked-payment.ts'
import { useCountersigned } from './use-countersigned.ts'

interface RequestReviewProps {
  /** The text of an invocation of `/payment/request`, with its proofs. */
  request: string
  /** Who sent it, where that is told beside the buttons. */
  askedBy?: ReactNode
  /** Whether the app that asked still waits for the authorisation. Absent if there is no app: the person hands it over. */
  app?: 'waits' | 'answered' | undefined
  /** Gets the authorisation, once it is signed and stored, or when an app is sent it again. */
  onSigned?: (payment: PaymentRecord) => void
  /** Absent if the answer has been given. */
  onDeclined: ((before: AnsweredBefore) => void) | undefined
}

/** Whether a request was countersigned before, as far as the vault can tell while it is declined. */
export type AnsweredBefore = 'no' | 'unknown'

/**
 * A payment that a mandate's holder asks for: checked, told in words beside what is left of the mandate, and countersigned or declined.
 * Without an open vault it can be read and declined.
 */
export function RequestReview(props: RequestReviewProps) {
  const { address, phase } = useVaultSnapshot()
  const about = `${address} ${props.request}`
  const [answer, setAnswer] = useState<{ about: string; state: AnswerState }>()
  // Another request or account starts from scratch, and a lock leaves nothing of what was signed or read before: only whether it was.
  return (
    <Review
      key={`${phase === 'unlocked'} ${about}`}
      {...props}
      answer={answer?.about === about ? answer.state : undefined}
      onAnswer={(state) => setAnswer({ about, state })}
    />
  )
}

/** Whether a request is being countersigned, or was. */
type AnswerState = 'signing' | 'signed' | undefined

interface ReviewProps extends RequestReviewProps {
  answer: AnswerState
  onAnswer: (state: AnswerState) => void
}

function Review({ request, askedBy, app, onSigned, onDeclined, answer, onAnswer }: ReviewProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { address, phase } = snapshot
  const canCheck = !isOpening(phase) && phase !== 'failed'
  const { found: result, error } = useVaultCheck(canCheck ? ['request', request] : undefined, (vault) =>
    vault.tokens.validate({ invocation: request }),
  )
  const [signed, setSigned] = useState<PaymentRecord>()
  /** Whether the relay didn't answer: the person may go on without it. */
  const [isUnasked, setUnasked] = useState(false)
  const [words, setWords] = useState<Element | null>(null)
  const { mandates, loading, error: unread } = useMandates()
  const before = useCountersigned(request)
  const now = useNow()
  const countersign = async () => {
    const relay = isUnasked || address === undefined ? undefined : await feedRelay(address)
    return await vault.payments.countersign(request, relay === undefined ? {} : { relay })
  }
  const approve = useAction(async () => {
    onAnswer('signing')
    const payment = await countersign().catch((error) => {
      onAnswer(undefined)
      if (error instanceof VaultError && error.details?.name === 'FeedUnknown') setUnasked(true)
      throw error
    })
    onAnswer('signed')
    setSigned(payment)
    onSigned?.(payment)
    const sum = money(payment.amount, payment.currency, payment.digits)
    const site = payeeWords(payment.payee)
    announce(t`Countersigned`, t`${sum} to ${site}`)
  })
  const read = result && readAsked(result)
  const asked = read && 'asked' in read ? read.asked : undefined
  const isSigned = answer === 'signed'
  const mandate = asked && mandates.find(({ cid }) => asked.proofs.includes(cid))
  const isOthers = asked !== undefined && !loading && unread === undefined && mandate === undefined
  const why =
    whyFixed(snapshot) ??
    (isOthers ? t`This vault didn’t make the mandate. Switch to the vault that did.` : undefined) ??
    (mandate && asked && whyNotPaid(mandate, asked.amount, now))
  const payable = phase === 'unlocked' && !isSigned ? asked : undefined
  const approval = useArmed({
    shown: why === undefined ? payable && request : undefined,
    subject: words,
    isDeliberate: true,
    approve: () => approve.run(),
  })
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Failure error={error} />
      {canCheck && !result && error === undefined ? <ListProgress /> : null}
      {read && 'title' in read ? (
        <Notice tone="bad" title={read.title}>
          {read.advice}
        </Notice>
      ) : null}
      {asked ? <AskedWords sentence={setWords} asked={asked} /> : null}
      {mandate ? <UnderMandate mandate={mandate} /> : null}
      {signed ? (
        <Signed payment={signed} app={app} />
      ) : before || isSigned ? (
        <SignedBefore
          payment={before ?? undefined}
          {...{ app, askedBy }}
          onSend={() => before && onSigned?.(before)}
        />
      ) : (
        <>
          <Failure error={approve.error ?? unread} />
          {isUnasked ? (
            <Notice tone="warn" title={t`You can go on without your relay`}>
              <Trans>
                If you approve again, we won’t ask the relay. Someone else may have revoked this mandate.
              </Trans>
            </Notice>
          ) : null}
          <div ref={approval.block} className="flex flex-col items-start gap-3">
            {askedBy}
            {asked ? <AnswerLine site={payeeWords(asked.payee)} app={app} /> : null}
            {payable && why !== undefined ? <p className="text-ink-soft text-sm">{why}</p> : null}
            {payable ? <ConsentSwitch consent={approval.consent} label={t`I want to pay this`} /> : null}
            <div className="flex flex-wrap gap-3">
              {payable ? (
                <Button
                  tone="primary"
                  busy={approve.pending}
                  why={why}
                  {...approval.button}
                  icon={<Check className="size-4" aria-hidden />}
                >
                  <Trans>Countersign {money(payable.amount, payable.currency)}</Trans>
                </Button>
              ) : null}
              {onDeclined ? (
                <Button
                  // After a failure, it may have been signed before in a way that this vault has no record of.
                  onClick={() => onDeclined(before === null && !approve.error ? 'no' : 'unknown')}
                  disabled={answer === 'signing'}
                >
                  <Trans>Decline</Trans>
                </Button>
              ) : null}
            </div>
          </div>
        </>
      )}
    </div>
  )
}

function AskedWords({ asked, sentence }: { asked: AskedFor; sentence: Ref<HTMLParagraphElement> }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const now = useNow()
  const { requester, payee, amount, currency, order, expiresAt } = asked
  const [whom, sum, site] = [signedWho(requester, contacts), money(amount, currency), payeeWords(payee)]
  return (
    <>
      <p ref={sentence} className="wrap-anywhere text-lg">
        <Trans>
          <strong title={requester}>{whom}</strong> asks this vault to pay <strong>{sum}</strong> to{' '}
          <strong title={payee}>{site}</strong> for the order{' '}
          <strong className="inline-block max-w-full">
            “<Foreign>{quotable(order)}</Foreign>”
          </strong>
          .
        </Trans>
      </p>
      {isLookalike(payee.replace(/^did:web:/, '')) ? (
        <Notice tone="warn" title={t`This name has letters that can look like others.`}>
          <Trans>
            They chose who gets paid. The name is in raw form, starting with xn--. If you expected a name you
            know, this isn’t it: don’t approve.
          </Trans>
        </Notice>
      ) : null}
      <Facts
        facts={[
          [
            t`Signed by`,
            <ContactName key="requester" did={requester} what={t`the requester’s DID`} tell={signedWho} />,
          ],
          [t`Payee`, <ContactName key="payee" did={payee} what={t`the payee’s DID`} />],
          [t`Order`, <Foreign key="order">{visible(order)}</Foreign>],
          [
            expiresAt !== undefined && expiresAt <= now ? t`Request expired` : t`Request expires`,
            expiresAt === undefined ? t`never` : distance(expiresAt, now),
          ],
        ]}
      />
    </>
  )
}

/** What the answer is, and who gets it. */
function AnswerLine({ site, app }: { site: string; app: RequestReviewProps['app'] }) {
  return (
    <p className="wrap-anywhere text-sm">
      {app === undefined ? (
        <Trans>
          If you countersign, you get an authorisation to send back. Only {site} can use it, once.
        </Trans>
      ) : (
        <Trans>If you countersign, the app gets an authorisation. Only {site} can use it, once.</Trans>
      )}
    </p>
  )
}

function UnderMandate({ mandate }: { mandate: Mandate }) {
  const contacts = useContacts()
  const names = useMandateNames()
  const now = useNow()
  const state = mandateState(mandate, now)
  const name = names.get(mandate.cid)
  return (
    <div className="grid gap-x-6 gap-y-3 rounded-control bg-sunken p-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <div className="min-w-0">
        {name === undefined ? null : <p className="wrap-anywhere font-semibold">{name}</p>}
        <SentenceView
          capability={mandateCapability(mandate)}
          contacts={contacts}
          className="text-ink-soft text-sm"
        />
        {state === 'live' ? null : (
          <p className="mt-2">
            <Badge tone={STATE_TONES[state]}>
              {stateWords(mandate, state, leftOf(mandate, now).until, now)}
            </Badge>
          </p>
        )}
      </div>
      <BudgetMeter mandate={mandate} over={state === 'ended'} />
    </div>
  )
}

interface AnsweredProps {
  payment: PaymentRecord
  app: RequestReviewProps['app']
}

function Signed(answered: AnsweredProps) {
  const { t } = useLingui()
  return (
    <Result>
      <Authorisation {...answered} title={t`Countersigned, counted and stored.`} />
    </Result>
  )
}

interface SignedBeforeProps {
  /** The payment that it made. Only known while the vault is unlocked. */
  payment: PaymentRecord | undefined
  app: RequestReviewProps['app']
  askedBy: ReactNode
  onSend: () => void
}

/** A request that was answered before: with the same authorisation for as long as that is valid, never with another one. */
function SignedBefore({ payment, app, askedBy, onSend }: SignedBeforeProps) {
  const { t } = useLingui()
  const now = useNow()
  const title = t`You’ve already countersigned this.`
  if (payment && payment.expiresAt > now)
    return app === 'waits' ? (
      <SendAgain {...{ payment, title, askedBy, onSend }} />
    ) : (
      <Authorisation {...{ payment, app, title }} />
    )
  return (
    <Notice title={title}>
      {payment && app === 'waits' ? (
        <Trans>Its authorisation has expired and can’t be sent again. You can close this window.</Trans>
      ) : payment && app === undefined ? (
        <Trans>Its authorisation has expired.</Trans>
      ) : null}
    </Notice>
  )
}

interface SendAgainProps {
  payment: PaymentRecord
  title: string
  askedBy: ReactNode
  onSend: () => void
}

/** Sends the app what was signed before. It takes a press, because any page that knows the request can ask for it. */
function SendAgain({ payment, title, askedBy, onSend }: SendAgainProps) {
  const [words, setWords] = useState<Element | null>(null)
  const approval = useArmed({ shown: payment.token, subject: words, approve: onSend })
  const sum = money(payment.amount, payment.currency, payment.digits)
  const site = payeeWords(payment.payee)
  return (
    <>
      <div ref={setWords}>
        <Notice title={title}>
          <Trans>
            The app can get the same authorisation again: {sum} to {site}, once. Nothing more is signed or
            counted.
          </Trans>
        </Notice>
      </div>
      <div ref={approval.block} className="flex flex-col items-start gap-3">
        {askedBy}
        <Button tone="primary" {...approval.button}>
          <Trans>Send the authorisation again</Trans>
        </Button>
      </div>
    </>
  )
}

function Authorisation({ payment, app, title }: AnsweredProps & { title: string }) {
  const { t } = useLingui()
  const site = payeeWords(payment.payee)
  const end = moment(payment.expiresAt)
  const handOver = <HandOver text={payment.token} label={t`authorisation`} what={t`the authorisation`} />
  return (
    <>
      <Notice tone="good" title={title}>
        {app === undefined ? (
          <Trans>
            Send this back to the person who asked. Only {site} can use it, once, until {end}.
          </Trans>
        ) : (
          <Trans>
            It was sent to the app. Only {site} can use it, once, until {end}. You can close this window.
          </Trans>
        )}
      </Notice>
      {app === undefined ? (
        handOver
      ) : (
        <Fold title={t`If it doesn’t arrive, hand over this text`}>{handOver}</Fold>
      )}
    </>
  )
}
