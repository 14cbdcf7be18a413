import type { Session } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useToken } from '../../shared/tokens/use-tokens.ts'
import { AndMore } from '../../shared/ui/text/and-more.tsx'

/** How many are named. */
const NAMED = 6

interface SessionLossesProps {
  /** The sessions that are about to end. */
  sessions: readonly Session[]
  /** Called with the grants that appeared. */
  onShown: (shown: string) => void
}

/** Who loses what when sessions end. */
export function SessionLosses({ sessions, onShown }: SessionLossesProps) {
  const { t } = useLingui()
  return (
    <div>
      <p>
        <Trans>What you granted is revoked. Who loses access, and anyone they passed it on to:</Trans>
      </p>
      <ul className="mt-1 flex flex-col gap-2" aria-label={t`Who is affected`}>
        {sessions.slice(0, NAMED).map((session) => (
          <Loss key={session.id} session={session} onShown={onShown} />
        ))}
        <AndMore count={sessions.length - NAMED} />
      </ul>
    </div>
  )
}

interface LossProps {
  session: Session
  onShown: (shown: string) => void
}

function Loss({ session: { origin, cid }, onShown }: LossProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const { token } = useToken(cid)
  useEffect(() => {
    if (token) onShown(token.cid)
  }, [token, onShown])
  return (
    <li>
      <p className="wrap-anywhere font-medium text-ink">{origin ?? t`App without a name`}</p>
      {token ? <StoredSentence stored={token} contacts={contacts} className="text-sm" /> : null}
    </li>
  )
}
