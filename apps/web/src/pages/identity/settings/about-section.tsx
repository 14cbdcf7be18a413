import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../shared/ui/buttons/button-class.ts'
import { Kbd } from '../../../shared/ui/text/kbd.tsx'

/** What Keyhole is, how to get around in it, and where to try it. */
export function AboutSection() {
  return (
    <div className="flex max-w-prose flex-col gap-4 text-sm">
      <p className="text-ink-soft">
        <Trans>No sign-up. Your keys, names and activity are encrypted in this browser.</Trans>
      </p>
      <p className="text-ink-soft">
        <Trans>
          Press <Kbd keys="mod+k" /> to find or do anything, and <Kbd keys="?" /> for all keyboard shortcuts.
        </Trans>
      </p>
      <p>
        <Link to="/demo" className={buttonClass('quiet', 'small')}>
          <Trans>Open the demo</Trans>
        </Link>
      </p>
    </div>
  )
}
