import { useVaultSnapshot } from '@keyhole/vault-react'
import { Card } from '../../components/card.tsx'
import { Gate } from '../account/gate.tsx'
import { useNow } from '../common/use-now.ts'
import { distance } from '../words/when.ts'
import { ExportForm } from './export-form.tsx'
import { ImportForm } from './import-form.tsx'
import { useBackupMark } from './last-backup.ts'
import { StorageHealthCard } from './storage-health.tsx'

/** How the account outlives this browser: write a backup, merge one in, and how safe the storage is. */
export function BackupTab() {
  const { address } = useVaultSnapshot()
  const now = useNow()
  const mark = useBackupMark(address)
  const last = mark
    ? `The last one was made ${distance(mark.at, now)}.`
    : 'None was made from this browser yet.'
  return (
    <div className="flex flex-col gap-6">
      <Gate need="unlocked" purpose="write a backup">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Card title="Write a backup" description={`One encrypted file with your keys and tokens. ${last}`}>
            <ExportForm />
          </Card>
          <Card
            title="Merge a backup in"
            description="Of this same account: what the file has and this browser lacks is added."
          >
            <ImportForm into="merge" />
          </Card>
        </div>
      </Gate>
      <StorageHealthCard />
    </div>
  )
}
