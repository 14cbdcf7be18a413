import type { LimitedState, VaultDevices } from '@keyhole/vault/devices'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { useMandates } from '../../shared/vault/use-sealed-lists.ts'
import { explainText } from '../../shared/words/explain-refusal.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

interface LeaveLimitedProps {
  limited: LimitedState
  devices: Pick<VaultDevices, 'leaveLimited'>
}

/** Makes a limited device an ordinary vault again: what that means, and one press that is confirmed. */
export function LeaveLimited({ limited, devices }: LeaveLimitedProps) {
  const { t } = useLingui()
  const why = whyFixed(useVaultSnapshot())
  const hasMandates = useMandates().mandates.length > 0
  const [asking, setAsking] = useState(false)
  const { isRemoved } = limited
  return (
    <Card level={3} title={t`Stop being a limited device`}>
      <div className="flex max-w-prose flex-col items-start gap-4 text-sm">
        <p className="text-ink-soft">
          <Trans>
            This makes it an ordinary vault again. You can then use it on several devices, or add it as a
            limited device again.
          </Trans>
        </p>
        <Button size="small" why={why} onClick={() => setAsking(true)}>
          <Trans>Stop being a limited device</Trans>
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t`Stop being a limited device?`}
        asks={JSON.stringify([isRemoved, hasMandates])}
        action={t`Stop being a limited device`}
        keep={t`Cancel`}
        explain={explainText}
        onConfirm={async () => {
          await devices.leaveLimited()
          announce(t`Done`, t`This is an ordinary vault again.`)
        }}
      >
        <p>
          <Trans>
            This vault keeps its keys, grants and contacts. It no longer asks the relay about the other vault.
          </Trans>
        </p>
        <p>
          <Trans>What its key was granted still works until it expires or is revoked.</Trans>
        </p>
        {isRemoved ? null : (
          <p>
            <Trans>The other vault isn’t told. If it still lists this device, remove it there too.</Trans>
          </p>
        )}
        {hasMandates ? (
          <p>
            <Trans>This vault’s mandates are suspended until you resume them.</Trans>
          </p>
        ) : null}
      </ConfirmDialog>
    </Card>
  )
}
