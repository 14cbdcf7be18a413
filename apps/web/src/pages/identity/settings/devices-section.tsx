import { useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Gate } from '../../../features/account/gate.tsx'

const DevicesPanel = lazy(() =>
  import('../../../features/devices/devices.ts').then((m) => ({ default: m.DevicesPanel })),
)

/** The devices that the vault is on. */
export function DevicesSection() {
  const { t } = useLingui()
  return (
    <Gate need="unlocked" purpose={t`see its devices`}>
      <DevicesPanel />
    </Gate>
  )
}
