import { Trans, useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Later } from '../../features/account/lazy-part.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { Tabs } from '../../shared/ui/layout/tabs.tsx'
import type { IdentitySearch } from './search-params.ts'

const GrantsTab = lazy(() => import('./tabs/grants-tab.tsx').then((m) => ({ default: m.GrantsTab })))
const GrantPage = lazy(() => import('./grant-page.tsx').then((m) => ({ default: m.GrantPage })))
const ReceivedTab = lazy(() => import('./tabs/received-tab.tsx').then((m) => ({ default: m.ReceivedTab })))
const RequestsTab = lazy(() => import('./tabs/requests-tab.tsx').then((m) => ({ default: m.RequestsTab })))
const ContactsTab = lazy(() => import('./tabs/contacts-tab.tsx').then((m) => ({ default: m.ContactsTab })))

const TABS = ['received', 'requests', 'contacts'] as const

interface GrantsPageProps {
  search: IdentitySearch
  /** Puts what is looked at into the address. */
  onSearchChange: (search: IdentitySearch) => void
}

/** What you gave, what you were given, and the people and things behind it. */
export function GrantsPage({ search, onSearchChange }: GrantsPageProps) {
  const { t } = useLingui()
  const tab = TABS.find((each) => each === search.tab) ?? 'grants'
  const change = (next: Omit<IdentitySearch, 'tab'>) => onSearchChange({ tab, ...next })
  return (
    <>
      <PageHeader title={t`Grants`}>
        <Trans>What you let others do, what others let you do, and who they are.</Trans>
      </PageHeader>
      <Tabs
        label={t`Grants`}
        value={tab}
        onValueChange={(next) => onSearchChange({ tab: next })}
        tabs={[
          {
            value: 'grants',
            label: t`Given`,
            panel: () => (
              <Later>
                {search.token === undefined ? (
                  <GrantsTab search={search} onSearchChange={change} />
                ) : (
                  <GrantPage key={search.token} cid={search.token} list="grants" onSearchChange={change} />
                )}
              </Later>
            ),
          },
          {
            value: 'received',
            label: t`Received`,
            panel: () => (
              <Later>
                {search.token === undefined ? (
                  <ReceivedTab search={search} onSearchChange={change} />
                ) : (
                  <GrantPage key={search.token} cid={search.token} list="received" onSearchChange={change} />
                )}
              </Later>
            ),
          },
          {
            value: 'requests',
            label: t`Requests`,
            panel: () => (
              <Later>
                <RequestsTab />
              </Later>
            ),
          },
          {
            value: 'contacts',
            label: t`Contacts`,
            panel: () => (
              <Later>
                <ContactsTab search={search} onSearchChange={change} />
              </Later>
            ),
          },
        ]}
      />
    </>
  )
}
