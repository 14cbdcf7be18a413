import type { StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useContacts } from '../contacts/use-contacts.ts'
import { CopyLink } from '../grant-form/copy-link.tsx'
import { type ExpiryChoice, expiryOptions, readExpiry } from '../grant-form/expiry.ts'
import { HandOverGrant } from '../grant-form/hand-over-grant.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useNow } from '../hooks/use-now.ts'
import { storedCapability } from '../tokens/capability.ts'
import { GrantSentence, StoredSentence } from '../tokens/stored-sentence.tsx'
import type { ListedToken } from '../tokens/use-tokens.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { DialogEnd } from '../ui/dialogs/dialog-end.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Choice } from '../ui/fields/choice.tsx'
import { Form } from '../ui/layout/form.tsx'
import { useVaultCheck } from '../vault/use-vault-check.ts'
import { latestEnd, renew, sameLength } from './renew.ts'

interface RenewDialogProps {
  /** What is renewed; not empty. */
  grants: readonly ListedToken[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Signs grants again with a later end, and hands the new ones over. */
export function RenewDialog({ grants, open, onOpenChange }: RenewDialogProps) {
  const { t } = useLingui()
  const [only] = grants
  const label = grants.length === 1 ? only?.label : undefined
  const title =
    label === undefined
      ? plural(grants.length, { one: 'Renew this grant', other: 'Renew # grants' })
      : t`Renew “${label}”`
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={t`Keyhole signs a new token that expires later, for you to send. The old one stays valid until it expires.`}
    >
      {open ? <Renewal grants={grants} /> : null}
    </Dialog>
  )
}

function Renewal({ grants }: { grants: readonly ListedToken[] }) {
  const { t } = useLingui()
  const vault = useVault()
  const now = useNow()
  // One that hasn't started would end when it does anyway.
  const hasLength = grants.every(
    ({ notBefore = 0, expiresAt }) => expiresAt !== undefined && notBefore <= now,
  )
  const [choice, setChoice] = useState<ExpiryChoice | 'before'>(hasLength ? 'before' : '30d')
  const [renewed, setRenewed] = useState<readonly StoredToken[]>([])
  const options = [
    ...(hasLength ? [{ value: 'before' as const, label: t`Same length again, from now` }] : []),
    ...expiryOptions().filter(({ value }) => value !== 'on'),
  ]
  const endOf = (grant: ListedToken, at: number) => {
    if (choice === 'before') return sameLength(grant, at)
    const read = readExpiry(choice, '', at)
    return 'at' in read ? read.at : undefined
  }
  const sign = useAction(async () => {
    const done = [...renewed]
    try {
      // Where one is refused, the next press goes on with it.
      for (const grant of grants.slice(done.length)) {
        const end = endOf(grant, Date.now())
        if (end === undefined) return
        done.push(await renew(vault, grant, end))
      }
    } finally {
      setRenewed(done)
    }
  })
  const [first] = renewed
  if (first !== undefined && !sign.pending && sign.error === undefined) return <Renewed tokens={renewed} />
  return (
    <Form onSubmit={sign.run}>
      <Choice label={t`Expires`} options={options} value={choice} onValueChange={setChoice} />
      {grants.length === 1 && grants[0] ? (
        <Again grant={grants[0]} expiresAt={endOf(grants[0], now)} />
      ) : (
        <ul className="flex flex-col gap-3 text-sm" aria-label={t`What you sign`}>
          {grants.map((grant) => (
            <li key={grant.id}>
              {grant.label ? <p className="font-semibold">{grant.label}</p> : null}
              <Again grant={grant} expiresAt={endOf(grant, now)} />
            </li>
          ))}
        </ul>
      )}
      {grants.some(({ type }) => type === 'attenuated') ? (
        <p className="text-ink-soft text-sm">
          <Trans>What you passed on never expires after the grant it comes from.</Trans>
        </p>
      ) : null}
      <DialogEnd action={sign}>{t`Sign again`}</DialogEnd>
    </Form>
  )
}

/** The sentence of what will be signed. */
function Again({ grant, expiresAt }: { grant: ListedToken; expiresAt: number | undefined }) {
  const contacts = useContacts()
  const { found } = useVaultCheck(['latest-end', grant.cid], async (vault) => ({
    latest: await latestEnd(vault, grant),
  }))
  const end = Math.min(expiresAt ?? Number.POSITIVE_INFINITY, found?.latest ?? Number.POSITIVE_INFINITY)
  return (
    <GrantSentence
      cid={grant.cid}
      capability={{
        ...storedCapability(grant),
        expiresAt: Number.isFinite(end) ? end * 1000 : undefined,
      }}
      contacts={contacts}
    />
  )
}

function Renewed({ tokens }: { tokens: readonly StoredToken[] }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const [only] = tokens
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="good" title={t`Signed and stored`}>
        <Trans>Send the new token. The one before it stays valid until it expires.</Trans>
      </Notice>
      {tokens.length === 1 && only ? (
        <>
          <StoredSentence stored={only} contacts={contacts} />
          <HandOverGrant grant={only} />
        </>
      ) : (
        <ul className="flex flex-col gap-3" aria-label={t`Renewed`}>
          {tokens.map((stored) => (
            <li key={stored.id} className="flex flex-wrap items-start justify-between gap-3">
              <div className="min-w-0 flex-1 basis-56 text-sm">
                {stored.label ? <p className="font-semibold">{stored.label}</p> : null}
                <StoredSentence stored={stored} contacts={contacts} />
              </div>
              <CopyLink grant={stored} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
