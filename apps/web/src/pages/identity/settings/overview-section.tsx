import { useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Gate } from '../../../features/account/gate.tsx'

const OverviewTab = lazy(() => import('../chunk.ts').then((m) => ({ default: m.OverviewTab })))

/** Who the account is to others. It is open at first, so what stands for it without a vault comes with the page. */
export function OverviewSection() {
  const { t } = useLingui()
  return (
    <Gate need="account" purpose={t`see your DID`}>
      <OverviewTab />
    </Gate>
  )
}
