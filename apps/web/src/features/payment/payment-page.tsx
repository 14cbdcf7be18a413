import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Progress } from '../../components/progress.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Gate, Opening } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { useTokenPage } from '../common/tokens.ts'
import { STRETCH, TokenList } from '../grants/token-list.tsx'
import type { PaymentSearch } from './search.ts'

const MandateForm = lazy(() => import('./mandate-form.tsx').then((m) => ({ default: m.MandateForm })))

interface PaymentPageProps {
  search: PaymentSearch
  onSearchChange: (search: PaymentSearch) => void
}

/** Spending mandates: what others may pay in your name, one payment at a time. */
export function PaymentPage({ search, onSearchChange }: PaymentPageProps) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Payments`}>
        <Trans>
          A mandate lets an app, an agent or a person authorise payments in your name, within limits that
          anyone can check.
        </Trans>
      </PageHeader>
      <Notice title={t`Limits are per payment.`}>
        <Trans>
          Each payment by itself must stay within the mandate. Nothing counts how many there are: give short
          ends, and small amounts.
        </Trans>
      </Notice>
      <Tabs
        label={t`Payments`}
        value={search.tab ?? 'new'}
        onValueChange={(tab) => onSearchChange({ tab })}
        tabs={[
          {
            value: 'new',
            label: t`New mandate`,
            panel: () => (
              <Gate need="unlocked" purpose={t`sign a mandate`}>
                <Suspense fallback={<Opening />}>
                  <MandateForm />
                </Suspense>
              </Gate>
            ),
          },
          {
            value: 'mandates',
            label: t`Mandates`,
            panel: () => <Mandates token={search.token} onNew={() => onSearchChange({ tab: 'new' })} />,
          },
        ]}
      />
    </>
  )
}

function Mandates({ token, onNew }: { token: string | undefined; onNew: () => void }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { loading, tokens, total, error } = useTokenPage({ list: 'mandates', limit: STRETCH })
  return (
    <Gate need="account" purpose={t`give mandates`}>
      <Card title={t`Mandates you gave`} description={t`The next to end first.`}>
        <Failure error={error} />
        {loading ? <Progress label={t`Reading what is stored…`} value={null} /> : null}
        {!loading && total === 0 ? (
          <EmptyState
            title={t`Nobody can pay in your name`}
            actions={
              <Button onClick={onNew}>
                <Trans>Give a mandate</Trans>
              </Button>
            }
          >
            <Trans>A mandate appears here once you have signed it.</Trans>
          </EmptyState>
        ) : (
          <TokenList
            key={token}
            list="mandates"
            tokens={tokens}
            total={total}
            opened={token}
            onNarrow={(stored) =>
              navigate({ to: '/identity', search: { tab: 'grants', narrow: stored.cid } })
            }
          />
        )}
      </Card>
    </Gate>
  )
}
