import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { hostOf } from '../../shared/asker/asker-host.ts'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { HandOver } from '../../shared/ui/sharing/hand-over.tsx'

interface GrantedProps {
  token: StoredToken
  /** Who asked, as the browser named it. */
  origin: string | undefined
  isApp: boolean
}

/** What a person sees who has granted something: the app has it, or the text to hand over. */
export function Granted({ token, origin, isApp }: GrantedProps) {
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
      <p className="text-sm">
        <ContactName
          did={token.audienceDid}
          what={t`the key’s DID`}
          suggested={origin === undefined ? undefined : hostOf(origin)}
        />
      </p>
      {isApp ? null : (
        <Card>
          <HandOver text={token.token} label={t`token`} what={t`the token`} />
        </Card>
      )}
    </Result>
  )
}
