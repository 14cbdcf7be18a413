import type { PaymentTerms } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, type Ref, useState } from 'react'
import { OpenAccount } from '../../features/account/open-account.tsx'
import { Asker } from '../../shared/asker/asker.tsx'
import { visible } from '../../shared/text/visible.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Foreign } from '../../shared/ui/text/foreign.tsx'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import { money } from '../../shared/words/payment.ts'
import { moment } from '../../shared/words/when.ts'
import { Decision } from './decision.tsx'
import type { PaymentLine } from './payment-line.ts'
import type { Signing } from './signing.ts'
import type { Asked } from './worker-messages.ts'

interface PaymentProps {
  line: PaymentLine
  signing: Signing
  asked: Asked
  /** When the site stops waiting, in milliseconds since 1970. */
  until: number
}

/** A payment that a site asks for: what it asks, and how to approve it whatever state the vault is in. */
export function Payment({ line, signing, asked, until }: PaymentProps) {
  const vault = useVault()
  const { phase, address } = useVaultSnapshot()
  const [wanted, setWanted] = useState<Element | null>(null)
  const isReady = !isOpening(phase) && phase !== 'failed'
  // The enclave says what it would sign, or why not. The answer doesn't depend on a vault.
  const read = () => vault.payments.check(asked)
  const { data: terms, failed } = useVaultQuery('payment-terms', read, { enabled: isReady })
  if (failed !== undefined) {
    return (
      <>
        <Asker origin={asked.origin} />
        <Failure error={failed} />
        <Button tone="primary" onClick={() => line.end('refuse')} className="self-start">
          <Trans>Back to the site</Trans>
        </Button>
      </>
    )
  }
  return (
    <>
      <Asker origin={asked.origin} />
      {terms === undefined ? null : <Wanted ref={setWanted} terms={terms} until={until} />}
      <OpenAccount />
      {terms === undefined || phase !== 'unlocked' ? (
        <Button onClick={() => line.end('decline')} className="self-start">
          <Trans>Decline</Trans>
        </Button>
      ) : (
        // A key: work started in one account must not continue in another.
        <Decision key={address} {...{ line, signing, asked, terms, wanted }} />
      )}
    </>
  )
}

/** How much and what for, as it would be signed. */
function Wanted({ ref, terms, until }: { ref: Ref<HTMLDListElement>; terms: PaymentTerms; until: number }) {
  return (
    <Card className="flex flex-col gap-3 short:flex-row short:flex-wrap short:gap-x-8">
      <dl ref={ref} className="flex min-w-0 flex-col gap-3 short:flex-row short:flex-wrap short:gap-x-8">
        <Line name={<Trans>Amount</Trans>}>
          <span className="font-semibold text-3xl tracking-tight short:text-2xl">
            {money(terms.amount, terms.currency, terms.digits)}
          </span>
        </Line>
        <Line name={<Trans>Order</Trans>}>
          <Foreign>{visible(terms.order)}</Foreign>
        </Line>
      </dl>
      <dl>
        <Line name={<Trans>The site waits until</Trans>}>{moment(until)}</Line>
      </dl>
    </Card>
  )
}

function Line({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="max-w-full">
      <dt className="text-ink-soft text-sm">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
