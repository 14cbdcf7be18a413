import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Gate } from '../../features/account/gate.tsx'
import { STRETCH, TokenList } from '../../features/grants/token-list.tsx'
import { MandateItem } from '../../features/payments/mandates/mandate-item.tsx'
import { inOrder } from '../../features/payments/mandates/mandate-state.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { useToken, useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { ListProgress } from '../../shared/ui/feedback/list-progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { useMandates } from '../../shared/vault/use-sealed-lists.ts'
import { AUTHORIZE } from '../../shared/words/payment-commands.ts'

interface MandatesTabProps {
  /** CID of the mandate that is shown opened. */
  opened: string | undefined
  onNew: () => void
}

/** What can be spent in the account's name: what this vault counts, and what is limited per payment alone. */
export function MandatesTab({ opened, onNew }: MandatesTabProps) {
  const { t } = useLingui()
  return (
    <Gate need="account" purpose={t`give mandates`}>
      <div className="flex flex-col gap-6">
        <Counted key={opened} opened={opened} onNew={onNew} />
        <Uncounted opened={opened} />
      </div>
    </Gate>
  )
}

function Counted({ opened, onNew }: MandatesTabProps) {
  const { t } = useLingui()
  const now = useNow()
  const { loading, mandates, error } = useMandates()
  const [open, setOpen] = useState(opened)
  return (
    <Gate need="unlocked" purpose={t`see what is left of each budget`}>
      <Card
        title={t`With a budget`}
        description={t`This vault counts, and countersigns each payment: nobody can spend more, and nothing without it.`}
        actions={
          mandates.length > 0 ? (
            <Button size="small" tone="primary" onClick={onNew}>
              <Trans>New mandate</Trans>
            </Button>
          ) : null
        }
      >
        <Failure error={error} />
        {loading ? <ListProgress /> : null}
        {!loading && error === undefined && mandates.length === 0 ? (
          <EmptyState
            title={t`No budget is given out`}
            actions={
              <Button tone="primary" onClick={onNew}>
                <Trans>New mandate</Trans>
              </Button>
            }
          >
            <Trans>
              Let an agent, a person or this vault itself pay within a budget that you set, and see here what
              is left of it.
            </Trans>
          </EmptyState>
        ) : (
          <ul aria-label={t`Mandates with a budget`} className="flex flex-col">
            {inOrder(mandates, now).map((mandate) => (
              <li key={mandate.cid}>
                <MandateItem
                  mandate={mandate}
                  now={now}
                  open={open === mandate.cid}
                  onToggle={() => setOpen(open === mandate.cid ? undefined : mandate.cid)}
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Gate>
  )
}

/** Plain delegations of authorising payments. Nothing while there is none. */
function Uncounted({ opened }: { opened: string | undefined }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { tokens, total, error } = useTokenPage({ list: 'mandates', limit: STRETCH })
  const { token: linked } = useToken(opened)
  // A link's target is shown first, wherever it stands in the list.
  const apart = linked?.command === AUTHORIZE && !tokens.some(({ cid }) => cid === linked.cid)
  if (total === 0 && error === undefined) return null
  return (
    <Card
      title={t`Without a budget`}
      description={t`Each payment by itself has to be within the limits, which anyone can check offline. Nobody counts how many there are.`}
    >
      <Failure error={error} />
      <TokenList
        key={opened}
        list="mandates"
        tokens={tokens}
        total={total}
        first={apart ? linked : undefined}
        opened={opened}
        onNarrow={({ cid }) => navigate({ to: '/identity', search: { tab: 'grants', narrow: cid } })}
      />
    </Card>
  )
}
