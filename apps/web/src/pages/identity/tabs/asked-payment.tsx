import { Trans, useLingui } from '@lingui/react/macro'
import { Gate } from '../../../features/account/gate.tsx'
import { RequestReview } from '../../../features/payments/requests/request-review.tsx'
import { announce } from '../../../shared/browser/announce.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'

interface AskedPaymentProps {
  /** The request's text, without white space. */
  request: string
  /** Puts it away. */
  onAnother: () => void
}

/** The payment that a pasted request asks for, to review and answer. What is still needed for that comes below it. */
export function AskedPayment({ request, onAnother }: AskedPaymentProps) {
  const { t } = useLingui()
  return (
    <>
      <Card
        title={t`What it asks for`}
        actions={
          <Button size="small" onClick={onAnother}>
            <Trans>Another request</Trans>
          </Button>
        }
      >
        <RequestReview
          request={request}
          onDeclined={(before) => {
            onAnother()
            announce(
              t`Declined`,
              before === 'no'
                ? t`The person who asked won’t know unless you tell them.`
                : t`The person who asked won’t know unless you tell them. If you countersigned it before, that still counts.`,
            )
          }}
        />
      </Card>
      <Gate need="unlocked" purpose={t`answer a request for a payment`}>
        {null}
      </Gate>
    </>
  )
}
