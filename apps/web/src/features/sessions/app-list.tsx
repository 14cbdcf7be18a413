import type { SessionRecord } from '@keyhole/vault'
import { useVault, useVaultEvent, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DidText } from '../../components/did-text.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { announce } from '../../components/toast.tsx'
import { Failure } from '../common/failure.tsx'
import { useNow } from '../common/use-now.ts'
import { useReadAgain, useVaultQuery } from '../common/vault-query.ts'
import { ListProgress } from '../grants/list-progress.tsx'
import { explainText } from '../words/refusal.ts'

/** The apps that are connected to the account. */
export function AppList() {
  const { t } = useLingui()
  const vault = useVault()
  const now = useNow()
  const { phase } = useVaultSnapshot()
  const { data, failed } = useVaultQuery('sessions', () => vault.sessions(), { onFocus: true })
  const readAgain = useReadAgain('sessions')
  useVaultEvent('vault:changed', ({ change }) => {
    if (change === 'sessions') readAgain()
  })
  const [ending, setEnding] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const sessions = data?.filter(({ expiresAt }) => expiresAt > now)
  const unlocked = phase === 'unlocked'
  const all = ending === 'all'
  return (
    <Card
      title={t`Connected apps`}
      description={t`Apps that may ask this vault without asking you to connect first.`}
      actions={
        (sessions?.length ?? 0) > 1 ? (
          <Button size="small" disabled={!unlocked} onClick={() => setEnding('all')}>
            <Trans>End all</Trans>
          </Button>
        ) : null
      }
    >
      <Failure error={failed} />
      {sessions === undefined && failed === undefined ? <ListProgress /> : null}
      {sessions?.length === 0 ? (
        <EmptyState title={t`No app is connected`}>
          <Trans>Nothing outside of this browser can ask this vault for anything.</Trans>
        </EmptyState>
      ) : null}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t`Connected apps`}
        className="divide-y divide-line outline-none"
      >
        {sessions?.map((session) => (
          <Session
            key={session.id}
            session={session}
            onEnd={unlocked ? () => setEnding(session.id) : undefined}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={(open) => open || setEnding(undefined)}
        title={all ? t`End all sessions?` : t`End this session?`}
        phrase={t({ message: 'end', comment: 'Typed to confirm that a session ends' })}
        action={all ? t`End all of them` : t`End it`}
        explain={explainText}
        onConfirm={async () => {
          if (all) await vault.endSessions()
          else if (ending !== undefined) await vault.endSession(ending)
          list.current?.focus()
          announce(t`Ended`, t`It has to connect anew, and you will be asked.`)
        }}
      >
        <p>
          <Trans>The app has to connect anew, and asks you then. What you granted it stays as it is.</Trans>
        </p>
      </ConfirmDialog>
    </Card>
  )
}

function Session({ session, onEnd }: { session: SessionRecord; onEnd: (() => void) | undefined }) {
  const { t } = useLingui()
  const { id, createdAt, expiresAt } = session
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <DidText text={id} what={t`the session’s id`} />
        <p className="text-ink-soft text-sm">
          <Trans>
            connected <TimeText at={createdAt} />, ends <TimeText at={expiresAt} />
          </Trans>
        </p>
      </div>
      <Button size="small" disabled={onEnd === undefined} onClick={onEnd} aria-label={t`End session ${id}`}>
        <Trans>End</Trans>
      </Button>
    </li>
  )
}
