import { Trans } from '@lingui/react/macro'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Notice } from '../../../components/notice.tsx'
import type { WindowState } from './worker-messages.ts'

interface EndedProps {
  how: Extract<WindowState, { phase: 'ended' }>['how']
  /** Lets a site that still waits go. */
  onClose: () => void
}

/** What became of the request. Browsers close the window once the site has its answer; this is for those that take their time. */
export function Ended({ how, onClose }: EndedProps) {
  return (
    <Card>
      {how === 'answered' ? (
        <Notice tone="good" title={<Trans>The site has its answer.</Trans>}>
          <Trans>You can close this window.</Trans>
        </Notice>
      ) : null}
      {how === 'aborted' ? (
        <Notice tone="warn" title={<Trans>The site took its request back.</Trans>}>
          <Trans>Nothing was signed. You can close this window.</Trans>
        </Notice>
      ) : null}
      {how === 'timeout' ? (
        <Notice tone="warn" title={<Trans>The time for this payment is up.</Trans>}>
          <Trans>Nothing was signed. Pay again on the site, and it asks anew.</Trans>
        </Notice>
      ) : null}
      {how === 'answered before' ? (
        <Notice
          tone="bad"
          title={<Trans>This very request was paid before.</Trans>}
          actions={
            <Button size="small" onClick={onClose}>
              <Trans>Back to the site</Trans>
            </Button>
          }
        >
          <Trans>Nothing was signed now. A site that wants to be paid again has to ask anew.</Trans>
        </Notice>
      ) : null}
    </Card>
  )
}
