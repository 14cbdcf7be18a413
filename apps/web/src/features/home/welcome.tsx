import { useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore, ArrowRight, FlaskConical, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { KeyholeMark } from '../../components/keyhole-mark.tsx'
import { Notice } from '../../components/notice.tsx'
import { explain } from '../words/refusal.ts'

const CARD = 'group flex flex-col gap-2 rounded-card border p-5 shadow-card transition-colors'
const PLAIN = `${CARD} border-line bg-surface hover:border-brass-fill`
const INVERSE = `${CARD} border-ink bg-ink text-ink-inverse hover:bg-ink-soft`

/** What Keyhole is, in one sentence, and the ways in. */
export function Welcome() {
  const { accounts, error } = useVaultSnapshot()
  return (
    <div className="flex flex-col gap-10 pt-4 sm:pt-12">
      {error ? <NotOpened error={error} /> : null}
      <header className="flex flex-col items-center gap-6 text-center">
        <KeyholeMark className="size-20 text-ink" lit />
        <h1 className="max-w-3xl font-bold text-4xl leading-tight tracking-tight sm:text-6xl">
          Hand out keys that open one door.
        </h1>
        <p className="max-w-xl text-ink-soft text-lg">
          Keyhole is a key vault in this browser tab: say who may do what, within which limits, until when,
          and anyone can check it offline. No server holds a key, and no account is made anywhere.
        </p>
      </header>
      <nav aria-label="Ways in" className="grid gap-4 sm:grid-cols-3">
        <Link to="/register" className={INVERSE}>
          <Way icon={<KeyRound />} title="Create a vault" inverse>
            A name, and a passkey or a passphrase: under a minute.
          </Way>
        </Link>
        <Link to="/register" search={{ tab: 'restore' }} className={PLAIN}>
          <Way icon={<ArchiveRestore />} title="Restore a vault">
            From a backup file, or a key from elsewhere.
          </Way>
        </Link>
        <Link to="/demo" className={PLAIN}>
          <Way icon={<FlaskConical />} title="Try the demo">
            A throw-away vault: issue, narrow, verify, and attack.
          </Way>
        </Link>
      </nav>
      <p className="text-center text-ink-soft">
        {accounts.length > 0 ? (
          <>
            This browser has {accounts.length === 1 ? 'a vault' : `${accounts.length} vaults`} already:{' '}
            <Link
              to="/register"
              search={{ tab: 'accounts' }}
              className="font-medium text-ink underline underline-offset-4"
            >
              open {accounts.length === 1 ? 'it' : 'one'}
            </Link>
            .{' '}
          </>
        ) : null}
        Were you given a token?{' '}
        <Link
          to="/identity"
          search={{ tab: 'check' }}
          className="font-medium text-ink underline underline-offset-4"
        >
          Check it here
        </Link>
        , without a vault.
      </p>
    </div>
  )
}

/** Someone who had a vault here is not a new visitor: what became of it is said first. */
function NotOpened({ error }: { error: unknown }) {
  return (
    <Notice
      tone="bad"
      title="The vault that was open here last could not be opened."
      actions={
        <>
          <Link to="/register" search={{ tab: 'accounts' }} className={buttonClass('quiet', 'small')}>
            Accounts here
          </Link>
          <Link to="/register" search={{ tab: 'restore' }} className={buttonClass('quiet', 'small')}>
            Restore from a backup
          </Link>
        </>
      }
    >
      {explain(error).title} If the browser cleared its storage, your backup file brings everything back.
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
