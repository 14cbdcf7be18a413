import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'

/** Shown in place of a page that failed, or whose script failed. The app has not been answered. */
export function NotDrawn() {
  const { t } = useLingui()
  return (
    <Notice
      tone="bad"
      title={t`This page could not be shown.`}
      actions={
        <Button size="small" onClick={() => location.reload()}>
          <Trans>Load it again</Trans>
        </Button>
      }
    >
      <Trans>The app got no answer. Reload the page to ask it again.</Trans>
    </Notice>
  )
}
