import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Card } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Gate } from '../account/gate.tsx'
import { callForm } from '../common/called.ts'
import { Failure } from '../common/failure.tsx'
import { useToken, useTokenCounts, useTokenPage } from '../common/tokens.ts'
import type { IdentitySearch } from '../identity/search.ts'
import { EndedList } from './ended-list.tsx'
import { GrantForm } from './grant-form.tsx'
import { ListProgress } from './list-progress.tsx'
import { NarrowForm, narrowing } from './narrow-form.tsx'
import { STRETCH, TokenList } from './token-list.tsx'

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
    <Gate need="account" purpose={t`grant something`}>
      <div className="flex flex-col gap-6">
        <Gate need="unlocked" purpose={t`sign a grant`}>
          {parent ? (
            <NarrowForm key={parent.cid} parent={parent} onDone={() => onSearchChange({ show })} />
          ) : (
            <GrantForm />
          )}
        </Gate>
        <Granted search={search} onSearchChange={onSearchChange} />
        <EndedList given />
      </div>
    </Gate>
  )
}

function Granted({ search: { token, show }, onSearchChange }: GrantsTabProps) {
  const { t } = useLingui()
  const live = show === 'open'
  const { loading, tokens, total, error } = useTokenPage({ list: 'given', live, limit: STRETCH })
  const { token: linked } = useToken(token)
  const counts = useTokenCounts()
  const { given } = counts
  // A link's target is shown first, wherever it stands in the list.
  const apart = linked && linked.cid === token && !tokens.some(({ cid }) => cid === token)
  return (
    <Card
      title={t`Granted so far`}
      description={t`Every key that you gave away, the next to end first.`}
      actions={
        given === 0 ? null : (
          <Choice
            label={t`Show`}
            labelHidden
            options={[
              { value: 'all', label: t`All of them` },
              { value: 'open', label: t`Still open` },
            ]}
            value={show ?? 'all'}
            onValueChange={(next) => onSearchChange({ show: next === 'open' ? 'open' : undefined })}
            className="w-40"
          />
        )
      }
    >
      <Failure error={error} />
      {loading ? <ListProgress /> : null}
      {given > 0 ? <Counted {...counts} /> : null}
      {!loading && given === 0 ? (
        <EmptyState title={t`Nothing is out there`}>
          <Trans>
            A grant lets someone do one thing on your behalf. It appears here once you have signed it.
          </Trans>
        </EmptyState>
      ) : !loading && tokens.length === 0 && !apart ? (
        <EmptyState title={t`Nothing is open`}>
          <Trans>Everything that you gave away has ended or was revoked.</Trans>
        </EmptyState>
      ) : (
        <TokenList
          key={token}
          list="given"
          live={live}
          tokens={tokens}
          total={total}
          first={apart ? linked : undefined}
          opened={token}
          onNarrow={({ cid }) => {
            onSearchChange({ show, narrow: cid })
            callForm(narrowing(cid))
          }}
        />
      )}
    </Card>
  )
}

function Counted({ given, live, soon }: { given: number; live: number; soon: number }) {
  return (
    <p className="mb-3 text-ink-soft text-sm" role="status">
      {soon > 0 ? (
        <Trans>
          <Plural value={given} one="# grant" other="# grants" />, {live} still open, {soon} about to end
        </Trans>
      ) : (
        <Trans>
          <Plural value={given} one="# grant" other="# grants" />, {live} still open
        </Trans>
      )}
    </p>
  )
}
