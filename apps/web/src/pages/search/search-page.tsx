import { Trans, useLingui } from '@lingui/react/macro'
import { Gate } from '../../features/account/gate.tsx'
import { Finder } from '../../features/search/finder.tsx'
import type { SearchSearch } from '../../features/search/search-params.ts'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'

/** Searches everything in the vault as you type. */
export function SearchPage({ search }: { search: SearchSearch }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Search`}>
        <Trans>Find anything in this vault, or paste a token, DID or address.</Trans>
      </PageHeader>
      <Gate need="account" purpose={t`have something to search`}>
        <Finder search={search} />
      </Gate>
    </>
  )
}
