import { placeAt } from '../../shared/ui/layout/navigation-place.ts'
import { ActivityPage } from './activity-page.tsx'
import { AskPage } from './ask-page.tsx'
import { CheckPage } from './check-page.tsx'
import { GrantsPage } from './grants-page.tsx'
import type { IdentitySearch } from './search-params.ts'
import { sectionOf } from './settings/section.ts'
import { SettingsPage } from './settings/settings-page.tsx'

interface IdentityPageProps {
  search: IdentitySearch
  /** Puts what is looked at into the address. */
  onSearchChange: (search: IdentitySearch) => void
  /** The same without moving the page: for what opens in place. */
  onSectionChange: (search: IdentitySearch) => void
}

/** Three places of the client and the check of a token: what an address of /identity shows depends on its `tab`. */
export function IdentityPage({ search, onSearchChange, onSectionChange }: IdentityPageProps) {
  const { tab } = search
  if (tab === 'ask') return <AskPage />
  switch (placeAt('/identity', tab)) {
    case 'grants':
      return <GrantsPage search={search} onSearchChange={onSearchChange} />
    case 'activity':
      return <ActivityPage search={search} />
    case 'check':
      return <CheckPage />
    default:
      return <SettingsPage open={sectionOf(tab)} onOpenChange={(next) => onSectionChange({ tab: next })} />
  }
}
