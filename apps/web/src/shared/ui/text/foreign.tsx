import { Trans } from '@lingui/react/macro'
import type { ComponentProps } from 'react'

type ForeignProps = Omit<ComponentProps<'bdi'>, 'className'>

/** A word of a stranger's in a line: whatever letters it has, it turns no other's direction, and paints over nothing beside it. */
export function Foreign(props: ForeignProps) {
  return (
    <bdi
      {...props}
      className="wrap-anywhere inline-block max-w-full overflow-clip align-bottom [contain:paint]"
    />
  )
}

/** The same of a sentence, quoted, in lines of its own. */
export function ForeignQuote(props: ForeignProps) {
  return (
    <span className="wrap-anywhere block overflow-clip [contain:paint]">
      <Trans>
        “<bdi {...props} />”
      </Trans>
    </span>
  )
}
