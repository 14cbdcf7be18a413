import { Link, useLocation } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { buttonClass } from '../components/button.tsx'

/** The page for an address that no page has: says so, and offers search. */
export function NotFound() {
  const { pathname } = useLocation()
  return (
    <section className="mx-auto flex max-w-xl flex-col items-start gap-4 py-10">
      <h1 className="font-bold text-3xl">There is no page here</h1>
      <p className="text-ink-soft">
        <code className="break-all">{pathname}</code> leads nowhere. If you followed a link, it may be cut
        off. What your vault holds can be found by searching for it.
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to="/search" className={buttonClass('primary')}>
          <Search className="size-4" aria-hidden /> Search the vault
        </Link>
        <Link to="/" className={buttonClass()}>
          Go home
        </Link>
      </div>
    </section>
  )
}
