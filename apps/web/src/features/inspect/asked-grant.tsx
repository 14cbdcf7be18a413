import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../shared/grant-words/sentence-view.tsx'
import { useNow } from '../../shared/hooks/use-now.ts'
import type { CapabilityRequest } from '../../shared/requests/request.ts'
import { visible } from '../../shared/text/visible.ts'
import { buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { Foreign } from '../../shared/ui/text/foreign.tsx'
import { commandWords } from '../../shared/words/command.ts'
import { nearMoment } from '../../shared/words/when.ts'
import { signedWho } from '../../shared/words/who.ts'

interface AskedGrantProps {
  request: CapabilityRequest
  /** What the asker calls itself. */
  name: string | undefined
  /** The request's text, without the link around it. */
  text: string
}

/** What a request for a grant asks, in a sentence, and what would be granted. It is answered on a page of its own. */
export function AskedGrant({ request, name = '', text }: AskedGrantProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const now = useNow()
  const { issuerDid = '' } = useVaultSnapshot()
  const { command, audience, policy, expiresIn } = request
  const expiresAt = now + expiresIn * 1000
  const [whom, what, end] = [signedWho(audience, contacts), commandWords(command), nearMoment(expiresAt, now)]
  const [reason, called] = [visible(request.reason.trim()), visible(name.trim())]
  return (
    <Card title={t`What it asks for`}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere text-lg">
          <Trans>
            Someone asks you to let <strong title={audience}>{whom}</strong> <strong>{what}</strong>, until{' '}
            {end}.
          </Trans>
        </p>
        <Facts
          facts={[
            called === '' ? undefined : [t`It calls itself`, <Foreign key="name">{called}</Foreign>],
            reason === ''
              ? undefined
              : [t`What for, in their own words`, <Foreign key="reason">{reason}</Foreign>],
            [t`Only for this key`, <DidText key="key" text={audience} what={t`the key’s DID`} />],
            [
              t`If you grant it`,
              <SentenceView
                key="granted"
                contacts={{ ...contacts, own: new Set([...contacts.own, issuerDid]) }}
                capability={{ issuer: issuerDid, audience, subject: issuerDid, command, policy, expiresAt }}
              />,
            ],
          ]}
        />
        <a href={`/connect#${text}`} className={`${buttonClass('primary')} self-start`}>
          <Trans>Answer it</Trans>
        </a>
      </div>
    </Card>
  )
}
