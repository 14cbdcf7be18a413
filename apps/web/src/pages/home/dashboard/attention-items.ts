import type { BackupHealth, StorageHealth } from '@keyhole/vault'
import { plural, t } from '@lingui/core/macro'
import { backupReminder } from '../../../features/backup/reminder.ts'

/** Something to see to, and where that is done. */
export interface AttentionItem {
  readonly id:
    | 'code'
    | 'unconfirmed'
    | 'backup'
    | 'fleeting'
    | 'behind'
    | 'unsent'
    | 'suspended'
    | 'soon'
    | 'long'
  readonly tone: 'warn' | 'plain'
  readonly title: string
  readonly text: string
  readonly action: string
  /** CID of the mandate that it is about, if it is one. */
  readonly mandate?: string | undefined
}

/** What is known of how the vault stands; undefined where it is locked, or still being read. */
export interface Standings {
  /** Whether the recovery code that was just made waits to be kept. */
  readonly codeWaits: boolean
  /** Whether there is a recovery code that nobody has confirmed to have kept. */
  readonly codeUnconfirmed: boolean
  readonly backup: BackupHealth | undefined
  readonly storage: StorageHealth | undefined
  /** How many revocations wait for the relay. */
  readonly unsent: number
  /** CIDs of the mandates that pay nothing until they are resumed. */
  readonly suspended: readonly string[]
  /** How many live grants end soon. */
  readonly soon: number
  /** How many live grants were made long ago. */
  readonly long: number
}

/** What needs attention, the most pressing first. Each goes when it was seen to. */
export function attentionItems(standings: Standings): AttentionItem[] {
  const { codeWaits, codeUnconfirmed, backup, storage, suspended, unsent, soon, long } = standings
  const found: AttentionItem[] = []
  if (codeWaits) {
    found.push({
      id: 'code',
      tone: 'warn',
      title: t`Your recovery code isn’t saved yet`,
      text: t`You can see it only in this tab, until you reload, close it or lock the vault.`,
      action: t`Save the code`,
    })
  } else if (codeUnconfirmed) {
    found.push({
      id: 'unconfirmed',
      tone: 'warn',
      title: t`You haven’t confirmed that you saved your recovery code`,
      text: t`It can’t be shown again. Create a new one to replace it.`,
      action: t`Create a new one`,
    })
  }
  if (unsent > 0) {
    found.push({
      id: 'unsent',
      tone: 'warn',
      title: plural(unsent, {
        one: 'Your relay doesn’t have one revocation yet',
        other: 'Your relay doesn’t have # revocations yet',
      }),
      text: t`Keyhole keeps trying. Until then, services may still accept what you revoked.`,
      action: t`See them`,
    })
  }
  const reminder = backup === undefined ? undefined : backupReminder(backup)
  if (reminder) found.push({ id: 'backup', tone: 'warn', ...reminder })
  if (storage?.persisted === false) {
    found.push({
      id: 'fleeting',
      tone: 'warn',
      title: t`The browser may clear this vault`,
      text: t`It may delete this data to free space.`,
      action: t`See storage`,
    })
  }
  // A browser that can't have a second copy won't get one: a backup that is up to date is all that can be done.
  const isSeenTo = storage?.why === 'unsupported' && backup !== undefined && reminder === undefined
  if (!isSeenTo && (storage?.mirror === 'behind' || storage?.mirror === 'unavailable')) {
    const isMissing = storage.mirror === 'unavailable'
    found.push({
      id: 'behind',
      tone: 'warn',
      title: isMissing ? t`There is no second copy` : t`The second copy is missing the latest changes`,
      text: isMissing
        ? t`If this browser’s database breaks, nothing here can restore it.`
        : t`If this browser’s database breaks, the copy can’t bring it all back.`,
      action: t`See storage`,
    })
  }
  const count = suspended.length
  if (count > 0) {
    found.push({
      id: 'suspended',
      tone: 'warn',
      title: plural(count, { one: 'One mandate is suspended', other: '# mandates are suspended' }),
      text: plural(count, {
        one: 'Nothing is paid under it. Check what was spent, then resume or revoke it.',
        other: 'Nothing is paid under them. Check what was spent, then resume or revoke each.',
      }),
      action: t`See mandates`,
      mandate: count === 1 ? suspended[0] : undefined,
    })
  }
  if (soon > 0) {
    found.push({
      id: 'soon',
      tone: 'warn',
      title: plural(soon, { one: 'One grant expires soon', other: '# grants expire soon' }),
      text: t`Renew what is still needed.`,
      action: t`See them`,
    })
  }
  if (long > 0) {
    found.push({
      id: 'long',
      tone: 'plain',
      title: plural(long, {
        one: 'One grant is more than 90 days old',
        other: '# grants are more than 90 days old',
      }),
      text: t`Revoke what you no longer need.`,
      action: t`Review them`,
    })
  }
  return found
}
