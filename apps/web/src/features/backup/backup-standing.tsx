import { Trans, useLingui } from '@lingui/react/macro'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { backupReminder } from './reminder.ts'
import { useBackupHealth } from './use-backup-health.ts'

/** Whether what is here would outlive this browser, and what is to be done about it. */
export function BackupStanding() {
  const { t } = useLingui()
  const { health, failed } = useBackupHealth()
  if (failed) return <Failure error={failed} />
  if (health === undefined) return null
  const reminder = backupReminder(health)
  const never = <Trans>never</Trans>
  return (
    <Card title={t`Backup status`}>
      <div className="flex flex-col gap-4">
        {reminder ? (
          <Notice tone="warn" title={reminder.title}>
            {reminder.text}
          </Notice>
        ) : (
          <Notice tone="good" title={t`The checked file has everything.`}>
            <Trans>If you lose this browser, that file brings back every key and every token.</Trans>
          </Notice>
        )}
        <Facts
          facts={[
            [t`Last created`, health.writtenAt ? <TimeText key="written" at={health.writtenAt} /> : never],
            [t`Last checked`, health.verifiedAt ? <TimeText key="checked" at={health.verifiedAt} /> : never],
          ]}
        />
      </div>
    </Card>
  )
}
