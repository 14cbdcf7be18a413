import type { Session } from '@keyhole/vault'
import { useVault, useVaultEvent, useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { ConfirmDialog, Final } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { HandOver } from '../../shared/ui/sharing/hand-over.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { ForeignQuote } from '../../shared/ui/text/foreign.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { useReadAgain, useVaultQuery } from '../../shared/vault/vault-query.ts'
import { explainText } from '../../shared/words/explain-refusal.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { SessionLosses } from './session-losses.tsx'

/** The apps connected to the account. */
export function AppList() {
  const { t } = useLingui()
  const vault = useVault()
  const now = useNow()
  const snapshot = useVaultSnapshot()
  const { data, failed } = useVaultQuery('sessions', () => vault.sessions.list(), { onFocus: true })
  const readAgain = useReadAgain('sessions')
  useVaultEvent('vault:changed', ({ change }) => {
    if (change === 'sessions') readAgain()
  })
  // It is kept while the dialog closes.
  const [ending, setEnding] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const ask = (id: string) => {
    setEnding(id)
    setAsking(true)
  }
  const [revocations, setRevocations] = useState<readonly string[]>([])
  const list = useRef<HTMLUListElement>(null)
  const sessions = data?.filter(({ expiresAt }) => expiresAt > now)
  const unlocked = snapshot.phase === 'unlocked'
  const why = whyFixed(snapshot)
  const all = ending === 'all'
  const over = sessions?.filter(({ id }) => all || id === ending) ?? []
  const [shown, setShown] = useState('')
  return (
    <Card
      title={t`Connected apps`}
      description={t`When you grant what an app or agent asks for, it’s listed here until the grant expires.`}
      actions={
        (sessions?.length ?? 0) > 1 ? (
          <Button size="small" why={unlocked ? why : t`Unlock to end them`} onClick={() => ask('all')}>
            <Trans>End all</Trans>
          </Button>
        ) : null
      }
    >
      <Failure error={failed} />
      {sessions === undefined && failed === undefined ? <Skeleton /> : null}
      {sessions?.length === 0 ? (
        <EmptyState
          title={t`No app is connected`}
          actions={
            <Link to="/demo" search={{ tab: 'app' }} className={buttonClass()}>
              <Trans>Try the demo’s app</Trans>
            </Link>
          }
        />
      ) : null}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t`Connected apps`}
        className="divide-y divide-line outline-none"
      >
        {sessions?.map((session) => (
          <Connected
            key={session.id}
            session={session}
            why={unlocked ? why : t`Unlock to end it`}
            onEnd={() => ask(session.id)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={all ? t`End all sessions?` : t`End this session?`}
        asks={[...over.map(({ id }) => id), shown].join(' ')}
        action={all ? t`End all of them` : t`End it`}
        explain={explainText}
        onConfirm={async () => {
          const before = new Set((await vault.tokens.revocations()).map(({ cid }) => cid))
          if (all) await vault.sessions.endAll()
          else if (ending !== undefined) await vault.sessions.end(ending)
          const signed = (await vault.tokens.revocations()).filter(({ cid }) => !before.has(cid))
          setRevocations(signed.map(({ token }) => token))
          list.current?.focus()
          announce(t`Ended`, t`It has to connect again, and you’ll be asked.`)
        }}
      >
        <Final />
        <SessionLosses sessions={over} onShown={setShown} />
        <p>
          <Trans>An app has to connect again, and you’ll be asked.</Trans>
        </p>
      </ConfirmDialog>
      {revocations.length === 0 ? null : (
        <Result>
          <Notice tone="good" title={t`Ended and revoked`}>
            <Plural
              value={revocations.length}
              one="It works only where it’s known: give this text to every service where the grant could be used. It is saved with the grant."
              other="They work only where they’re known: give each text to every service where its grant could be used. They are saved with the grants."
            />
          </Notice>
          {revocations.map((text) => (
            <HandOver key={text} text={text} label={t`revocation`} what={t`the revocation`} />
          ))}
        </Result>
      )}
    </Card>
  )
}

interface ConnectedProps {
  session: Session
  /** Why it can't be ended now. */
  why: string | undefined
  onEnd: () => void
}

function Connected({ session, why, onEnd }: ConnectedProps) {
  const { t } = useLingui()
  const { id, createdAt, expiresAt, origin, reason, cid } = session
  const name = origin ?? t`App without a name`
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere font-medium">{name}</p>
        {origin === undefined ? <DidText text={id} what={t`the session’s id`} /> : null}
        {reason === undefined ? null : (
          <p className="text-sm">
            <ForeignQuote>{reason}</ForeignQuote>
          </p>
        )}
        <p className="text-ink-soft text-sm">
          <Trans>
            connected <TimeText at={createdAt} />, expires <TimeText at={expiresAt} />
          </Trans>
        </p>
        {cid === undefined ? null : (
          <Link
            to="/identity"
            search={{ tab: 'grants', token: cid }}
            className="text-sm underline underline-offset-4"
          >
            <Trans>What it was granted</Trans>
          </Link>
        )}
      </div>
      <Button size="small" why={why} onClick={onEnd} aria-label={t`End session ${name}`}>
        <Trans>End</Trans>
      </Button>
    </li>
  )
}
