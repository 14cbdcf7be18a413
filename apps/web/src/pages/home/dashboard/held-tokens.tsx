import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { StoredBadge } from '../../../shared/tokens/stored-badge.tsx'
import { StoredSentence } from '../../../shared/tokens/stored-sentence.tsx'
import { TextButton } from '../../../shared/ui/buttons/text-button.tsx'
import { signedWho, who } from '../../../shared/words/who.ts'
import type { Party } from '../timeline/parties.ts'
import { PartyName } from './party-name.tsx'

/** Shown of one party at first. */
const MOST = 5

/** What one party gave to this account, or holds of it: each token as its sentence. */
export function HeldTokens({ party, side, now }: { party: Party; side: 'from' | 'to'; now: number }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const [most, setMost] = useState(MOST)
  const { dids, tokens } = party
  return (
    <div className="flex flex-col gap-3 rounded-control bg-sunken p-4">
      <p className="flex flex-wrap items-center gap-x-2 font-semibold text-sm">
        {side === 'from' ? (
          <Plural value={tokens.length} one="One grant received from" other="# grants received from" />
        ) : (
          <Plural value={tokens.length} one="One grant that you gave to" other="# grants that you gave to" />
        )}
        {dids.map((did) => (
          // Several keys of one contact differ only in their ends.
          <PartyName key={did} did={did} what={t`the DID`} tell={dids.length > 1 ? signedWho : who} />
        ))}
      </p>
      <ul className="flex flex-col gap-2">
        {tokens.slice(0, most).map((token) => (
          <li key={token.id} className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 text-sm">
            <div className="min-w-0 flex-1 basis-56">
              {token.label ? <p className="font-semibold">{token.label}</p> : null}
              <StoredSentence
                stored={token}
                contacts={contacts}
                className={token.label ? 'text-ink-soft' : ''}
              />
              <Link
                to="/identity"
                search={{ tab: side === 'from' ? 'received' : 'grants', token: token.cid }}
                className="reach inline-block min-h-6 underline underline-offset-4"
              >
                <Trans>Details</Trans>
              </Link>
            </div>
            <StoredBadge stored={token} now={now} />
          </li>
        ))}
      </ul>
      {tokens.length > most ? (
        <div>
          <TextButton onClick={() => setMost(most + 20)}>
            <Trans>Show more</Trans>
          </TextButton>
        </div>
      ) : null}
    </div>
  )
}
