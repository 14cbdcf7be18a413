import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { AppWindow } from './app-window.tsx'

/** Shown in place of the app if it failed. */
export function NotShown() {
  const { t } = useLingui()
  return (
    <AppWindow>
      <Notice
        tone="bad"
        title={t`This page could not be shown.`}
        actions={
          <Button size="small" onClick={() => location.reload()}>
            <Trans>Load it again</Trans>
          </Button>
        }
      >
        <Trans>The app then starts over with another key.</Trans>
      </Notice>
    </AppWindow>
  )
}
