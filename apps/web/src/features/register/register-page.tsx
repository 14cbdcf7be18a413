import { PageHeader } from '../../components/page-header.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { AccountsTab } from './accounts-tab.tsx'
import { CreateTab } from './create-tab.tsx'
import { RestoreTab } from './restore-tab.tsx'
import type { RegisterSearch } from './search.ts'

interface RegisterPageProps {
  search: RegisterSearch
  onSearchChange: (search: RegisterSearch) => void
}

/** Makes a vault, brings one back, or moves between the ones in this browser. */
export function RegisterPage({ search, onSearchChange }: RegisterPageProps) {
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6">
      <PageHeader title="Your vault">No account is made anywhere: it all stays in this browser.</PageHeader>
      <Tabs
        label="Your vault"
        value={search.tab ?? 'create'}
        onValueChange={(tab) => onSearchChange({ tab })}
        tabs={[
          { value: 'create', label: 'Create', panel: () => <CreateTab /> },
          { value: 'restore', label: 'Restore', panel: () => <RestoreTab /> },
          { value: 'accounts', label: 'Accounts here', panel: () => <AccountsTab /> },
        ]}
      />
    </div>
  )
}
