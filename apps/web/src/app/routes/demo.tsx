import { createFileRoute } from '@tanstack/react-router'
import { DemoPage } from '../../pages/demo/demo-page.tsx'
import { demoSearch } from '../../pages/demo/search-params.ts'

export const Route = createFileRoute('/demo')({
  validateSearch: demoSearch,
  component: Page,
})

function Page() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return <DemoPage search={search} onSearchChange={(next) => navigate({ search: next })} />
}
