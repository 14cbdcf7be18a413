import { Trans, useLingui } from '@lingui/react/macro'
import { Gate } from '../../../features/account/gate.tsx'
import { ImportForm } from '../../../features/account/recovery/import-form.tsx'
import { BackupStanding } from '../../../features/backup/backup-standing.tsx'
import { ExportForm } from '../../../features/backup/export-form.tsx'
import { StorageHealthCard } from '../../../features/backup/storage-health.tsx'
import { VerifyForm } from '../../../features/backup/verify-form.tsx'
import { ImportKeyCard } from '../../../features/key-import/import-key-card.tsx'
import { Term } from '../../../shared/glossary/term.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'

/** How the account outlives this browser: write a backup, check one, bring things in, and how safe the storage is. */
export function BackupTab() {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-6">
      <Gate need="unlocked" purpose={t`create a backup`}>
        <BackupStanding />
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-6">
            <Card
              title={t`Create a backup`}
              description={
                <>
                  <Trans>Your whole vault in one encrypted file.</Trans>{' '}
                  <Term of="backupFile">
                    <Trans>What’s a backup file?</Trans>
                  </Term>
                </>
              }
            >
              <ExportForm />
            </Card>
            <Card
              title={t`Check a backup`}
              description={t`Choose the file from where you keep it. Keyhole opens it and compares it with this vault, without changing either.`}
            >
              <VerifyForm />
            </Card>
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <Card
              title={t`Merge a backup`}
              description={<Trans>Adds what’s missing here from a backup of this vault.</Trans>}
            >
              <ImportForm into="merge" />
            </Card>
            <ImportKeyCard />
          </div>
        </div>
      </Gate>
      <StorageHealthCard />
    </div>
  )
}
