import { useVault } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { useBackupHealth } from '../../../features/backup/use-backup-health.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { DropZone } from '../../../shared/ui/fields/drop-zone.tsx'

/** Opens the first backup from where it was saved: only that shows that it is there. Nothing is typed, since the code is still in memory. */
export function CheckSaved({ recoveryCode, onOpened }: { recoveryCode: string; onOpened: () => void }) {
  const { t } = useLingui()
  const vault = useVault()
  const { readAgain } = useBackupHealth()
  const check = useAction(async (file: File) => {
    await vault.backups.verify({ text: file, recoveryCode })
    readAgain()
    onOpened()
  })
  return (
    <>
      <DropZone
        label={t`To check that it opens, drop the file here from where you saved it`}
        accept=".json,application/json"
        onFile={(file) => check.run(file)}
      />
      <Failure error={check.error} />
    </>
  )
}
