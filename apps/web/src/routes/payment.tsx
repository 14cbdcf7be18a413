import { createFileRoute } from '@tanstack/react-router'
import { PaymentPage } from '../features/payment/payment-page.tsx'
import { paymentSearch } from '../features/payment/search.ts'

export const Route = createFileRoute('/payment')({
  validateSearch: paymentSearch,
  component: Page,
})

function Page() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
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
