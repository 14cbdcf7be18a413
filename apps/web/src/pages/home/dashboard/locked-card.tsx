import { Trans } from '@lingui/react/macro'
import { UnlockForm } from '../../../features/account/unlock-form.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'

/** The way to open a vault that is locked. */
export function LockedCard() {
  return (
    <Card
      title={<Trans>The vault is locked</Trans>}
      description={<Trans>Unlock it to see names and activity, and to sign.</Trans>}
    >
      <div className="max-w-md">
        <UnlockForm />
      </div>
    </Card>
  )
}
