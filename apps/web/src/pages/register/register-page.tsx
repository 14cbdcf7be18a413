import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { Opening } from '../../features/account/opening.tsx'
import { Term } from '../../shared/glossary/term.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { Tabs } from '../../shared/ui/layout/tabs.tsx'
import { CreateTab } from './create-tab.tsx'
import type { RegisterSearch } from './search-params.ts'
import { StorageGate } from './storage-gate.tsx'

const RestoreTab = lazy(() => import('./restore-tab.tsx').then((m) => ({ default: m.RestoreTab })))
const AccountsTab = lazy(() => import('./accounts-tab.tsx').then((m) => ({ default: m.AccountsTab })))

interface RegisterPageProps {
  search: RegisterSearch
  onSearchChange: (search: RegisterSearch) => void
}

/** Makes a vault, brings one back, or moves between the ones in this browser. */
export function RegisterPage({ search, onSearchChange }: RegisterPageProps) {
  const { t } = useLingui()
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6">
      <PageHeader title={t`Your vault`}>
        {search.tab === 'restore' ? (
          <Trans>Get your vault back, or start with a key you already have.</Trans>
        ) : (
          <Trans>No sign-up. Everything stays in this browser.</Trans>
        )}{' '}
        <Term of="vault">
          <Trans>What’s a vault?</Trans>
        </Term>
      </PageHeader>
      <Tabs
        label={t`Your vault`}
        value={search.tab ?? 'create'}
        onValueChange={(tab) => onSearchChange({ tab })}
        tabs={[
          {
            value: 'create',
            label: t`Create`,
            panel: () => (
              <StorageGate>
                <CreateTab />
              </StorageGate>
            ),
          },
          {
            value: 'restore',
            label: t`Restore`,
            panel: () => (
              <StorageGate>
                <Suspense fallback={<Opening />}>
                  <RestoreTab
                    from={search.from ?? 'file'}
                    onFromChange={(from) => onSearchChange({ tab: 'restore', from })}
                  />
                </Suspense>
              </StorageGate>
            ),
          },
          {
            value: 'accounts',
            label: t`Vaults here`,
            panel: () => (
              <Suspense fallback={<Opening />}>
                <AccountsTab />
              </Suspense>
            ),
          },
        ]}
      />
    </div>
  )
}
