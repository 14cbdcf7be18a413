import { Card } from '../../components/card.tsx'
import { Gate } from '../account/gate.tsx'
import { useNow } from '../common/use-now.ts'
import { ImportKeyCard } from '../key-import/import-key-card.tsx'
import { distance } from '../words/when.ts'
import { ExportForm } from './export-form.tsx'
import { ImportForm } from './import-form.tsx'
import { StorageHealthCard } from './storage-health.tsx'
import { useBackupHealth } from './use-backup-health.ts'
import { VerifyForm } from './verify-form.tsx'

/** How the account outlives this browser: write a backup, check one, bring things in, and how safe the storage is. */
export function BackupTab() {
  return (
    <div className="flex flex-col gap-6">
      <Gate need="unlocked" purpose="write a backup">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-6">
            <WriteCard />
            <CheckCard />
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <Card
              title="Merge a backup in"
              description="Of this same account: what the file has and this browser lacks is added."
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

function WriteCard() {
  const { health } = useBackupHealth()
  const now = useNow()
  const last =
    health === undefined
      ? ''
      : health.writtenAt === undefined
        ? 'None was written yet.'
        : `The last one was written ${distance(health.writtenAt, now)}.`
  return (
    <Card title="Write a backup" description={`One encrypted file with your keys and tokens. ${last}`}>
      <ExportForm />
    </Card>
  )
}

function CheckCard() {
  const { health } = useBackupHealth()
  const now = useNow()
  const last =
    health?.verifiedAt === undefined ? '' : `The last one was checked ${distance(health.verifiedAt, now)}.`
  return (
    <Card
      title="Check a backup"
      description={`Choose the file from where you keep it: it is opened and compared, and nothing is written. ${last}`}
    >
      <VerifyForm />
    </Card>
  )
}
