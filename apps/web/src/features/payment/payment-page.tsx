import { useTokens } from '@keyhole/vault-react'
import { useNavigate } from '@tanstack/react-router'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Progress } from '../../components/progress.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Gate } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { isGiven } from '../grants/capability.ts'
import { TokenList } from '../grants/token-list.tsx'
import { PAYMENT_COMMAND } from './mandate.ts'
import { MandateForm } from './mandate-form.tsx'
import type { PaymentSearch } from './search.ts'

interface PaymentPageProps {
  search: PaymentSearch
  onSearchChange: (search: PaymentSearch) => void
}

/** Spending mandates: what others may pay in your name, one payment at a time. */
export function PaymentPage({ search, onSearchChange }: PaymentPageProps) {
  return (
    <>
      <PageHeader title="Payments">
        A mandate lets an app, an agent or a person authorise payments in your name, within limits that anyone
        can check.
      </PageHeader>
      <Notice title="Limits are per payment.">
        Each payment by itself must stay within the mandate. Nothing counts how many there are: give short
        ends, and small amounts.
      </Notice>
      <Tabs
        label="Payments"
        value={search.tab ?? 'new'}
        onValueChange={(tab) => onSearchChange({ tab })}
        tabs={[
          {
            value: 'new',
            label: 'New mandate',
            panel: () => (
              <Gate need="unlocked" purpose="sign a mandate">
                <MandateForm />
              </Gate>
            ),
          },
          { value: 'mandates', label: 'Mandates', panel: () => <Mandates token={search.token} /> },
        ]}
      />
    </>
  )
}

function Mandates({ token }: { token: string | undefined }) {
  const navigate = useNavigate()
  const { loading, tokens, error } = useTokens()
  const mandates = tokens.filter((stored) => isGiven(stored) && stored.command === PAYMENT_COMMAND)
  return (
    <Gate need="account" purpose="give mandates">
      <Card title="Mandates you gave" description="The next to end first.">
        <Failure error={error} />
        {loading ? <Progress label="Reading what is stored…" value={null} /> : null}
        {!loading && mandates.length === 0 ? (
          <EmptyState title="Nobody can pay in your name">
            A mandate appears here once you have signed it.
          </EmptyState>
        ) : (
          <TokenList
            key={token}
            tokens={mandates}
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
