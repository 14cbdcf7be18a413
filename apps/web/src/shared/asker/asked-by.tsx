import { Trans } from '@lingui/react/macro'
import { OriginText } from './origin-text.tsx'

/** Who asks, once more beside the button that says yes to it. @param origin as the browser named it; undefined where nobody can tell */
export function AskedBy({ origin }: { origin: string | undefined }) {
  return (
    <p className="text-sm">
      {origin === undefined ? (
        <Trans>Nobody can tell who asks for this.</Trans>
      ) : (
        <Trans>
          Asked for by <OriginText origin={origin} />
        </Trans>
      )}
    </p>
  )
}
