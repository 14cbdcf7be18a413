import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Gate } from '../../../features/account/gate.tsx'
import { EndedList } from '../../../features/grants/ended-list.tsx'
import { NarrowForm } from '../../../features/grants/narrow-form.tsx'
import { narrowing } from '../../../features/grants/narrowing.ts'
import { STRETCH, TokenList } from '../../../features/grants/token-list.tsx'
import { InvokeForm } from '../../../features/received/invoke-form.tsx'
import { invokeFormKey } from '../../../features/received/invoke-form-key.ts'
import { ReceiveForm } from '../../../features/received/receive-form.tsx'
import { SignedList } from '../../../features/received/signed-list.tsx'
import { requestForm } from '../../../shared/hooks/requested-forms.ts'
import { useToken, useTokenPage } from '../../../shared/tokens/use-tokens.ts'
import { buttonClass } from '../../../shared/ui/buttons/button-class.ts'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../../shared/ui/layout/empty-state.tsx'
import type { IdentitySearch } from '../search-params.ts'

interface ReceivedTabProps {
  search: IdentitySearch
  /** Puts what is looked at into the address; the tab stays. */
  onSearchChange: (search: Omit<IdentitySearch, 'tab'>) => void
}

/** What was given to this account: take a token in, use it, narrow it and pass it on; and what was signed with it. */
export function ReceivedTab({ search, onSearchChange }: ReceivedTabProps) {
  const { t } = useLingui()
  const { token: narrowed } = useToken(search.narrow)
  const { token: used } = useToken(search.use)
  const back = () => onSearchChange({})
  const use = (cid: string) => {
    onSearchChange({ use: cid })
    requestForm(invokeFormKey(cid))
  }
  return (
    <Gate need="account" purpose={t`receive grants`}>
      <div className="flex flex-col gap-6">
        <Gate need="unlocked" purpose={t`add a token, use one or pass one on`}>
          {narrowed ? (
            <NarrowForm key={narrowed.cid} parent={narrowed} onDone={back} />
          ) : used ? (
            <InvokeForm key={used.cid} stored={used} onDone={back} />
          ) : (
            <ReceiveForm onUse={use} />
          )}
        </Gate>
        <Given onSearchChange={onSearchChange} />
        <EndedList given={false} />
        <SignedList />
      </div>
    </Gate>
  )
}

function Given({ onSearchChange }: Pick<ReceivedTabProps, 'onSearchChange'>) {
  const { t } = useLingui()
  const page = useTokenPage({ list: 'received', limit: STRETCH, early: true })
  const { loading, tokens, total, isFirst, error } = page
  return (
    <Card title={t`Received grants`} description={t`What others let you do, soonest to expire first.`}>
      <Failure error={error} />
      {loading ? <Skeleton /> : null}
      {!loading && total === 0 ? (
        <EmptyState
          title={t`Nothing yet`}
          actions={
            <Link to="/identity" search={{ tab: 'overview' }} className={buttonClass()}>
              <Trans>Show your DID</Trans>
            </Link>
          }
        >
          <Trans>
            Give someone your DID, and they can give you a grant. When they send you the token, paste, drop or
            scan it above.
          </Trans>
        </EmptyState>
      ) : (
        <TokenList
          list="received"
          tokens={tokens}
          total={total}
          isFirst={isFirst}
          onNarrow={({ cid }) => {
            onSearchChange({ narrow: cid })
            requestForm(narrowing(cid))
          }}
          onUse={({ cid }) => {
            onSearchChange({ use: cid })
            requestForm(invokeFormKey(cid))
          }}
        />
      )}
    </Card>
  )
}
