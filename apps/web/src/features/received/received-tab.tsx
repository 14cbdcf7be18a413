import { Trans, useLingui } from '@lingui/react/macro'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Gate } from '../account/gate.tsx'
import { callForm } from '../common/called.ts'
import { Failure } from '../common/failure.tsx'
import { useToken, useTokenPage } from '../common/tokens.ts'
import { EndedList } from '../grants/ended-list.tsx'
import { ListProgress } from '../grants/list-progress.tsx'
import { NarrowForm, narrowing } from '../grants/narrow-form.tsx'
import { STRETCH, TokenList } from '../grants/token-list.tsx'
import type { IdentitySearch } from '../identity/search.ts'
import { ReceiveForm } from './receive-form.tsx'
import { SignedList } from './signed-list.tsx'
import { UseForm, using } from './use-form.tsx'

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
    callForm(using(cid))
  }
  return (
    <Gate need="account" purpose={t`be granted something`}>
      <div className="flex flex-col gap-6">
        <Gate need="unlocked" purpose={t`take in a token, use one or pass one on`}>
          {narrowed ? (
            <NarrowForm key={narrowed.cid} parent={narrowed} onDone={back} />
          ) : used ? (
            <UseForm key={used.cid} stored={used} onDone={back} />
          ) : (
            <ReceiveForm onUse={use} />
          )}
        </Gate>
        <Given search={search} onSearchChange={onSearchChange} />
        <EndedList given={false} />
        <SignedList />
      </div>
    </Gate>
  )
}

function Given({ search: { token }, onSearchChange }: ReceivedTabProps) {
  const { t } = useLingui()
  const { loading, tokens, total, error } = useTokenPage({ list: 'received', limit: STRETCH })
  const { token: linked } = useToken(token)
  // A link's target is shown first, wherever it stands in the list.
  const apart = linked && linked.cid === token && !tokens.some(({ cid }) => cid === token)
  return (
    <Card title={t`Given to you`} description={t`What others let you do, the next to end first.`}>
      <Failure error={error} />
      {loading ? <ListProgress /> : null}
      {!loading && total === 0 ? (
        <EmptyState title={t`Nothing yet`}>
          <Trans>
            Give someone your DID, and they can grant you something. Paste, drop or scan the token they send
            you above.
          </Trans>
        </EmptyState>
      ) : (
        <TokenList
          key={token}
          list="received"
          tokens={tokens}
          total={total}
          first={apart ? linked : undefined}
          opened={token}
          onNarrow={({ cid }) => {
            onSearchChange({ narrow: cid })
            callForm(narrowing(cid))
          }}
          onUse={({ cid }) => {
            onSearchChange({ use: cid })
            callForm(using(cid))
          }}
        />
      )}
    </Card>
  )
}
