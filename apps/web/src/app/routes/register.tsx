import { createFileRoute } from '@tanstack/react-router'
import { RegisterPage } from '../../pages/register/register-page.tsx'
import { registerSearch } from '../../pages/register/search-params.ts'

export const Route = createFileRoute('/register')({
  validateSearch: registerSearch,
  component: Page,
})

function Page() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return <RegisterPage search={search} onSearchChange={(next) => navigate({ search: next })} />
}
