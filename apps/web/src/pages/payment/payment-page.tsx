import { Trans, useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Gate } from '../../features/account/gate.tsx'
import { Later } from '../../features/account/lazy-part.tsx'
import { Term } from '../../shared/glossary/term.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { Tabs } from '../../shared/ui/layout/tabs.tsx'
import type { PaymentSearch } from './search-params.ts'

const MandatesTab = lazy(() => import('./chunk.ts').then((m) => ({ default: m.MandatesTab })))
const MandateForm = lazy(() => import('./chunk.ts').then((m) => ({ default: m.MandateForm })))
const HistoryTab = lazy(() => import('./chunk.ts').then((m) => ({ default: m.HistoryTab })))

interface PaymentPageProps {
  search: PaymentSearch
  onSearchChange: (search: PaymentSearch) => void
  /** The same in place: narrowing a search adds no step to go back to. */
  onFilter: (search: PaymentSearch) => void
}

/** The page as it is opened by hand: mandates, and what was paid. Nothing on it approves what a shop asks for. */
export function PaymentPage({ search, onSearchChange, onFilter }: PaymentPageProps) {
  const { t } = useLingui()
  const { tab = 'mandates' } = search
  return (
    <>
      <PageHeader title={t`Payments`}>
        <Trans>Let agents, people or this vault pay within limits, and see what was paid.</Trans>{' '}
        <Term of="mandate">
          <Trans>What’s a mandate?</Trans>
        </Term>
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
              <Gate need="account" purpose={t`set up mandates`}>
                <Later>
                  <MandatesTab
                    mandate={search.mandate}
                    onNew={() => onSearchChange({ tab: 'new' })}
                    onAll={() => onSearchChange({ tab: 'mandates' })}
                  />
                </Later>
              </Gate>
            ),
          },
          {
            value: 'new',
            label: t`New mandate`,
            panel: () => (
              <Gate need="unlocked" purpose={t`sign a mandate`}>
                <Later>
                  <MandateForm />
                </Later>
              </Gate>
            ),
          },
          {
            value: 'history',
            label: t`History`,
            panel: () => (
              <Later>
                <HistoryTab
                  search={search}
                  onFilter={(filter) => onFilter({ tab: 'history', ...filter })}
                  onAll={() => onSearchChange({ tab: 'history' })}
                />
              </Later>
            ),
          },
        ]}
      />
    </>
  )
}
