import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'

/** What stands in place of the page where it, or a script of it, failed: the app has not been answered. */
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
      <Trans>The app was not answered. Loaded again, the page asks it once more what it wants.</Trans>
    </Notice>
  )
}
