import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { isVaultKnown } from '../../shared/browser/known-vault.ts'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { askedFor } from './asked-for.ts'

/** The page for an unknown address. It says so, and offers to search the vault for it if there is one. */
export function NotFound() {
  const { pathname } = useLocation()
  const { phase } = useVaultSnapshot()
  const words = askedFor(pathname)
  const hasVault = isOpening(phase) ? isVaultKnown() : phase === 'locked' || phase === 'unlocked'
  return (
    <section className="mx-auto flex w-full min-w-0 max-w-xl flex-col items-start gap-4 py-10">
      <h1 className="font-semibold text-3xl">
        <Trans>There is no page here</Trans>
      </h1>
      <p className="text-ink-soft">
        <Trans>
          Nothing is at <code className="break-all">{pathname}</code>. If you followed a link, it may be cut
          off.
        </Trans>
        {hasVault ? (
          <>
            {' '}
            <Trans>You can search your vault instead.</Trans>
          </>
        ) : null}
      </p>
      <div className="flex max-w-full flex-wrap gap-3">
        {hasVault ? (
          <Link
            to="/search"
            search={words === '' ? {} : { q: words }}
            className={buttonClass('primary', 'normal', 'max-w-full')}
          >
            <Search className="size-4 shrink-0" aria-hidden />
            <span className="truncate">
              {words === '' ? <Trans>Search the vault</Trans> : <Trans>Search the vault for “{words}”</Trans>}
            </span>
          </Link>
        ) : null}
        <Link to="/" className={hasVault ? buttonClass() : buttonClass('primary')}>
          <Trans>Go home</Trans>
        </Link>
      </div>
    </section>
  )
}

/** The same for static hosts, before any script runs. A static host has one page for all languages, so it has both. */
export function NotFoundAtHost({ heading: Heading }: { heading: 'h1' | 'h2' }) {
  return (
    <section className="mx-auto flex w-full min-w-0 max-w-xl flex-col items-start gap-4 py-10">
      <Heading className="font-semibold text-3xl">
        <Trans>There is no page here</Trans>
      </Heading>
      <p className="text-ink-soft">
        <Trans>
          Nothing is at this address. If you followed a link, it may be cut off. You can search your vault
          instead.
        </Trans>
      </p>
      <div className="flex max-w-full flex-wrap gap-3">
        <a href="/search" className={buttonClass('primary', 'normal', 'max-w-full')}>
          <Search className="size-4 shrink-0" aria-hidden />
          <span className="truncate">
            <Trans>Search the vault</Trans>
          </span>
        </a>
        <a href="/" className={buttonClass()}>
          <Trans>Go home</Trans>
        </a>
      </div>
    </section>
  )
}
