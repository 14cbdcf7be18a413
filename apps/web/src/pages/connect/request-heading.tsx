import { useLingui } from '@lingui/react/macro'
import { Asker } from '../../shared/asker/asker.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'

/** Says that someone asks, and who. @param origin as the browser reports it; undefined if unknown */
export function RequestHeading({ origin }: { origin: string | undefined }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader
        title={
          origin === undefined ? t`Someone is asking you for access` : t`An app is asking you for access`
        }
      />
      <Asker origin={origin} />
    </>
  )
}
