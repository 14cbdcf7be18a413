import type { VaultDevices } from '@keyhole/vault/devices'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ownRelay } from '../../shared/relay/own-relay.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { ProveDialog } from '../../shared/unlock-proof/prove-dialog.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

/** Makes this vault's device a limited device of another vault: what that means, and how it begins. */
export function LimitedStart({ devices }: { devices: VaultDevices }) {
  const { t } = useLingui()
  const why = whyFixed(useVaultSnapshot())
  const [asking, setAsking] = useState(false)
  const { host } = location
  return (
    <Card
      title={t`Make this a limited device of another vault`}
      description={t`For a device that others use too, or that could be lost. It keeps this vault’s own key, and can do only what the other vault grants it.`}
    >
      <div className="flex max-w-prose flex-col items-start gap-4">
        <ul className="flex list-disc flex-col gap-2 pl-5 text-ink-soft text-sm">
          <li>
            <Trans>It never gets the other vault’s keys, grants or contacts.</Trans>
          </li>
          <li>
            <Trans>
              The other vault lists it among its devices, and can remove it. The other vault has to use this
              site too: <strong>{host}</strong>.
            </Trans>
          </li>
          <li>
            <Trans>While it is one, you can’t use this vault on several devices.</Trans>
          </li>
        </ul>
        <Button why={why} onClick={() => setAsking(true)}>
          <Trans>Show a code for a limited device</Trans>
        </Button>
      </div>
      <ProveDialog
        open={asking}
        onOpenChange={setAsking}
        title={t`Make this a limited device?`}
        description={t`Confirm it’s you. This vault reopens here and closes in other tabs. Nothing else changes until the other vault adds this device.`}
        action={t`Show the code`}
        perform={async (proof) => {
          await devices.beginLimited({ relay: ownRelay(), proof })
        }}
      />
    </Card>
  )
}
