import type { StoredToken } from '@keyhole/vault'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Notice } from '../../components/notice.tsx'
import { backupReminder } from '../backup/reminder.ts'
import { useBackupHealth } from '../backup/use-backup-health.ts'
import { useStorage } from '../backup/use-storage.ts'
import { storedStanding } from '../grants/capability.ts'

interface AttentionProps {
  tokens: readonly StoredToken[]
  now: number
}

/** What the person should see to: the backup, the storage, grants that end soon. Each goes when it was seen to. */
export function Attention({ tokens, now }: AttentionProps) {
  const { health: backup } = useBackupHealth()
  const { health: storage } = useStorage()
  const ending = tokens.filter((token) => storedStanding(token, now) === 'soon').length
  const reminder = backup === undefined ? undefined : backupReminder(backup)
  const fleeting = storage?.persisted === false
  const behind = storage !== undefined && storage.mirror !== 'whole'
  if (!reminder && !fleeting && !behind && ending === 0) return null
  const to = (tab: 'backup' | 'grants', words: string) => (
    <Link to="/identity" search={{ tab }} className={buttonClass('quiet', 'small')}>
      {words}
    </Link>
  )
  return (
    <Card title="To see to">
      <div className="flex flex-col gap-3">
        {reminder ? (
          <Notice tone="warn" title={reminder.title} actions={to('backup', reminder.action)}>
            {reminder.text}
          </Notice>
        ) : null}
        {fleeting ? (
          <Notice tone="warn" title="The browser may clear this vault" actions={to('backup', 'See storage')}>
            It has not promised to keep what is stored here.
          </Notice>
        ) : null}
        {behind ? (
          <Notice
            tone="warn"
            title="The second copy does not have everything"
            actions={to('backup', 'See storage')}
          >
            Should this browser’s database break, the copy beside it would not bring all of it back.
          </Notice>
        ) : null}
        {ending > 0 ? (
          <Notice
            title={ending === 1 ? 'One token ends soon' : `${ending} tokens end soon`}
            actions={to('grants', 'See them')}
          >
            Grant anew what is still needed.
          </Notice>
        ) : null}
      </div>
    </Card>
  )
}
