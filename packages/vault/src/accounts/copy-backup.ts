import { countLines } from '../activity/activity-reader.ts'
import { BackupExport } from '../backup/backup-export.ts'
import { backupFilename, toAbout } from '../backup/backup-file.ts'
import { BackupTarget } from '../backup/backup-source.ts'
import { untilStopped } from '../backup/backup-work.ts'
import type { BackupFile, ExportRequest } from '../backup/backups.ts'
import { fileOpening } from '../backup/file-opening.ts'
import { refused } from '../base/errors.ts'
import { callPlugin } from '../enclave/plugin.ts'
import type { VaultContext } from '../session/context.ts'
import { CopiedRecords } from '../storage/mirror/copied-records.ts'
import { findCopy } from '../storage/mirror/mirror.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { inCheckedEnclave } from './recovery.ts'

/**
 * Writes a backup of an account from its second copy alone. It doesn't touch IndexedDB, so it works if that no longer
 * opens. The copy stays as it is.
 * @throws VaultError INVALID_PASSPHRASE; OPERATION_FAILED if the copy doesn't hold the account's keys
 */
export async function backupFromCopy(
  context: VaultContext,
  address: string,
  { proof, exportPassphrase, ...work }: ExportRequest,
): Promise<BackupFile> {
  const copy = await findCopy(address)
  if (!copy) {
    throw refused('CopyWithoutKeys')
  }
  const { mirror, state } = copy
  const start = () => context.client.startEnclave()
  return await inCheckedEnclave(start, state, async (enclave) => {
    const records = await CopiedRecords.read(mirror)
    const total = records.count('tokens')
    const opening = await fileOpening(exportPassphrase, context.config.assessPassphrase)
    const input = { ...opening, contents: toAbout(total) }
    const begin = () =>
      withWriteLock(address, () =>
        context.prove(address, proof, async (given) => {
          const failure = 'Failed to open the second copy'
          await callPlugin(enclave, 'unlock_vault', { proof: given }, failure)
          return await callPlugin(enclave, 'begin_export', { ...input, proof: given }, failure)
        }),
      )
    const { backup } = await untilStopped(work.signal, begin)
    const target = new BackupTarget(backup)
    const options = { ...work, lines: await countLines(enclave), total }
    const { skipped } = await new BackupExport(enclave, target).write(records, options)
    const file = target.finish()
    return { filename: backupFilename(address, context.clock.now()), file, text: await file.text(), skipped }
  })
}
