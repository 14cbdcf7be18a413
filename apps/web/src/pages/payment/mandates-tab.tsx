import { Trans, useLingui } from '@lingui/react/macro'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { Gate } from '../../features/account/gate.tsx'
import { STRETCH, TokenList } from '../../features/grants/token-list.tsx'
import { MandateDetails } from '../../features/payments/mandates/mandate-details.tsx'
import { MandateItem } from '../../features/payments/mandates/mandate-item.tsx'
import { inOrder } from '../../features/payments/mandates/mandate-state.ts'
import { opensPaymentWindows } from '../../shared/browser/payment-windows.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { useToken, useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { BackButton } from '../../shared/ui/buttons/back-button.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { useMandates } from '../../shared/vault/use-sealed-lists.ts'
import { AUTHORIZE } from '../../shared/words/payment-commands.ts'

interface MandatesTabProps {
  /** CID of the mandate that is looked at; none: all of them. */
  mandate: string | undefined
  onNew: () => void
  /** Leads from one mandate to all of them. */
  onAll: () => void
}

/** What can be spent in the account's name: what this vault counts, and what is limited per payment alone. */
export function MandatesTab({ mandate, onNew, onAll }: MandatesTabProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-6">
      {mandate === undefined ? (
        <>
          {opensPaymentWindows() ? null : (
            <Notice title={t`Shops can’t open Keyhole in this browser.`}>
              <Trans>
                Chrome and Edge can do that. Requests that reach you as a text or a link work here too.
              </Trans>
            </Notice>
          )}
          <Counted onNew={onNew} />
          <Uncounted />
        </>
      ) : (
        <>
          <BackButton onClick={onAll}>
            <Trans>All mandates</Trans>
          </BackButton>
          <OneMandate key={mandate} cid={mandate} onAll={onAll} />
        </>
      )}
    </div>
  )
}

/** One mandate by its address. One without a budget is a grant like any other, and has a grant's page. */
function OneMandate({ cid, onAll }: { cid: string } & Pick<MandatesTabProps, 'onAll'>) {
  const { t } = useLingui()
  const { loading, token } = useToken(cid)
  if (loading) return <Skeleton />
  if (token?.command === AUTHORIZE)
    return <Navigate to="/identity" search={{ tab: 'grants', token: cid }} replace />
  return (
    <Gate need="unlocked" purpose={t`see what is left of each budget`}>
      <CountedOne cid={cid} onAll={onAll} />
    </Gate>
  )
}

function CountedOne({ cid, onAll }: { cid: string } & Pick<MandatesTabProps, 'onAll'>) {
  const { t } = useLingui()
  const now = useNow()
  const { loading, mandates, error } = useMandates()
  const mandate = mandates.find((each) => each.cid === cid)
  if (mandate) return <MandateDetails mandate={mandate} now={now} />
  if (error) return <Failure error={error} />
  if (loading) return <Skeleton />
  return (
    <EmptyState
      title={t`This mandate isn’t in this vault`}
      actions={
        <Button onClick={onAll}>
          <Trans>All mandates</Trans>
        </Button>
      }
    >
      <Trans>It may belong to another vault, or it was removed.</Trans>
    </EmptyState>
  )
}

function Counted({ onNew }: Pick<MandatesTabProps, 'onNew'>) {
  const { t } = useLingui()
  const now = useNow()
  const { loading, mandates, error } = useMandates()
  return (
    <Gate need="unlocked" purpose={t`see what is left of each budget`}>
      <Card
        title={t`With a budget`}
        description={t`This vault counts and countersigns each payment. No one can spend beyond the budget, or without this vault.`}
        actions={
          mandates.length > 0 ? (
            <Button size="small" tone="primary" onClick={onNew}>
              <Trans>New mandate</Trans>
            </Button>
          ) : null
        }
      >
        <Failure error={error} />
        {loading ? <Skeleton /> : null}
        {!loading && error === undefined && mandates.length === 0 ? (
          <EmptyState
            title={t`No mandates with a budget yet`}
            actions={
              <Button tone="primary" onClick={onNew}>
                <Trans>New mandate</Trans>
              </Button>
            }
          >
            <Trans>
              Let an agent, a person or this vault pay within a budget you set. This page shows what’s left of
              it.
            </Trans>
          </EmptyState>
        ) : (
          <ul aria-label={t`Mandates with a budget`} className="flex flex-col">
            {inOrder(mandates, now).map((mandate) => (
              <li key={mandate.cid}>
                <MandateItem mandate={mandate} now={now} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Gate>
  )
}

/** Plain delegations of authorising payments. Nothing while there is none. */
function Uncounted() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { tokens, total, error } = useTokenPage({ list: 'mandates', limit: STRETCH, early: true })
  if (total === 0 && error === undefined) return null
  return (
    <Card
      title={t`Without a budget`}
      description={t`Each payment must stay within the limits, which anyone can check offline. No one counts how many there are.`}
    >
      <Failure error={error} />
      <TokenList
        list="mandates"
        tokens={tokens}
        total={total}
        onNarrow={({ cid }) => navigate({ to: '/identity', search: { tab: 'grants', narrow: cid } })}
      />
    </Card>
  )
}
