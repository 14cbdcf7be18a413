import { createFileRoute } from '@tanstack/react-router'
import { searchSearch } from '../../features/search/search-params.ts'
import { SearchPage } from '../../pages/search/search-page.tsx'

export const Route = createFileRoute('/search')({
  validateSearch: searchSearch,
  component: Page,
})

function Page() {
  return <SearchPage search={Route.useSearch()} />
}
