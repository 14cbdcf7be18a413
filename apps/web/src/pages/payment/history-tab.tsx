import type { PaymentRecord } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { Gate } from '../../features/account/gate.tsx'
import { filtered, isEverything, sums } from '../../features/payments/history/history.ts'
import { HistoryFilters } from '../../features/payments/history/history-filters.tsx'
import { PaymentDetails } from '../../features/payments/history/payment-details.tsx'
import { PaymentList } from '../../features/payments/history/payment-list.tsx'
import { filterFrom, type HistoryFilter } from '../../features/payments/history/search-params.ts'
import { announce } from '../../shared/browser/announce.ts'
import { download } from '../../shared/browser/download.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { dayOf } from '../../shared/text/day.ts'
import { BackButton } from '../../shared/ui/buttons/back-button.tsx'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { usePayments } from '../../shared/vault/use-sealed-lists.ts'
import { money } from '../../shared/words/payment.ts'
import type { PaymentSearch } from './search-params.ts'

interface HistoryTabProps {
  search: PaymentSearch
  onFilter: (filter: HistoryFilter) => void
  /** Leads from one payment to all of them. */
  onAll: () => void
}

/** What was paid in the account's name, with its receipts. */
export function HistoryTab(props: HistoryTabProps) {
  const { t } = useLingui()
  return (
    <Gate need="unlocked" purpose={t`see your payments`}>
      {props.search.payment === undefined ? (
        <Card
          title={t`Authorised payments`}
          description={t`What this vault authorised, with or without asking you first. Declined requests aren’t stored. Everything is encrypted.`}
        >
          <Payments {...props} />
        </Card>
      ) : (
        <OnePayment key={props.search.payment} id={props.search.payment} onAll={props.onAll} />
      )}
    </Gate>
  )
}

/** One payment by its address. */
function OnePayment({ id, onAll }: { id: string; onAll: () => void }) {
  const { t } = useLingui()
  const { loading, payments, error } = usePayments()
  const payment = payments.find((each) => each.id === id)
  return (
    <div className="flex flex-col gap-6">
      <BackButton onClick={onAll}>
        <Trans>All payments</Trans>
      </BackButton>
      {payment ? <PaymentDetails payment={payment} /> : <Failure error={error} />}
      {loading ? <Skeleton /> : null}
      {payment === undefined && !loading && error === undefined ? (
        <EmptyState title={t`This payment isn’t in this vault`}>
          <Trans>It may belong to another vault.</Trans>
        </EmptyState>
      ) : null}
    </div>
  )
}

function Payments(props: HistoryTabProps) {
  const { t } = useLingui()
  const { loading, payments, error } = usePayments()
  if (error) return <Failure error={error} />
  if (loading) return <Skeleton />
  if (payments.length > 0) return <History payments={payments} {...props} />
  return (
    <EmptyState
      title={t`No payments yet`}
      actions={
        <Link to="/demo" search={{ tab: 'shop' }} className={buttonClass()}>
          <Trans>Try the demo’s shop</Trans>
        </Link>
      }
    >
      <Trans>All payments that this vault authorises are listed here.</Trans>
    </EmptyState>
  )
}

function History({ payments, search, onFilter }: HistoryTabProps & { payments: readonly PaymentRecord[] }) {
  const { t } = useLingui()
  const vault = useVault()
  const filter = filterFrom(search)
  const found = useMemo(() => filtered(payments, filterFrom(search)), [payments, search])
  const save = useAction(async (ending: 'csv' | 'json') => {
    const name = `keyhole-payments-${dayOf(Date.now())}.${ending}`
    const text = await vault.payments.export(ending)
    download(name, text, ending === 'csv' ? 'text/csv' : 'application/json')
    announce(t`The download started`, name)
  })
  const clear = (
    <Button size="small" tone="bare" onClick={() => onFilter({})}>
      <Trans>Clear the filters</Trans>
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      <HistoryFilters payments={payments} filter={filter} onChange={onFilter} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-ink-faint text-sm">
          {found.length === payments.length ? (
            <Plural value={payments.length} one="# payment" other="# payments" />
          ) : (
            foundWords(found.length, payments.length)
          )}
          {found.length === 0
            ? ''
            : ` · ${sums(found)
                .map(({ currency, minor, digits }) => money(minor, currency, digits))
                .join(' · ')}`}
        </p>
        <div className="flex flex-wrap gap-2">
          {isEverything(filter) || found.length === 0 ? null : clear}
          {(['json', 'csv'] as const).map((ending) => (
            <Button
              key={ending}
              size="small"
              busy={save.pending}
              onClick={() => save.run(ending)}
              icon={<Download className="size-4" aria-hidden />}
            >
              {ending === 'json' ? <Trans>Save all as JSON</Trans> : <Trans>Save all as CSV</Trans>}
            </Button>
          ))}
        </div>
      </div>
      <Failure error={save.error} />
      {found.length > 0 ? (
        <PaymentList payments={found} />
      ) : (
        <EmptyState title={t`No matches`} actions={clear}>
          <Trans>Try other days, or a different payee or mandate.</Trans>
        </EmptyState>
      )}
    </div>
  )
}

function foundWords(found: number, all: number): string {
  const total = plural(all, { one: '# payment', other: '# payments' })
  return plural(found, { one: `# of ${total}`, other: `# of ${total}` })
}
