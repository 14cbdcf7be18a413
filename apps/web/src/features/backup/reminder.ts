import type { BackupHealth } from '@keyhole/vault'
import { t } from '@lingui/core/macro'

/** What is to be done about the backup. */
export interface Reminder {
  readonly title: string
  readonly text: string
  readonly action: string
}

/** The reminder for how the backup stands; undefined once one that has everything was checked. */
export function backupReminder({ writtenAt, verifiedAt, changedSince }: BackupHealth): Reminder | undefined {
  if (writtenAt === undefined && verifiedAt === undefined) {
    return {
      title: t`No backup yet`,
      text: t`Your keys are only in this browser.`,
      action: t`Create one`,
    }
  }
  if (verifiedAt === undefined) {
    return {
      title: t`The backup was not checked`,
      text: t`Choose the file again from where you keep it. That’s the only way to know it’s there and opens.`,
      action: t`Check it`,
    }
  }
  if (changedSince) {
    return {
      title: t`The backup is older than the vault`,
      text: t`The file you checked is out of date, or only your old recovery code opens it.`,
      action: t`Create a new one`,
    }
  }
  return undefined
}
