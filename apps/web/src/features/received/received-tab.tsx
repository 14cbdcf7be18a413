import { useTokens } from '@keyhole/vault-react'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Progress } from '../../components/progress.tsx'
import { Gate } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { NarrowForm } from '../grants/narrow-form.tsx'
import { TokenList } from '../grants/token-list.tsx'
import { ReceiveForm } from './receive-form.tsx'

interface ReceivedTabProps {
  token: string | undefined
  narrow: string | undefined
  onNarrowChange: (cid: string | undefined) => void
}

/** What was given to this account: take a token in, keep it, narrow it and pass it on. */
export function ReceivedTab({ token, narrow, onNarrowChange }: ReceivedTabProps) {
  const { loading, tokens, error } = useTokens()
  const parent = tokens.find((stored) => stored.cid === narrow)
  const received = tokens.filter((stored) => stored.type === 'received')
  return (
    <Gate need="account" purpose="be granted something">
      <div className="flex flex-col gap-6">
        <Gate need="unlocked" purpose="take in a token or pass one on">
          {parent ? <NarrowForm parent={parent} onDone={() => onNarrowChange(undefined)} /> : <ReceiveForm />}
        </Gate>
        <Card title="Given to you" description="What others let you do, the next to end first.">
          <Failure error={error} />
          {loading ? <Progress label="Reading what is stored…" value={null} /> : null}
          {!loading && received.length === 0 ? (
            <EmptyState title="Nothing yet">
              Give someone your DID, and they can grant you something. Paste or drop the token they send you
              above.
            </EmptyState>
          ) : (
            <TokenList
              key={token}
              tokens={received}
              opened={token}
              onNarrow={(stored) => onNarrowChange(stored.cid)}
            />
          )}
        </Card>
      </div>
    </Gate>
  )
}
