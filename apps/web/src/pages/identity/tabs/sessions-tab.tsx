import { useLingui } from '@lingui/react/macro'
import { Gate } from '../../../features/account/gate.tsx'
import { AppList } from '../../../features/sessions/app-list.tsx'
import { RelayCard } from '../../../features/sessions/relay-card.tsx'
import { TabList } from '../../../features/sessions/tab-list.tsx'

/** Where this vault is open, and who is connected to it; each ended alone or all at once. */
export function SessionsTab() {
  const { t } = useLingui()
  return (
    <Gate need="account" purpose={t`see your sessions`}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TabList />
        <AppList />
        <RelayCard />
      </div>
    </Gate>
  )
}
