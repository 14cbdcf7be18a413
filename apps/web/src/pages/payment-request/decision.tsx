import type { AuthorizeOptions, KeyInfo, PaymentRecord, PaymentTerms } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { ConsentSwitch } from '../../shared/arming/consent-switch.tsx'
import { useArmed } from '../../shared/arming/use-armed.ts'
import { AskedBy } from '../../shared/asker/asked-by.tsx'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { KeyChoice } from '../../shared/vault/key-choice.tsx'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import { keyName } from '../../shared/words/key-name.ts'
import { money } from '../../shared/words/payment.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { moment } from '../../shared/words/when.ts'
import { fittingMandate, type Hindrance } from './fitting-mandate.ts'
import { type PaymentLine, PaymentOver } from './payment-line.ts'
import type { Signing } from './signing.ts'
import type { Asked } from './worker-messages.ts'

interface DecisionProps {
  line: PaymentLine
  signing: Signing
  asked: Asked
  terms: PaymentTerms
  /** Where the amount and its purpose are shown. */
  wanted: Element | null
}

/** What the vault knows that matters for a payment. */
interface Standing {
  /** The vault's own matching mandate, and what blocks it. */
  readonly own: ReturnType<typeof fittingMandate>
  /** An earlier authorised payment for the same order. */
  readonly before: PaymentRecord | undefined
  /** All its payments, by id. */
  readonly known: ReadonlySet<string>
}

/** How long an automatic payment is shown before the browser closes the window, in milliseconds. */
const SHOWN = 2_000

/** The decision about a payment in an open vault: by the vault's own mandate if one matches, otherwise by the person. */
export function Decision(payment: DecisionProps) {
  const { t } = useLingui()
  const { terms } = payment
  const vault = useVault()
  const [refused, setRefused] = useState<unknown>()
  const read = async (): Promise<Standing> => {
    const [mandates, payments] = await Promise.all([vault.mandates.list(), vault.payments.list()])
    return {
      own: fittingMandate(mandates, terms, Date.now()),
      before: payments.find(({ payee, order }) => payee === terms.payee && order === terms.order),
      known: new Set(payments.map(({ id }) => id)),
    }
  }
  const { data: standing, failed } = useVaultQuery('payment-standing', read)
  const [first, setFirst] = useState<Standing>()
  // Keep the first state: signing here changes it.
  if (standing !== undefined && first === undefined) setFirst(standing)
  if (failed !== undefined && first === undefined) return <ByHand {...payment} hint={failed} />
  if (first === undefined) return <Progress label={t`Checking your mandates…`} value={null} />
  const { own, before, known } = first
  if (own !== undefined && own.hindrance === undefined && before === undefined && refused === undefined)
    return <ByItself {...payment} known={known} mandate={own.mandate.cid} onRefused={setRefused} />
  return <ByHand {...payment} known={known} before={before} hindrance={own?.hindrance} hint={refused} />
}

/** Signs in the open account. */
function useSigning({
  signing,
  asked,
  terms,
  known,
}: DecisionProps & { known?: ReadonlySet<string> | undefined }) {
  const vault = useVault()
  const { address = '' } = useVaultSnapshot()
  return (options: AuthorizeOptions): Promise<PaymentRecord> =>
    signing.sign({ ...{ vault, address, asked, terms, options, known } })
}

interface ByItselfProps extends DecisionProps {
  known: ReadonlySet<string>
  mandate: string
  onRefused: (error: unknown) => void
}

/** Signs under the vault's own mandate without a click, and shows it for a moment before the window closes. */
function ByItself({ mandate, onRefused, ...payment }: ByItselfProps) {
  const { t } = useLingui()
  const { line, terms } = payment
  const sign = useSigning(payment)
  const [record, setRecord] = useState<PaymentRecord>()
  const begun = useRef(false)
  const act = useAction(async () => {
    try {
      const signed = await sign({ mandate, byItself: true })
      line.deliverLater(signed, SHOWN)
      setRecord(signed)
    } catch (error) {
      if (!(error instanceof PaymentOver)) onRefused(error)
    }
  })
  const { run } = act
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    run()
  }, [run])
  if (record === undefined) return <Progress label={t`Paying under your mandate…`} value={null} />
  const sum = money(terms.amount, terms.currency, terms.digits)
  return (
    <Notice
      tone="good"
      title={<Trans>Authorised automatically: {sum}.</Trans>}
      actions={
        <Button size="small" onClick={() => void line.deliver(record)}>
          <Trans>Back to the site</Trans>
        </Button>
      }
    >
      <Trans>Your own mandate allows it and has counted it. You’ll find it under Payments.</Trans>
    </Notice>
  )
}

