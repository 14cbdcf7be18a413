import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { PaymentPage } from '../../pages/payment/payment-page.tsx'
import { paymentSearch } from '../../pages/payment/search-params.ts'

const RequestPage = lazy(() =>
  import('../../pages/payment-request/request-page.tsx').then((m) => ({ default: m.RequestPage })),
)

export const Route = createFileRoute('/payment')({
  validateSearch: paymentSearch,
  beforeLoad: ({ search }) => {
    // Older links: requests are under Grants.
    if (search.tab === 'requests')
      throw redirect({ to: '/identity', search: { tab: 'requests' }, replace: true })
  },
  component: Page,
})

function Page() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  if (search.request !== undefined) {
    return (
      <Suspense fallback={null}>
        <RequestPage />
      </Suspense>
    )
  }
  return (
    <PaymentPage
      search={search}
      onSearchChange={(next) => navigate({ search: next })}
      onFilter={(next) =>
        navigate({ search: next, replace: true, resetScroll: false, viewTransition: false })
      }
    />
  )
}
