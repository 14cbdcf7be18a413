import { useTokens } from '@keyhole/vault-react'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Progress } from '../../components/progress.tsx'
import { Gate } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { isGiven } from './capability.ts'
import { GrantForm } from './grant-form.tsx'
import { NarrowForm } from './narrow-form.tsx'
import { TokenList } from './token-list.tsx'

interface GrantsTabProps {
  /** The CID of the token to show opened. */
  token: string | undefined
  /** The CID of the token being narrowed. */
  narrow: string | undefined
  onNarrowChange: (cid: string | undefined) => void
}

/** What this account gives away: a new grant, and everything granted so far. */
export function GrantsTab({ token, narrow, onNarrowChange }: GrantsTabProps) {
  const { loading, tokens, error } = useTokens()
  const parent = tokens.find((stored) => stored.cid === narrow)
  const given = tokens.filter(isGiven)
  return (
    <Gate need="account" purpose="grant something">
      <div className="flex flex-col gap-6">
        <Gate need="unlocked" purpose="sign a grant">
          {parent ? <NarrowForm parent={parent} onDone={() => onNarrowChange(undefined)} /> : <GrantForm />}
        </Gate>
        <Card title="Granted so far" description="Every key that you gave away, the next to end first.">
          <Failure error={error} />
          {loading ? <Progress label="Reading what is stored…" value={null} /> : null}
          {!loading && given.length === 0 ? (
            <EmptyState title="Nothing is out there">
              A grant lets someone do one thing on your behalf. It appears here once you have signed it.
            </EmptyState>
          ) : (
            <TokenList
              key={token}
              tokens={given}
              opened={token}
              onNarrow={(stored) => onNarrowChange(stored.cid)}
            />
          )}
        </Card>
      </div>
    </Gate>
  )
}