interface ByHandProps extends DecisionProps {
  known?: ReadonlySet<string> | undefined
  before?: PaymentRecord | undefined
  /** Why the vault's own mandate doesn't pay. */
  hindrance?: Hindrance | undefined
  /** Why it was refused. */
  hint?: unknown
}

/** Lets the person decide. */
function ByHand({ before, hindrance, hint, ...payment }: ByHandProps) {
  const { t } = useLingui()
  const { line, asked, terms, wanted } = payment
  const snapshot = useVaultSnapshot()
  const { keys, defaultKey, address = '', label } = snapshot
  const why = whyFixed(snapshot)
  const [chosen, setChosen] = useState<string>()
  const key = pick(keys, chosen ?? defaultKey)
  const sign = useSigning(payment)
  const approve = useAction(async () => {
    if (key === undefined) return
    await line.deliver(await sign({ keyId: key.key_id }))
  })
  const approval = useArmed({
    shown: why === undefined ? JSON.stringify([asked, terms, address, key?.key_id, before?.id]) : undefined,
    subject: wanted,
    isDeliberate: true,
    approve: () => approve.run(),
  })
  const sum = money(terms.amount, terms.currency, terms.digits)
  return (
    <Card className="flex flex-col gap-5 short:gap-3">
      <Failure error={hint} />
      {before === undefined ? null : <SameOrder before={before} />}
      {hindrance === 'suspended' ? (
        <Notice>
          <Trans>
            Your own mandate would pay this, but it is suspended until you resume it under Payments.
          </Trans>
        </Notice>
      ) : null}
      {hindrance === 'used up' ? (
        <Notice>
          <Trans>Your own mandate would pay this, but its budget is used up for now.</Trans>
        </Notice>
      ) : null}
      <KeyChoice label={t`Signed with`} keys={keys} chosen={key} onChoose={setChosen} />
      <Failure error={approve.error instanceof PaymentOver ? undefined : approve.error} />
      {why === undefined ? null : <p className="text-ink-soft text-sm">{why}</p>}
      <div ref={approval.block} className="flex flex-col gap-3">
        <div className="flex flex-col gap-3 short:flex-row short:flex-wrap short:items-center short:gap-x-6">
          <AskedBy origin={asked.origin} />
          <ConsentSwitch consent={approval.consent} label={t`I want to pay this`} />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button tone="primary" busy={approve.pending} why={why} {...approval.button}>
            <Trans>Approve {sum}</Trans>
          </Button>
          <Button disabled={approve.pending} onClick={() => line.end('decline')}>
            <Trans>Decline</Trans>
          </Button>
        </div>
      </div>
      <p className="text-ink-soft text-sm">
        <Trans>Your signature lets this site collect this amount once, within five minutes.</Trans>
      </p>
      <Facts
        facts={[
          [t`From`, label ? `${label}` : <DidText key="address" text={address} what={t`the address`} />],
          label ? [t`Address`, <DidText key="address" text={address} what={t`the address`} />] : undefined,
          key && keys.length === 1 ? [t`Signed with`, keyName(key, keys)] : undefined,
          [t`Mandate`, t`None. You approve it yourself.`],
        ]}
      />
    </Card>
  )
}

/** Warns about an order that was paid before. */
function SameOrder({ before }: { before: PaymentRecord }) {
  const sum = money(before.amount, before.currency, before.digits)
  const when = moment(before.at)
  return (
    <Notice tone="warn" title={<Trans>You have authorised this order before.</Trans>}>
      <Trans>
        It was {sum}, {when}. Approve it again only if the site tells you that it did not get it.
      </Trans>
    </Notice>
  )
}

const pick = (keys: readonly KeyInfo[], id: string | undefined): KeyInfo | undefined =>
  keys.find(({ key_id }) => key_id === id) ?? keys[0]
