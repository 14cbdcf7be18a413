import { Trans, useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Later } from '../../features/account/lazy-part.tsx'
import { Term } from '../../shared/glossary/term.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'

const AskTab = lazy(() => import('./chunk.ts').then((m) => ({ default: m.AskTab })))

/** Where a link leads that asks someone for their DID. */
export function AskPage() {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Someone is asking for your DID`}>
        <Trans>With your DID they can give you a grant. It isn’t secret, and it opens nothing.</Trans>{' '}
        <Term of="did">
          <Trans>What’s a DID?</Trans>
        </Term>
      </PageHeader>
      <Later>
        <AskTab />
      </Later>
    </>
  )
}
