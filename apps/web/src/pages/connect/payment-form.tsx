import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { OpenAccount } from '../../features/account/open-account.tsx'
import { type AnsweredBefore, RequestReview } from '../../features/payments/requests/request-review.tsx'
import { AskedBy } from '../../shared/asker/asked-by.tsx'
import type { PaymentRequest } from '../../shared/requests/request.ts'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'

interface PaymentFormProps {
  request: PaymentRequest
  origin: string | undefined
  /** Gives the app the authorisation's text. Absent if no app asks. */
  give: ((token: string) => void) | undefined
  onDeclined: (before: AnsweredBefore) => void
}

/** A payment under a mandate with a budget: reviewed, countersigned and counted like a pasted one. */
export default function PaymentForm({ request, origin, give, onDeclined }: PaymentFormProps) {
  const { t } = useLingui()
  const [isAnswered, setAnswered] = useState(false)
  return (
    <>
      <Card title={t`What it asks for`}>
        <RequestReview
          request={request.invocation}
          askedBy={<AskedBy origin={origin} />}
          app={give && (isAnswered ? 'answered' : 'waits')}
          onSigned={({ token }) => {
            setAnswered(true)
            give?.(token)
          }}
          onDeclined={isAnswered ? undefined : onDeclined}
        />
      </Card>
      <OpenAccount none={<NoVault />} />
    </>
  )
}

/** Without a vault, making one would not help: only the one with the mandate can answer. */
function NoVault() {
  const { t } = useLingui()
  return (
    <EmptyState
      title={t`There is no vault in this browser yet`}
      actions={
        <a href="/register?tab=restore" target="_blank" rel="noopener" className={buttonClass('primary')}>
          <Trans>Restore your vault</Trans>
        </a>
      }
    >
      <Trans>
        Only the vault that made the mandate can pay this. Open the request in the browser that has it, or
        restore it here.
      </Trans>
    </EmptyState>
  )
}
