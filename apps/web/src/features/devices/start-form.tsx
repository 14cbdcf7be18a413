import type { VaultDevices } from '@keyhole/vault/devices'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { ownRelay } from '../../shared/relay/own-relay.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { ProveDialog } from '../../shared/unlock-proof/prove-dialog.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { NAME_MAX, suggestedName } from './device-name.ts'
import { RelayWords } from './relay-words.tsx'

/** Puts a vault on several devices: what that means, and what the relay learns. */
export function StartForm({ devices }: { devices: VaultDevices }) {
  const { t } = useLingui()
  const why = whyFixed(useVaultSnapshot())
  const [asking, setAsking] = useState(false)
  const [name, setName] = useState(() => suggestedName(navigator.userAgent))
  const { host } = location
  return (
    <Card
      title={t`Use this vault on several devices`}
      description={t`What you grant, revoke or save on one device is then on all of them. Only the device that made a mandate can pay from it.`}
    >
      <div className="flex max-w-prose flex-col gap-4">
        <ul className="flex list-disc flex-col gap-2 pl-5 text-ink-soft text-sm">
          <li>
            <Trans>
              Your devices exchange encrypted records through this site’s relay, <strong>{host}</strong>.
            </Trans>{' '}
            <RelayWords />
          </li>
          <li>
            <Trans>A full device can do what this one can, but can’t pay from mandates made here.</Trans>{' '}
            <Trans>
              If you lose one, remove it here. It gets nothing new, but keeps your keys, and anyone who can
              unlock it can still sign.
            </Trans>
          </li>
          <li>
            <Trans>A limited device never gets your keys. It can do only what you grant it.</Trans>
          </li>
          <li>
            <Trans>Everything here still works offline. Changes are sent later.</Trans>
          </li>
          <li>
            <Trans>Your other tabs will close this vault. You can open it there again.</Trans>
          </li>
        </ul>
        <TextField
          label={t`Name of this device`}
          hint={t`All your devices show it. The relay can’t read it.`}
          maxLength={NAME_MAX}
          value={name}
          onValueChange={setName}
        />
        <Button
          tone="primary"
          why={why}
          onClick={() => setAsking(true)}
          icon={<MonitorSmartphone className="size-4" aria-hidden />}
          className="self-start"
        >
          <Trans>Use on several devices</Trans>
        </Button>
      </div>
      <ProveDialog
        open={asking}
        onOpenChange={setAsking}
        title={t`Use this vault on several devices`}
        description={t`Confirm it’s you: your keys, grants and contacts are then sent to the relay, encrypted.`}
        action={t`Start`}
        perform={async (proof) => {
          await devices.start({ relay: ownRelay(), proof, name })
          announce(t`Started`, t`This is the first device. Now add another one.`)
        }}
      />
    </Card>
  )
}
