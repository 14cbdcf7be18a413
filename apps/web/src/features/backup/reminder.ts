import type { BackupHealth } from '@keyhole/vault'

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
      title: 'No backup yet',
      text: 'This browser has the only copy of your keys.',
      action: 'Make one',
    }
  }
  if (verifiedAt === undefined) {
    return {
      title: 'The backup was not checked',
      text: 'Choose the file again from where you keep it: only that shows that it is there and opens.',
      action: 'Check it',
    }
  }
  if (changedSince) {
    return {
      title: 'The backup is older than the vault',
      text: 'You have keys or tokens by now that the checked file does not have.',
      action: 'Make a new one',
    }
  }
  return undefined
}
