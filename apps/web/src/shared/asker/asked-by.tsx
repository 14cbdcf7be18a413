import { Trans } from '@lingui/react/macro'
import { OriginText } from './origin-text.tsx'

/** Who asks, repeated next to the button that approves. @param origin as the browser reports it; undefined if unknown */
export function AskedBy({ origin }: { origin: string | undefined }) {
  return (
    <p className="text-sm">
      {origin === undefined ? (
        <Trans>Asked for by an unknown sender.</Trans>
      ) : (
        <Trans>
          Asked for by <OriginText origin={origin} />
        </Trans>
      )}
    </p>
  )
}
