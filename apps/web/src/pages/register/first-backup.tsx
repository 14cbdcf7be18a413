import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { putOff } from '../../features/account/setup.ts'
import { ExportForm } from '../../features/backup/export-form.tsx'
import { useBackupHealth } from '../../features/backup/use-backup-health.ts'
import { VerifyForm } from '../../features/backup/verify-form.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { TextButton } from '../../shared/ui/buttons/text-button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

interface FirstBackupProps {
  /** Whether a file was opened again from where it is kept. */
  checked: boolean
  putOff: boolean
}

/** Written, then chosen again from where it is kept: only that shows that it is there. */
export function FirstBackup({ checked, putOff: later }: FirstBackupProps) {
  const { t } = useLingui()
  const { health } = useBackupHealth()
  const place = useRef<HTMLDivElement>(null)
  const written = health?.writtenAt !== undefined
  // The button that was pressed goes with what it belonged to.
  const decide = (next: boolean) => {
    putOff('backup', next)
    place.current?.focus()
  }
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-6 rounded-card outline-none">
      {checked ? (
        <Notice tone="good" title={t`The backup is written, and it opens.`}>
          <Trans>Keep the file and its passphrase apart from each other, and away from this device.</Trans>
        </Notice>
      ) : later ? (
        <Notice
          tone="warn"
          title={t`This browser has the only copy of your keys.`}
          actions={
            <Button size="small" onClick={() => decide(false)}>
              <Trans>Make a backup now</Trans>
            </Button>
          }
        />
      ) : (
        <Card
          title={t`Make a backup now`}
          description={t`This browser has the only copy. One encrypted file brings it back if the device is lost or the browser is cleared.`}
        >
          <div className="flex flex-col items-start gap-4 *:first:self-stretch">
            <ExportForm />
            {written ? null : (
              <TextButton onClick={() => decide(true)}>
                <Trans>Later: remind me on the first page</Trans>
              </TextButton>
            )}
          </div>
        </Card>
      )}
      {written && !later ? (
        <Card
          title={t`Check the backup`}
          description={t`Choose the file again, from where you keep it. Only that shows that it is there and opens.`}
        >
          <VerifyForm />
        </Card>
      ) : null}
    </div>
  )
}
