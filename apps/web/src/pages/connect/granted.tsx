import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { HandOver } from '../../shared/ui/sharing/hand-over.tsx'

/** What a person sees who has granted something: the app has it, or the text to hand over. */
export function Granted({ token, isApp }: { token: StoredToken; isApp: boolean }) {
  const { t } = useLingui()
  return (
    <Result>
      <Notice tone="good" title={<Trans>Granted</Trans>}>
        {isApp ? (
          <Trans>
            The app has it. You can close this window, and end it at any time under Identity, Sessions.
          </Trans>
        ) : (
          <Trans>
            Now hand the text below to whoever asked. You can end it at any time under Identity, Sessions.
          </Trans>
        )}
      </Notice>
      {isApp ? null : (
        <Card>
          <HandOver text={token.token} label={t`token`} what={t`the token`} />
        </Card>
      )}
    </Result>
  )
}
