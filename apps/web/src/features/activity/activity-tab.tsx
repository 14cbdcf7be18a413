import { useVault } from '@keyhole/vault-react'
import { Card } from '../../components/card.tsx'
import { Progress } from '../../components/progress.tsx'
import { Gate } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { useVaultQuery } from '../common/vault-query.ts'
import { ActivityLog } from './activity-log.tsx'

/** Who did what, when: the account's log, sealed and chained. */
export function ActivityTab() {
  return (
    <Gate need="unlocked" purpose="read its log">
      <Card
        title="Activity"
        description="What was done with this vault, in every tab. Sealed with it, and chained: a line that is taken out or changed shows."
      >
        <Log />
      </Card>
    </Gate>
  )
}

function Log() {
  const vault = useVault()
  const { data, failed } = useVaultQuery('activity', () => vault.activity(), { onFocus: true })
  if (failed) return <Failure error={failed} />
  if (data === undefined) return <Progress label="Opening the log…" value={null} />
  return <ActivityLog activity={data} />
}
