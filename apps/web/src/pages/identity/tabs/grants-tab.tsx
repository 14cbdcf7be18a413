import { useVaultSnapshot } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import { Gate } from '../../../features/account/gate.tsx'
import { Later } from '../../../features/account/lazy-part.tsx'
import { EndedList } from '../../../features/grants/ended-list.tsx'
import { GrantForm } from '../../../features/grants/grant-form.tsx'
import { NarrowForm } from '../../../features/grants/narrow-form.tsx'
import { narrowing } from '../../../features/grants/narrowing.ts'
import { STRETCH, TokenList } from '../../../features/grants/token-list.tsx'
import type { PickedOffer } from '../../../features/services/service-templates.tsx'
import { useContactIndex } from '../../../shared/contacts/use-contacts.ts'
import { Term } from '../../../shared/glossary/term.tsx'
import { draftAudience } from '../../../shared/grant-form/draft.ts'
import { requestForm } from '../../../shared/hooks/requested-forms.ts'
import { useActiveCount } from '../../../shared/tokens/use-suspended.ts'
import {
  type TokenCounts,
  useToken,
  useTokenCounts,
  useTokenPage,
} from '../../../shared/tokens/use-tokens.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx'
import { Choice } from '../../../shared/ui/fields/choice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../../shared/ui/layout/empty-state.tsx'
import type { IdentitySearch } from '../search-params.ts'

const services = () => import('../../../features/services/chunk.ts')
const ServiceTemplates = lazy(async () => ({ default: (await services()).ServiceTemplates }))
const ServiceGrantForm = lazy(async () => ({ default: (await services()).ServiceGrantForm }))

interface GrantsTabProps {
  search: IdentitySearch
  /** Puts what is looked at into the address; the tab stays. */
  onSearchChange: (search: Omit<IdentitySearch, 'tab'>) => void
}

/** What this account gives away: a new grant, and everything granted so far. */
export function GrantsTab({ search, onSearchChange }: GrantsTabProps) {
  const { t } = useLingui()
  const { narrow, show } = search
  const { token: parent } = useToken(narrow)
  return (
    <Gate need="account" purpose={t`create a grant`}>
      <div className="flex flex-col gap-6">
        <Gate need="unlocked" purpose={t`sign a grant`}>
          {parent ? (
            <NarrowForm key={parent.cid} parent={parent} onDone={() => onSearchChange({ show })} />
          ) : (
            <NewGrant />
          )}
        </Gate>
        <Granted search={search} onSearchChange={onSearchChange} />
        <EndedList given />
      </div>
    </Gate>
  )
}

type Picked = PickedOffer & { readonly audience: string }

/** A new grant: from any command, or from what a saved service offers. */
function NewGrant() {
  const { t } = useLingui()
  const { index } = useContactIndex()
  const [picked, setPicked] = useState<Picked>()
  if (picked)
    return (
      <Later>
        <ServiceGrantForm {...picked} another={t`New grant`} onClose={() => setPicked(undefined)} />
      </Later>
    )
  // Their script comes only where there is something to show.
  const hasServices = index?.contacts.some(({ kind }) => kind === 'service') === true
  return (
    <GrantForm
      offered={
        hasServices
          ? (parts) => (
              <Suspense fallback={null}>
                <ServiceTemplates
                  {...parts}
                  onPick={(offer) => setPicked({ ...offer, audience: draftAudience() })}
                />
              </Suspense>
            )
          : undefined
      }
    />
  )
}

function Granted({ search: { show }, onSearchChange }: GrantsTabProps) {
  const { t } = useLingui()
  const live = show === 'open'
  const { address, phase } = useVaultSnapshot()
  const page = useTokenPage({ list: 'given', live, limit: STRETCH, early: true })
  const { tokens, total, isFirst, error } = page
  const counts = useTokenCounts()
  const { given } = counts
  // The first grants come before they are counted.
  const hasGrants = given > 0 || tokens.length > 0
  const loading = page.loading || (!hasGrants && counts.loading)
  return (
    <Card
      title={t`Granted so far`}
      description={
        <>
          <Trans>Every grant you gave, soonest to expire first.</Trans>{' '}
          <Term of="grant">
            <Trans>What’s a grant?</Trans>
          </Term>
        </>
      }
      actions={
        hasGrants ? (
          <Choice
            label={t`Show`}
            labelHidden
            options={[
              { value: 'all', label: t`All of them` },
              { value: 'open', label: t`Active` },
            ]}
            value={show ?? 'all'}
            onValueChange={(next) => onSearchChange({ show: next === 'open' ? 'open' : undefined })}
            className="w-40"
          />
        ) : null
      }
    >
      <Failure error={error} />
      {loading ? <Skeleton /> : null}
      {hasGrants ? <Counted {...counts} /> : null}
      {!loading && !hasGrants ? (
        <EmptyState
          title={t`No grants yet`}
          actions={
            phase === 'unlocked' ? (
              <Button onClick={() => requestForm('grant')}>
                <Trans>Create your first grant</Trans>
              </Button>
            ) : null
          }
        >
          <Trans>
            A grant lets someone do one thing on your behalf. It appears here once you have signed it.
          </Trans>
        </EmptyState>
      ) : !loading && tokens.length === 0 ? (
        <EmptyState
          title={t`Nothing is active`}
          actions={
            <Button onClick={() => onSearchChange({})}>
              <Trans>Show all of them</Trans>
            </Button>
          }
        >
          <Trans>Every grant has expired or was revoked.</Trans>
        </EmptyState>
      ) : (
        <TokenList
          key={address}
          list="given"
          live={live}
          tokens={tokens}
          total={total}
          isFirst={isFirst}
          onNarrow={({ cid }) => {
            onSearchChange({ show, narrow: cid })
            requestForm(narrowing(cid))
          }}
        />
      )}
    </Card>
  )
}

/** How many there are. Until that is known, its line stays empty, and nothing moves when it comes. */
function Counted({ loading, given, soon }: Pick<TokenCounts, 'loading' | 'given' | 'soon'>) {
  const { t } = useLingui()
  const { active, suspended, unclear } = useActiveCount()
  const counts = [
    t`${active} active`,
    ...(suspended > 0 ? [t`${suspended} suspended`] : []),
    ...(unclear > 0
      ? [
          plural(unclear, {
            one: '# mandate active or suspended',
            other: '# mandates active or suspended',
          }),
        ]
      : []),
    ...(soon > 0 ? [t`${soon} about to expire`] : []),
  ]
  return (
    <p className="mb-3 min-h-lh text-ink-soft text-sm" role="status">
      {loading ? null : `${plural(given, { one: '# grant', other: '# grants' })}: ${counts.join(', ')}`}
    </p>
  )
}
