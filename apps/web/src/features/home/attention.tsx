import type { StoredToken } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Notice } from '../../components/notice.tsx'
import { useBackupMark } from '../backup/last-backup.ts'
import { useStorage } from '../backup/use-storage.ts'
import { storedStanding } from '../grants/capability.ts'

interface AttentionProps {
  tokens: readonly StoredToken[]
  now: number
}

/** What the person should see to: no backup, storage that may be cleared, grants that end soon. */
export function Attention({ tokens, now }: AttentionProps) {
  const { address } = useVaultSnapshot()
  const mark = useBackupMark(address)
  const { health } = useStorage()
  const ending = tokens.filter((token) => storedStanding(token, now) === 'soon').length
  const unsaved = mark === undefined
  const fleeting = health?.persisted === false
  if (!unsaved && !fleeting && ending === 0) return null
  const to = (tab: 'backup' | 'grants', words: string) => (
    <Link to="/identity" search={{ tab }} className={buttonClass('quiet', 'small')}>
      {words}
    </Link>
  )
  return (
    <Card title="To see to">
      <div className="flex flex-col gap-3">
        {unsaved ? (
          <Notice tone="warn" title="No backup yet" actions={to('backup', 'Make one')}>
            This browser has the only copy of your keys.
          </Notice>
        ) : null}
        {fleeting ? (
          <Notice tone="warn" title="The browser may clear this vault" actions={to('backup', 'See storage')}>
            It has not promised to keep what is stored here.
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
