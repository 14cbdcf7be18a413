import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { OpenAccount } from '../../features/account/open-account.tsx'
import { RequestReview } from '../../features/payments/requests/request-review.tsx'
import { AskedBy } from '../../shared/asker/asked-by.tsx'
import type { PaymentRequest } from '../../shared/requests/request.ts'
import { Card } from '../../shared/ui/layout/card.tsx'

interface PaymentFormProps {
  request: PaymentRequest
  origin: string | undefined
  /** Called with the authorisation's text once it is signed, counted and stored. */
  onSigned: (token: string) => void
  onDeclined: () => void
}

/** A payment under a mandate with a budget: reviewed, countersigned and counted like a pasted one. */
export default function PaymentForm({ request, origin, onSigned, onDeclined }: PaymentFormProps) {
  const { t } = useLingui()
  const [signed, setSigned] = useState(false)
  return (
    <>
      <Card title={t`What it asks for`}>
        <RequestReview
          request={request.invocation}
          askedBy={<AskedBy origin={origin} />}
          onSigned={({ token }) => {
            setSigned(true)
            onSigned(token)
          }}
          onDeclined={signed ? undefined : onDeclined}
        />
      </Card>
      <OpenAccount />
    </>
  )
}
