import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense } from 'react'
import { Opening } from '../../features/account/opening.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { Tabs } from '../../shared/ui/layout/tabs.tsx'
import { OverviewTab } from './overview-tab.tsx'
import type { IdentitySearch } from './search.ts'

const KeysTab = lazy(() => import('./keys-tab.tsx').then((m) => ({ default: m.KeysTab })))
const GrantsTab = lazy(() => import('./grants-tab.tsx').then((m) => ({ default: m.GrantsTab })))
const CheckTab = lazy(() => import('./check-tab.tsx').then((m) => ({ default: m.CheckTab })))
const ReceivedTab = lazy(() => import('./received-tab.tsx').then((m) => ({ default: m.ReceivedTab })))
const ContactsTab = lazy(() => import('./contacts-tab.tsx').then((m) => ({ default: m.ContactsTab })))
const SessionsTab = lazy(() => import('./sessions-tab.tsx').then((m) => ({ default: m.SessionsTab })))
const UnlockTab = lazy(() => import('./unlock-tab.tsx').then((m) => ({ default: m.UnlockTab })))
const BackupTab = lazy(() => import('./backup-tab.tsx').then((m) => ({ default: m.BackupTab })))
const ActivityTab = lazy(() => import('./activity-tab.tsx').then((m) => ({ default: m.ActivityTab })))

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
  const { t } = useLingui()
  const { tab = 'overview' } = search
  const change = (next: Omit<IdentitySearch, 'tab'>) => onSearchChange({ tab, ...next })
  return (
    <>
      <PageHeader title={t`Identity`}>
        <Trans>Your keys, what you let others do with them, and what others let you do.</Trans>
      </PageHeader>
      <Tabs
        label={t`Identity`}
        value={tab}
        onValueChange={(next) => onSearchChange({ tab: next })}
        tabs={[
          { value: 'overview', label: t`Overview`, panel: () => <OverviewTab /> },
          { value: 'keys', label: t`Keys`, panel: () => later(<KeysTab />) },
          {
            value: 'grants',
            label: t`Grants`,
            panel: () => later(<GrantsTab search={search} onSearchChange={change} />),
          },
          {
            value: 'received',
            label: t`Received`,
            panel: () => later(<ReceivedTab search={search} onSearchChange={change} />),
          },
          {
            value: 'contacts',
            label: t`Contacts`,
            panel: () => later(<ContactsTab search={search} onSearchChange={change} />),
          },
          { value: 'sessions', label: t`Sessions`, panel: () => later(<SessionsTab />) },
          { value: 'check', label: t`Check a token`, panel: () => later(<CheckTab />) },
          { value: 'unlock', label: t`Unlock`, panel: () => later(<UnlockTab />) },
          { value: 'backup', label: t`Backup`, panel: () => later(<BackupTab />) },
          { value: 'activity', label: t`Activity`, panel: () => later(<ActivityTab search={search} />) },
        ]}
      />
    </>
  )
}
