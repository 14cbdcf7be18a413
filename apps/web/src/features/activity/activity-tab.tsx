import { useVault } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { Card } from '../../components/card.tsx'
import { Progress } from '../../components/progress.tsx'
import { Slow } from '../../components/slow.tsx'
import { Gate } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { useVaultQuery } from '../common/vault-query.ts'
import { ActivityLog } from './activity-log.tsx'
import type { ActivitySearch } from './search.ts'

/** Who did what, when: the account's log, sealed and chained. */
export function ActivityTab({ search }: { search: ActivitySearch }) {
  const { t } = useLingui()
  return (
    <Gate need="unlocked" purpose={t`read its log`}>
      <Card
        title={t`Activity`}
        description={t`What was done with this vault, in every tab. Sealed with it, and chained: a line that is taken out or changed shows.`}
      >
        <Log search={search} />
      </Card>
    </Gate>
  )
}

function Log({ search }: { search: ActivitySearch }) {
  const { t } = useLingui()
  const vault = useVault()
  const { data, failed } = useVaultQuery('activity', () => vault.activity(), { onFocus: true })
  if (failed) return <Failure error={failed} />
  if (data !== undefined) return <ActivityLog activity={data} search={search} />
  return (
    <Slow>
      <Progress label={t`Opening the log…`} value={null} />
    </Slow>
  )
}
