import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore, ArrowRight, FlaskConical, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'

const CARD =
  'group flex flex-col gap-3 rounded-card border border-line bg-surface p-5 transition-colors hover:border-ink sm:p-6'
const LINK = 'font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink'

/** Three ways to a vault, and one to what needs none. */
export function WaysIn() {
  const { t } = useLingui()
  const { accounts } = useVaultSnapshot()
  return (
    <div className="flex flex-col gap-6">
      <nav aria-label={t`Ways in`} className="grid gap-4 sm:grid-cols-3">
        <Link to="/register" className={CARD}>
          <Way icon={<KeyRound />} title={t`Create vault`}>
            <Trans>Name it, and choose a passkey or a passphrase. It takes under a minute.</Trans>
          </Way>
        </Link>
        <Link to="/register" search={{ tab: 'restore' }} className={CARD}>
          <Way icon={<ArchiveRestore />} title={t`Restore vault`}>
            <Trans>From a backup file, with the recovery code, or from another device.</Trans>
          </Way>
        </Link>
        <Link to="/demo" className={CARD}>
          <Way icon={<FlaskConical />} title={t`Try the demo`}>
            <Trans>A throw-away vault: grant, narrow, check, and try to break it.</Trans>
          </Way>
        </Link>
      </nav>
      <p className="text-ink-soft">
        {accounts.length > 0 ? (
          <>
            <Plural
              value={accounts.length}
              one="This browser already has a vault:"
              other="This browser already has # vaults:"
            />{' '}
            <Link to="/register" search={{ tab: 'accounts' }} className={LINK}>
              <Plural value={accounts.length} one="open it" other="open one" />
            </Link>
            .{' '}
          </>
        ) : null}
        <Trans>
          Got a token?{' '}
          <Link to="/identity" search={{ tab: 'check' }} className={LINK}>
            Check it
          </Link>
          . You don’t need a vault for that.
        </Trans>
      </p>
    </div>
  )
}

interface WayProps {
  icon: ReactNode
  title: string
  children: ReactNode
}

function Way({ icon, title, children }: WayProps) {
  return (
    <>
      <span className="[&_svg]:size-6" aria-hidden="true">
        {icon}
      </span>
      <span className="flex items-center gap-2 font-semibold text-lg">
        {title}
        <ArrowRight className="size-4 transition-transform group-hover:translate-x-1" aria-hidden />
      </span>
      <span className="text-ink-soft text-sm">{children}</span>
    </>
  )
}
