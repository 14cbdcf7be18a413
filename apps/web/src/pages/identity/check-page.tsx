import { Trans, useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Later } from '../../features/account/lazy-part.tsx'
import { Term } from '../../shared/glossary/term.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'

const CheckTab = lazy(() => import('./chunk.ts').then((m) => ({ default: m.CheckTab })))

/** Checks a token from anyone. */
export function CheckPage() {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Check a token`}>
        <Trans>See what a token allows, and whether it is valid. You don’t need a vault for it.</Trans>{' '}
        <Term of="token">
          <Trans>What’s a token?</Trans>
        </Term>
      </PageHeader>
      <Later>
        <CheckTab />
      </Later>
    </>
  )
}
