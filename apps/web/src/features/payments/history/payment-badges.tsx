import type { PaymentRecord } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'

/** What is known of a payment: its receipt, and who approved it. */
export function PaymentBadges({ payment }: { payment: PaymentRecord }) {
  return (
    <div className="flex flex-wrap gap-2">
      <ReceiptBadge payment={payment} />
      <ApprovedBadge payment={payment} />
    </div>
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
  return <Badge>{now < expiresAt ? t`no receipt yet` : t`no receipt`}</Badge>
}

function ApprovedBadge({ payment: { by, mandate } }: { payment: PaymentRecord }) {
  const { t } = useLingui()
  if (by === 'mandate') return <Badge>{t`approved automatically`}</Badge>
  if (by === 'request') return <Badge>{t`approved on request`}</Badge>
  return mandate === undefined ? null : <Badge>{t`under a mandate`}</Badge>
}
