import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Gate } from '../../features/account/gate.tsx'
import { Opening } from '../../features/account/opening.tsx'
import type { SearchSearch } from '../../features/search/search-params.ts'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { useIsNew } from '../../shared/vault/use-is-new.ts'

const Finder = lazy(() => import('../../features/search/finder.tsx').then((m) => ({ default: m.Finder })))

/** Searches everything in the vault as you type. */
export function SearchPage({ search }: { search: SearchSearch }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Search`}>
        {useIsNew() ? (
          <Trans>
            Got a token?{' '}
            <Link to="/identity" search={{ tab: 'check' }} className="underline">
              Check it
            </Link>
            . You don’t need a vault for that.
          </Trans>
        ) : (
          <Trans>Find anything in this vault, or paste a token, request, DID or address.</Trans>
        )}
      </PageHeader>
      <Gate need="account" purpose={t`search`}>
        <Suspense fallback={<Opening />}>
          <Finder search={search} />
        </Suspense>
      </Gate>
    </>
  )
}
