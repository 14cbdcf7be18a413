import { useVault } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { Gate } from '../../../features/account/gate.tsx'
import { ActivityLog } from '../../../features/activity/activity-log.tsx'
import type { ActivitySearch } from '../../../features/activity/search-params.ts'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../../shared/ui/feedback/slow.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { useVaultQuery } from '../../../shared/vault/vault-query.ts'

/** Who did what, when: the account's log, sealed and chained. */
export function ActivityTab({ search }: { search: ActivitySearch }) {
  const { t } = useLingui()
  return (
    <Gate need="unlocked" purpose={t`read its activity`}>
      <Card
        title={t`Entries`}
        description={t`From every device with this vault. Keyhole notices if entries from this one were deleted or changed.`}
      >
        <Log search={search} />
      </Card>
    </Gate>
  )
}

function Log({ search }: { search: ActivitySearch }) {
  const { t } = useLingui()
  const vault = useVault()
  const { data, failed } = useVaultQuery('activity', () => vault.activity.read(), { onFocus: true })
  if (failed) return <Failure error={failed} />
  if (data !== undefined) return <ActivityLog activity={data} search={search} />
  return (
    <Slow>
      <Progress label={t`Opening the activity…`} value={null} />
    </Slow>
  )
}
