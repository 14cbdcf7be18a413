import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '../../pages/home/home-page.tsx'
import { homeSearch } from '../../pages/home/timeline/search-params.ts'

export const Route = createFileRoute('/')({
  validateSearch: homeSearch,
  component: Page,
})

function Page() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <HomePage
      search={search}
      onSearchChange={(next) =>
        navigate({ search: next, replace: true, resetScroll: false, viewTransition: false })
      }
    />
  )
}
