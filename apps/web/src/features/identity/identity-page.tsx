import { lazy, type ReactNode, Suspense } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Opening } from '../account/gate.tsx'
import { GrantsTab } from '../grants/grants-tab.tsx'
import { CheckTab } from '../inspect/check-tab.tsx'
import { KeysTab } from '../keys/keys-tab.tsx'
import { ReceivedTab } from '../received/received-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import type { IdentitySearch } from './search.ts'

const UnlockTab = lazy(() => import('../unlock/unlock-tab.tsx').then((m) => ({ default: m.UnlockTab })))
const BackupTab = lazy(() => import('../backup/backup-tab.tsx').then((m) => ({ default: m.BackupTab })))
const ActivityTab = lazy(() =>
  import('../activity/activity-tab.tsx').then((m) => ({ default: m.ActivityTab })),
)

/** A tab whose script comes when it is opened. */
function later(tab: ReactNode): ReactNode {
  return <Suspense fallback={<Opening />}>{tab}</Suspense>
}

interface IdentityPageProps {
  search: IdentitySearch
  /** Puts what is looked at into the address. */
  onSearchChange: (search: IdentitySearch) => void
}

/** Who you are, what you hold, what you gave away, and how it is kept. */
export function IdentityPage({ search, onSearchChange }: IdentityPageProps) {
  const { tab = 'overview', token, narrow } = search
  const onNarrowChange = (cid: string | undefined) => {
    onSearchChange(cid === undefined ? { tab } : { tab, narrow: cid })
  }
  return (
    <>
      <PageHeader title="Identity">
        Your keys, what you let others do with them, and what others let you do.
      </PageHeader>
      <Tabs
        label="Identity"
        value={tab}
        onValueChange={(next) => onSearchChange({ tab: next })}
        tabs={[
          { value: 'overview', label: 'Overview', panel: () => <OverviewTab /> },
          { value: 'keys', label: 'Keys', panel: () => <KeysTab /> },
          {
            value: 'grants',
            label: 'Grants',
            panel: () => <GrantsTab token={token} narrow={narrow} onNarrowChange={onNarrowChange} />,
          },
          {
            value: 'received',
            label: 'Received',
            panel: () => <ReceivedTab token={token} narrow={narrow} onNarrowChange={onNarrowChange} />,
          },
          { value: 'check', label: 'Check a token', panel: () => <CheckTab /> },
          { value: 'unlock', label: 'Unlock', panel: () => later(<UnlockTab />) },
          { value: 'backup', label: 'Backup', panel: () => later(<BackupTab />) },
          { value: 'activity', label: 'Activity', panel: () => later(<ActivityTab />) },
        ]}
      />
    </>
  )
}
