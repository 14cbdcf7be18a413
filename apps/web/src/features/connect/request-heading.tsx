import { useLingui } from '@lingui/react/macro'
import { PageHeader } from '../../components/page-header.tsx'
import { Asker } from './asker.tsx'

/** That something is asked, and by whom. @param origin as the browser named it; undefined where nobody can tell */
export function RequestHeading({ origin }: { origin: string | undefined }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader
        title={origin === undefined ? t`Someone asks you for something` : t`An app asks you for something`}
      />
      <Asker origin={origin} />
    </>
  )
}
