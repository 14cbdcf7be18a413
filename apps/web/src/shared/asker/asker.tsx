import { Trans, useLingui } from '@lingui/react/macro'
import { Notice } from '../ui/feedback/notice.tsx'
import { hostOf, isLookalike } from './asker-host.ts'
import { OriginText } from './origin-text.tsx'
import { slot } from './slots.ts'

interface AskerProps {
  /** As the browser reports it. */
  origin: string
}

/** Who asks, as prominent as what they ask for. This comes from the browser, never from the asker. */
export function Asker({ origin }: AskerProps) {
  const { t } = useLingui()
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
              The name is shown in its raw form, starting with xn--. If you expected a name you know, this
              isn’t it: decline.
            </Trans>
          </Notice>
        </div>
      ) : null}
    </div>
  )
}
