import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'

/** To where a file is checked with a code that is typed, once there is none in memory. */
export function CheckLink() {
  return (
    <Link to="/identity" search={{ tab: 'backup' }} className={buttonClass('quiet', 'small')}>
      <Trans>Check it</Trans>
    </Link>
  )
}
