import type { BackupHealth, StorageHealth } from '@keyhole/vault'
import { plural, t } from '@lingui/core/macro'
import { backupReminder } from '../../../features/backup/reminder.ts'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'

const DAY = 86_400_000

/** A grant that has been out for longer than this is asked about, in milliseconds. */
export const LONG = 90 * DAY

/** Something to see to, and where that is done. */
export interface AttentionItem {
  readonly id: 'code' | 'unconfirmed' | 'backup' | 'fleeting' | 'behind' | 'suspended' | 'soon' | 'long'
  readonly tone: 'warn' | 'plain'
  readonly title: string
  readonly text: string
  readonly action: string
}

/** What is known of how the vault stands; undefined where it is locked, or still being read. */
export interface Standings {
  /** Whether the recovery code that was just made waits to be kept. */
  readonly codeWaits: boolean
  /** Whether there is a recovery code that nobody has confirmed to have kept. */
  readonly codeUnconfirmed: boolean
  readonly backup: BackupHealth | undefined
  readonly storage: StorageHealth | undefined
  /** How many mandates pay nothing until they are confirmed. */
  readonly suspended: number
  /** How many live grants end soon. */
  readonly soon: number
  /** Live grants, as far as they were read. */
  readonly live: readonly ListedToken[]
  readonly now: number
}

/** What needs attention, the most pressing first. Each goes when it was seen to. */
export function attentionItems(standings: Standings): AttentionItem[] {
  const { codeWaits, codeUnconfirmed, backup, storage, suspended, soon, live, now } = standings
  const found: AttentionItem[] = []
  if (codeWaits) {
    found.push({
      id: 'code',
      tone: 'warn',
      title: t`Your recovery code is not kept yet`,
      text: t`It can be shown until the vault locks, and never again.`,
      action: t`Keep the code`,
    })
  } else if (codeUnconfirmed) {
    found.push({
      id: 'unconfirmed',
      tone: 'warn',
      title: t`Nobody has confirmed that the recovery code was kept`,
      text: t`It cannot be shown again: make a new one, which takes its place.`,
      action: t`Make a new one`,
    })
  }
  const reminder = backup === undefined ? undefined : backupReminder(backup)
  if (reminder) found.push({ id: 'backup', tone: 'warn', ...reminder })
  if (storage?.persisted === false) {
    found.push({
      id: 'fleeting',
      tone: 'warn',
      title: t`The browser may clear this vault`,
      text: t`It has not promised to keep what is stored here.`,
      action: t`See storage`,
    })
  }
  if (storage?.mirror === 'behind' || storage?.mirror === 'unavailable') {
    const isMissing = storage.mirror === 'unavailable'
    found.push({
      id: 'behind',
      tone: 'warn',
      title: isMissing ? t`There is no second copy` : t`The second copy lacks the last changes`,
      text: isMissing
        ? t`Should this browser’s database break, nothing beside it would bring it back.`
        : t`Should this browser’s database break, the copy beside it would not bring all of it back.`,
      action: t`See storage`,
    })
  }
  if (suspended > 0) {
    found.push({
      id: 'suspended',
      tone: 'warn',
      title: plural(suspended, { one: 'One mandate is suspended', other: '# mandates are suspended' }),
      text: t`Nothing is paid under what is suspended. Look at what was spent, then confirm it or end it.`,
      action: t`See mandates`,
    })
  }
  if (soon > 0) {
    found.push({
      id: 'soon',
      tone: 'plain',
      title: plural(soon, { one: 'One token ends soon', other: '# tokens end soon' }),
      text: t`Grant anew what is still needed.`,
      action: t`See them`,
    })
  }
  const long = live.filter(({ createdAt }) => now - createdAt > LONG).length
  if (long > 0) {
    found.push({
      id: 'long',
      tone: 'plain',
      title: plural(long, {
        one: 'One token has been out for over 90 days',
        other: '# tokens have been out for over 90 days',
      }),
      text: t`Nobody tells this vault what is still used. Revoke what is no longer needed.`,
      action: t`Go through them`,
    })
  }
  return found
}
