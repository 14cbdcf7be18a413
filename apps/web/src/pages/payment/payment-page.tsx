import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense } from 'react'
import { Gate } from '../../features/account/gate.tsx'
import { Opening } from '../../features/account/opening.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { Tabs } from '../../shared/ui/layout/tabs.tsx'
import type { PaymentSearch } from './search.ts'

const MandatesTab = lazy(() => import('./mandates-tab.tsx').then((m) => ({ default: m.MandatesTab })))
const MandateForm = lazy(() =>
  import('../../features/payments/mandates/mandate-form.tsx').then((m) => ({ default: m.MandateForm })),
)
const HistoryTab = lazy(() => import('./history-tab.tsx').then((m) => ({ default: m.HistoryTab })))
const RequestsTab = lazy(() => import('./requests-tab.tsx').then((m) => ({ default: m.RequestsTab })))

interface PaymentPageProps {
  search: PaymentSearch
  onSearchChange: (search: PaymentSearch) => void
  /** The same in place: what is narrowed while one looks is no step back. */
  onFilter: (search: PaymentSearch) => void
}

/** The page as it is opened by hand: mandates, what was paid, requests to answer. Nothing on it approves what a shop asks for. */
export function PaymentPage({ search, onSearchChange, onFilter }: PaymentPageProps) {
  const { t } = useLingui()
  const { tab = 'mandates' } = search
  return (
    <>
      <PageHeader title={t`Payments`}>
        <Trans>What may be spent in your name, within which limits, and what was paid.</Trans>
      </PageHeader>
      <Tabs
        label={t`Payments`}
        value={tab}
        onValueChange={(next) => onSearchChange({ tab: next })}
        tabs={[
          {
            value: 'mandates',
            label: t`Mandates`,
            panel: () => (
              <Part>
                <MandatesTab opened={search.mandate} onNew={() => onSearchChange({ tab: 'new' })} />
              </Part>
            ),
          },
          {
            value: 'new',
            label: t`New mandate`,
            panel: () => (
              <Gate need="unlocked" purpose={t`sign a mandate`}>
                <Part>
                  <MandateForm />
                </Part>
              </Gate>
            ),
          },
          {
            value: 'history',
            label: t`History`,
            panel: () => (
              <Part>
                <HistoryTab search={search} onFilter={(filter) => onFilter({ tab: 'history', ...filter })} />
              </Part>
            ),
          },
          {
            value: 'requests',
            label: t`Requests`,
            panel: () => (
              <Part>
                <RequestsTab />
              </Part>
            ),
          },
        ]}
      />
    </>
  )
}

function Part({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Opening />}>{children}</Suspense>
}
