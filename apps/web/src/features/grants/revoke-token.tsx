import { useVault } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'
import { explainText } from '../../shared/words/refusal.ts'
import { signedWho } from '../../shared/words/who.ts'
import { affectedBy } from './affected.ts'

/** How many of those who are affected are named. */
const NAMED = 6

interface RevokeTokenProps {
  stored: ListedToken
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Revokes a grant for good, after showing whom that affects, by a typed confirmation. */
export function RevokeToken({ stored, open, onOpenChange }: RevokeTokenProps) {
  const { t } = useLingui()
  const vault = useVault()
  const contacts = useContacts()
  const { label } = stored
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={label ? t`Revoke “${label}”?` : t`Revoke this grant?`}
      phrase={t`revoke`}
      action={t`Revoke it for good`}
      explain={explainText}
      onConfirm={async () => {
        await vault.tokens.revoke({
          cid: stored.cid,
          token: stored.token,
          ...(label !== undefined && { label }),
        })
        announce(t`Revoked`, t`It is signed. Now hand the revocation to every service that may be asked.`, {
          about: stored.cid,
        })
      }}
    >
      <StoredSentence stored={stored} contacts={contacts} />
      <Affected stored={stored} />
      <p>
        <Trans>
          Nothing takes a revocation back. It takes effect wherever its text has arrived: a service that has
          not heard of it, or works offline, still accepts the grant.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}

function Affected({ stored }: { stored: ListedToken }) {
  const { t } = useLingui()
  const [progress, setProgress] = useState<number | null>(null)
  const { found, error } = useVaultCheck(['affected', stored.cid], (vault, left) =>
    affectedBy(stored, vault.tokens, left(), (done, of) => setProgress(Math.floor((100 * done) / of))),
  )
  if (error !== undefined) return <Failure error={error} />
  if (!found) return <Progress label={t`Looking for whom it affects…`} value={progress} />
  const more = found.length - NAMED
  return (
    <div>
      <p>
        <Plural
          value={found.length}
          one="It is taken from # holder that this vault knows of:"
          other="It is taken from # holders that this vault knows of, who got it or something narrowed from it:"
        />
      </p>
      <ul className="mt-1 flex flex-col gap-1" aria-label={t`Who is affected`}>
        {found.slice(0, NAMED).map((did) => (
          <li key={did}>
            <ContactName did={did} what={t`the holder’s DID`} tell={signedWho} />
          </li>
        ))}
        {more > 0 ? (
          <li>
            <Plural value={more} one="and # more" other="and # more" />
          </li>
        ) : null}
      </ul>
      <p className="mt-2 text-sm">
        <Trans>Whoever got it from them without your knowledge loses it too.</Trans>
      </p>
    </div>
  )
}
