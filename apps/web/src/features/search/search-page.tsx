import { Trans, useLingui } from '@lingui/react/macro'
import { PageHeader } from '../../components/page-header.tsx'
import { Gate } from '../account/gate.tsx'
import { Finder } from './finder.tsx'
import type { SearchSearch } from './search.ts'

/** Everything the vault holds, as you type. */
export function SearchPage({ search }: { search: SearchSearch }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Search`}>
        <Trans>
          Everything this vault holds. Paste a token, a DID, a CID or an address to go to what it is.
        </Trans>
      </PageHeader>
      <Gate need="account" purpose={t`have something to search`}>
        <Finder search={search} />
      </Gate>
    </>
  )
}
