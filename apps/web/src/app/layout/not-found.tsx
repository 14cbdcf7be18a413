import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { askedFor } from './asked-for.ts'

/** The page for an unknown address. It says so and offers to search for it. */
export function NotFound() {
  const { pathname } = useLocation()
  const words = askedFor(pathname)
  return (
    <section className="mx-auto flex w-full min-w-0 max-w-xl flex-col items-start gap-4 py-10">
      <h1 className="font-semibold text-3xl">
        <Trans>There is no page here</Trans>
      </h1>
      <p className="text-ink-soft">
        <Trans>
          Nothing is at <code className="break-all">{pathname}</code>. If you followed a link, it may be cut
          off. You can search your vault instead.
        </Trans>
      </p>
      <div className="flex max-w-full flex-wrap gap-3">
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
        <Link to="/" className={buttonClass()}>
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
