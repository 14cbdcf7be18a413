import { createFileRoute } from '@tanstack/react-router'
import { IdentityPage } from '../../pages/identity/identity-page.tsx'
import { identitySearch } from '../../pages/identity/search-params.ts'

export const Route = createFileRoute('/identity')({
  validateSearch: identitySearch,
  component: Page,
})

function Page() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <IdentityPage
      search={search}
      onSearchChange={(next) => navigate({ search: next })}
      onSectionChange={(next) => navigate({ search: next, resetScroll: false, viewTransition: false })}
    />
  )
}
