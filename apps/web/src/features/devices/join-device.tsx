import { devicesOf, type PairingCode } from '@keyhole/vault/devices'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { ownRelay } from '../../shared/relay/own-relay.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { OnThisDevice } from './on-this-device.tsx'
import { PairingSteps } from './pairing-steps.tsx'

interface JoinDeviceProps {
  /** Whether the vault has come to this device. */
  isDone: boolean
  onDone: () => void
}

/** Adds this device to a vault that another one has: shows a code, then digits to compare. */
export default function JoinDevice({ isDone, onDone }: JoinDeviceProps) {
  const { t } = useLingui()
  const devices = devicesOf(useVault())
  const [code, setCode] = useState<PairingCode>()
  const begin = useAction(async () => setCode(await devices.beginJoining({ relay: ownRelay() })))
  // Whoever leaves has stopped.
  useEffect(() => () => void devices.cancelPairing().catch(() => undefined), [devices])
  const title = t`Add this device`
  const description = t`It gets a vault from another device of yours: its keys, grants and contacts.`
  if (isDone) return <Joined />
  if (code)
    return (
      <PairingSteps
        title={title}
        description={description}
        code={code}
        join={async () => void (await devices.join())}
        onJoined={onDone}
        onStop={() => setCode(undefined)}
      />
    )
  return (
    <Card title={title} description={description}>
      <div className="flex flex-col items-start gap-4">
        <Failure error={begin.error} />
        <Button tone="primary" onClick={() => begin.run()} busy={begin.pending}>
          <Trans>Show a code</Trans>
        </Button>
      </div>
    </Card>
  )
}

function Joined() {
  const unlocks = (
    <Trans>
      It unlocks here as on your other devices. Use the passphrase, the recovery code, or a passkey that this
      device has too.
    </Trans>
  )
  return (
    <OnThisDevice unlocks={unlocks}>
      <Link to="/" className={buttonClass('primary')}>
        <Trans>Go to your vault</Trans>
      </Link>
    </OnThisDevice>
  )
}
