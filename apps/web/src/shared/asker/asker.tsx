import { Trans, useLingui } from '@lingui/react/macro'
import { Notice } from '../ui/feedback/notice.tsx'
import { hostOf, isLookalike } from './asker-host.ts'
import { OriginText } from './origin-text.tsx'
import { slot } from './slots.ts'

interface AskerProps {
  /** As the browser named it; undefined where nobody can tell. */
  origin: string | undefined
}

/** Who asks, as large as what they ask for: the browser's word for it, never their own. */
export function Asker({ origin }: AskerProps) {
  const { t } = useLingui()
  if (origin === undefined) {
    return (
      <Notice tone="warn" title={t`Who asks cannot be told.`}>
        <Trans>
          This came as a text or a link, which anyone can write. Go on if you know where you have it from:
          what you grant works for the key below alone.
        </Trans>
      </Notice>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="rounded-card border border-line bg-surface p-5 short:px-3.5 short:py-2">
        <span className="block text-ink-faint text-sm">
          <Trans>The browser says that this is</Trans>
        </span>
        <span className="text-xl" data-testid="origin">
          <OriginText origin={origin} />
        </span>
      </p>
      {isLookalike(hostOf(origin)) ? (
        <div {...slot('lookalike')}>
          <Notice tone="warn" title={t`This name has letters that can look like others.`}>
            <Trans>
              It is shown as it stands in the network, beginning with xn--. If you expected a name that you
              know, this is not it: decline.
            </Trans>
          </Notice>
        </div>
      ) : null}
    </div>
  )
}
