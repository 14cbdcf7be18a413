import type { StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { isGiven, storedStanding } from '../../shared/tokens/capability.ts'
import { StandingBadge } from '../../shared/tokens/standing-badge.tsx'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import { moment } from '../../shared/words/when.ts'

/** For how long the vault keeps a grant after its end, in milliseconds: 90 days. */
const RETENTION = 90 * 86_400_000
/** Grants shown at a time. */
const STRETCH = 50

/** Grants whose end has passed, given or received: the vault keeps them whole for 90 days more. Nothing where there are none. */
export function EndedList({ given }: { given: boolean }) {
  const { t } = useLingui()
  const vault = useVault()
  const { data, failed } = useVaultQuery('ended-tokens', () => vault.tokens.ended())
  const [shown, setShown] = useState(STRETCH)
  const ended = data?.filter((token) => isGiven(token) === given) ?? []
  if (failed) return <Failure error={failed} />
  if (ended.length === 0) return null
  const more = ended.length - shown
  return (
    <Fold
      title={plural(ended.length, {
        one: 'One that expired or was revoked, deleted after 90 days',
        other: '# that expired or were revoked, deleted after 90 days',
      })}
    >
      <p className="mb-3 text-ink-soft text-sm">
        <Trans>They no longer work. Keyhole deletes each one 90 days after it expired or was revoked.</Trans>
      </p>
      <ul aria-label={t`Expired and revoked grants`} className="flex flex-col gap-3">
        {ended.slice(0, shown).map((token) => (
          <li key={token.id} className="border-line border-t py-4">
            <Ended token={token} />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <Button size="small" className="mt-3" onClick={() => setShown(shown + STRETCH)}>
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </Fold>
  )
}

function Ended({ token }: { token: StoredToken }) {
  const now = useNow()
  const contacts = useContacts()
  const { label, expiresAt, cid } = token
  const until = expiresAt === undefined ? undefined : moment(expiresAt + RETENTION)
  return (
    <>
      {label ? <p className="wrap-anywhere font-semibold">{label}</p> : null}
      <StoredSentence stored={token} contacts={contacts} className="text-ink-faint" />
      <div className="mt-2 flex flex-wrap items-center gap-2 text-ink-faint text-sm">
        <StandingBadge standing={storedStanding(token, now)} expiresAt={expiresAt} now={now} />
        {until === undefined ? null : (
          <span>
            <Trans>kept until {until}</Trans>
          </span>
        )}
        <Link
          to="/identity"
          search={{ tab: isGiven(token) ? 'grants' : 'received', token: cid }}
          className="reach inline-block min-h-6 underline underline-offset-4"
        >
          <Trans>Details</Trans>
        </Link>
      </div>
    </>
  )
}
