import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore, ArrowRight, FlaskConical, KeyRound } from 'lucide-react'
import { lazy, type ReactNode } from 'react'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { KeyholeMark } from '../../../shared/ui/layout/keyhole-mark.tsx'
import { explain } from '../../../shared/words/refusal.ts'
import { BelowTheFold } from './below-the-fold.tsx'

const Landing = lazy(() => import('./landing.tsx').then((m) => ({ default: m.Landing })))

const CARD = 'group flex flex-col gap-2 rounded-card border p-5 shadow-card transition-colors'
const PLAIN = `${CARD} border-line bg-surface hover:border-brass-fill`
const INVERSE = `${CARD} border-ink bg-ink text-ink-inverse hover:bg-ink-soft`
const LINK = 'font-medium text-ink underline underline-offset-4'

/** What Keyhole is, in one sentence, the ways in, and below them what it does. */
export function Welcome() {
  const { t } = useLingui()
  const { accounts, error } = useVaultSnapshot()
  return (
    <div className="flex flex-col gap-10 pt-4 sm:pt-12">
      {error ? <NotOpened error={error} /> : null}
      <header className="flex flex-col items-center gap-6 text-center">
        <KeyholeMark className="size-20 text-ink" lit />
        <h1 className="max-w-3xl font-bold text-4xl leading-tight tracking-tight sm:text-6xl">
          <Trans>Hand out keys that open one door.</Trans>
        </h1>
        <p className="max-w-xl text-ink-soft text-lg">
          <Trans>
            Keyhole is a key vault in this browser tab: say who may do what, within which limits, until when,
            and anyone can check it offline. No server holds a key, and no account is made anywhere.
          </Trans>
        </p>
      </header>
      <nav aria-label={t`Ways in`} className="grid gap-4 sm:grid-cols-3">
        <Link to="/register" className={INVERSE}>
          <Way icon={<KeyRound />} title={t`Create a vault`} inverse>
            <Trans>A name, and a passkey or a passphrase: under a minute.</Trans>
          </Way>
        </Link>
        <Link to="/register" search={{ tab: 'restore' }} className={PLAIN}>
          <Way icon={<ArchiveRestore />} title={t`Restore a vault`}>
            <Trans>From a backup file, or a key from elsewhere.</Trans>
          </Way>
        </Link>
        <Link to="/demo" className={PLAIN}>
          <Way icon={<FlaskConical />} title={t`Try the demo`}>
            <Trans>A throw-away vault: issue, narrow, verify, and attack.</Trans>
          </Way>
        </Link>
      </nav>
      <p className="text-center text-ink-soft">
        {accounts.length > 0 ? (
          <>
            <Plural
              value={accounts.length}
              one="This browser has a vault already:"
              other="This browser has # vaults already:"
            />{' '}
            <Link to="/register" search={{ tab: 'accounts' }} className={LINK}>
              <Plural value={accounts.length} one="open it" other="open one" />
            </Link>
            .{' '}
          </>
        ) : null}
        <Trans>
          Were you given a token?{' '}
          <Link to="/identity" search={{ tab: 'check' }} className={LINK}>
            Check it here
          </Link>
          , without a vault.
        </Trans>
      </p>
      <BelowTheFold>
        <Landing />
      </BelowTheFold>
    </div>
  )
}

/** Someone who had a vault here is not a new visitor: what became of it is said first. */
function NotOpened({ error }: { error: unknown }) {
  const { t } = useLingui()
  const { title } = explain(error)
  return (
    <Notice
      tone="bad"
      title={t`The vault that was open here last could not be opened.`}
      actions={
        <>
          <Link to="/register" search={{ tab: 'accounts' }} className={buttonClass('quiet', 'small')}>
            <Trans>Accounts here</Trans>
          </Link>
          <Link to="/register" search={{ tab: 'restore' }} className={buttonClass('quiet', 'small')}>
            <Trans>Restore from a backup</Trans>
          </Link>
        </>
      }
    >
      <Trans>{title} If the browser cleared its storage, your backup file brings everything back.</Trans>
    </Notice>
  )
}

interface WayProps {
  icon: ReactNode
  title: string
  inverse?: boolean
  children: ReactNode
}

function Way({ icon, title, inverse = false, children }: WayProps) {
  return (
    <>
      <span className={inverse ? '[&_svg]:size-6' : 'text-brass [&_svg]:size-6'} aria-hidden="true">
        {icon}
      </span>
      <span className="flex items-center gap-2 font-semibold text-lg">
        {title}
        <ArrowRight className="size-4 transition-transform group-hover:translate-x-1" aria-hidden />
      </span>
      <span className={inverse ? 'text-sm' : 'text-ink-soft text-sm'}>{children}</span>
    </>
  )
}
