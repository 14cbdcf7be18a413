import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { likelyKind } from '../../shared/contacts/likely-kind.ts'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../shared/grant-words/sentence-view.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { HandOver } from '../../shared/ui/sharing/hand-over.tsx'

interface GrantedProps {
  token: StoredToken
  /** What the browser calls the asker, or the asker itself. */
  suggested: string | undefined
  isApp: boolean
  /** Whether the answer has arrived, if it is sent from here. */
  delivery: ReactNode
}

/** What you see after granting: the app has its token, or the text to hand over. */
export function Granted({ token, suggested, isApp, delivery }: GrantedProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const handOver = <HandOver text={token.token} label={t`token`} what={t`the token`} />
  return (
    <Result>
      <PageHeader title={t`Granted`} />
      <Notice tone="good">
        {delivery ? (
          <Trans>You can end this access at any time under Settings, Apps and tabs.</Trans>
        ) : isApp ? (
          <Trans>
            The app has it. You can close this window. To end its access, go to Settings, Apps and tabs.
          </Trans>
        ) : (
          <Trans>
            Now give the text below to the person who asked. You can end their access at any time under
            Settings, Apps and tabs.
          </Trans>
        )}
      </Notice>
      <SentenceView
        contacts={{ ...contacts, own: new Set([...contacts.own, token.issuer]) }}
        capability={{ ...token, audience: token.audienceDid }}
      />
      {delivery}
      <p className="text-sm">
        <ContactName
          did={token.audienceDid}
          what={t`the key’s DID`}
          suggested={suggested}
          kind={likelyKind(token.command)}
        />
      </p>
      {isApp ? null : (
        <Card>
          {delivery ? <Fold title={t`If it doesn’t arrive, hand over this text`}>{handOver}</Fold> : handOver}
        </Card>
      )}
    </Result>
  )
}
