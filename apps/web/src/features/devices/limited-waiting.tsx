import type { PairingCode, VaultDevices } from '@keyhole/vault/devices'
import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { PairingSteps } from './pairing-steps.tsx'

interface LimitedWaitingProps {
  code: PairingCode
  devices: VaultDevices
}

/** This vault waits with a code to be a limited device of another one. */
export function LimitedWaiting({ code, devices }: LimitedWaitingProps) {
  const { t } = useLingui()
  // Whoever leaves has stopped.
  useEffect(() => () => void devices.cancelPairing().catch(() => undefined), [devices])
  return (
    <PairingSteps
      title={t`Make this a limited device of another vault`}
      description={t`It keeps its own key, and gets none of the other vault’s.`}
      code={code}
      join={() => devices.joinLimited()}
      onJoined={() => announce(t`Added`, t`This is a limited device now.`)}
      onStop={() => undefined}
    />
  )
}
