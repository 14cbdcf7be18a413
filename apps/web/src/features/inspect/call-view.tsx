import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { argsWords } from '../../shared/grant-words/call-args.ts'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import { callSentence, REVOKE } from '../../shared/tokens/call-sentence.ts'
import type { CheckedCall } from '../../shared/tokens/checked-call.ts'
import { useRevoked } from '../../shared/tokens/use-tokens.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { moment } from '../../shared/words/when.ts'
import { signedWho } from '../../shared/words/who.ts'
import { ChainCard } from './chain-card.tsx'
import { RawToken } from './raw-token.tsx'

/** As much of a call as is told before its payload. */
const MOST = { values: 50, value: 1_000, name: 200 }

/** A signed call that was checked: the verdict, what it says in a sentence, who signed it, and what it rests on. */
export function CallView({ call, links, refusal }: CheckedCall) {
  const { t } = useLingui()
  const contacts = useContacts()
  const cids = useMemo(() => links.map(({ cid }) => cid), [links])
  const revoked = useRevoked(cids)
  const { sentence, rest } = callSentence(call, contacts)
  const args = argsWords(call.command, rest, MOST)
  const { issuer, subject, audience, expiresAt } = call
  const revoker = signedWho(subject, contacts)
  const refused = refusal?.title
  return (
    <>
      <Card title={t`What it says`}>
        <div className="flex flex-col gap-4">
          {refusal ? (
            <Notice tone="bad" title={t`Do not rely on it. ${refused}`}>
              {refusal.advice}
            </Notice>
          ) : revoked.length > 0 ? (
            <Notice tone="bad" title={t`Do not rely on it. It was revoked.`}>
              <Trans>Its signature and dates check out, but a grant that it rests on was revoked.</Trans>{' '}
              <Trans>A service that doesn’t know this may still accept it: send it the revocation.</Trans>
            </Notice>
          ) : call.command === REVOKE ? (
            // Whether it counts can't be told without the grant and what it came from.
            <Notice title={t`Its signature and dates check out.`}>
              {contacts.own.has(subject) ? (
                <Trans>It counts only if you made that grant, or one that it came from.</Trans>
              ) : (
                <Trans>It counts only if {revoker} made that grant, or one that it came from.</Trans>
              )}
            </Notice>
          ) : (
            <Notice tone="good" title={t`Valid.`}>
              <Trans>Its signature and dates check out, and its signer may make it.</Trans>{' '}
              {links.length === 0 ? null : (
                <Trans>Keyhole knows of no revocation, but a service might.</Trans>
              )}
            </Notice>
          )}
          <div className="wrap-anywhere">
            <p className="text-lg">{sentence}</p>
            {args.length === 0 ? null : (
              <>
                <p>
                  <Trans>With these arguments:</Trans>
                </p>
                <LimitList limits={args.map((text) => ({ text }))} />
              </>
            )}
          </div>
          <Facts
            facts={[
              [t`Signed by`, <ContactName key="signer" did={issuer} what={t`the signer’s DID`} />],
              audience === issuer
                ? undefined
                : [t`Made out to`, <ContactName key="asked" did={audience} what={t`the audience’s DID`} />],
              subject === issuer || subject === audience
                ? undefined
                : [t`In the name of`, <ContactName key="for" did={subject} what={t`the subject’s DID`} />],
              [t`Expires`, expiresAt === undefined ? t`never` : moment(expiresAt)],
            ]}
          />
          <RawToken cid={call.cid} payload={call.payload} />
        </div>
      </Card>
      {links.length === 0 ? null : <ChainCard links={links} revoked={revoked} isValid={!refusal} />}
    </>
  )
}
