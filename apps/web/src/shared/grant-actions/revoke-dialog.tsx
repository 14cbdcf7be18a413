import { useVault } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { announce } from '../browser/announce.ts'
import { ContactName } from '../contacts/contact-name.tsx'
import { useContacts } from '../contacts/use-contacts.ts'
import { useNow } from '../hooks/use-now.ts'
import { isSuspended, storedWords } from '../tokens/capability.ts'
import { StoredBadge } from '../tokens/stored-badge.tsx'
import { StoredSentence } from '../tokens/stored-sentence.tsx'
import { useSuspended } from '../tokens/use-suspended.ts'
import { type ListedToken, useTokenPage } from '../tokens/use-tokens.ts'
import { ConfirmDialog, Final } from '../ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { AndMore } from '../ui/text/and-more.tsx'
import { useMandates } from '../vault/use-sealed-lists.ts'
import { useVaultCheck } from '../vault/use-vault-check.ts'
import { explainText } from '../words/explain-refusal.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { signedWho } from '../words/who.ts'
import { type Affected, affectedBy, storedTokens } from './affected.ts'
import { revokeAll } from './revoke-all.ts'

/** How many of those who are affected are named. */
const NAMED = 6

/** How many of several grants are told in words. */
const TOLD = 12

interface RevokeDialogProps {
  /** What is revoked; not empty. */
  grants: readonly ListedToken[]
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Default: it asks about the grants by their name or number. */
  title?: string
  /** What the button says. Default: that it revokes them. */
  action?: string
  /** Called once all of them are revoked, before it closes. */
  onRevoked?: () => void
  /** Where the focus goes once they are revoked. Default: back to what opened it. */
  leadsTo?: () => HTMLElement | null
}

/** Revokes grants at once and for good, with one press, after showing who loses what. */
export function RevokeDialog({
  grants,
  open,
  onOpenChange,
  title,
  action,
  onRevoked,
  leadsTo,
}: RevokeDialogProps) {
  const { t } = useLingui()
  const vault = useVault()
  const contacts = useContacts()
  const [progress, setProgress] = useState<number>()
  const [affected, setAffected] = useState('')
  // If one fails, the next press continues with the rest.
  const revoked = useRef(new Set<string>())
  const left = () => grants.filter(({ cid }) => !revoked.current.has(cid))
  const [only] = grants
  const count = grants.length
  const isOne = count === 1
  const label = only?.label
  const asked =
    isOne && label !== undefined
      ? t`Revoke “${label}”?`
      : plural(count, { one: 'Revoke this grant?', other: 'Revoke # grants?' })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title ?? asked}
      asks={[...grants.map(({ cid }) => cid), affected].join(' ')}
      action={action ?? plural(count, { one: 'Revoke it for good', other: 'Revoke all #' })}
      {...(!isOne && { keep: t`Cancel` })}
      explain={explainText}
      leadsTo={() => (left().length === 0 ? leadsTo?.() : undefined)}
      onConfirm={async () => {
        const all = left()
        try {
          await revokeAll(vault, all, (cid, tried) => {
            if (cid !== undefined) revoked.current.add(cid)
            setProgress(Math.floor((100 * tried) / all.length))
          })
        } finally {
          setProgress(undefined)
        }
        onRevoked?.()
        announce(
          plural(count, { one: '# grant revoked', other: '# grants revoked' }),
          plural(count, {
            one: 'Now send the revocation to each service that accepts this grant.',
            other:
              'Now send each revocation to the services that accept its grant. You find it in the grant’s details.',
          }),
          isOne && only ? { about: only.cid } : {},
        )
      }}
    >
      <Final />
      {isOne && only ? <StoredSentence stored={only} contacts={contacts} /> : <AllOf grants={grants} />}
      {open ? <WhoLosesWhat grants={grants} onFound={setAffected} /> : null}
      <p>
        <Plural
          value={count}
          one="A service that doesn’t have the revocation yet, or is offline, still accepts the grant."
          other="Services that don’t have the revocations yet, or are offline, still accept the grants."
        />
      </p>
      {isOne || progress === undefined ? null : <Progress label={t`Revoking…`} value={progress} />}
    </ConfirmDialog>
  )
}

/** Each of several grants in words. */
function AllOf({ grants }: Pick<RevokeDialogProps, 'grants'>) {
  const { t } = useLingui()
  const contacts = useContacts()
  return (
    <ul className="flex flex-col gap-2 text-sm" aria-label={t`What is revoked`}>
      {grants.slice(0, TOLD).map((stored) => (
        <li key={stored.id}>
          {stored.label ? <p className="wrap-anywhere font-semibold">{stored.label}</p> : null}
          <StoredSentence stored={stored} contacts={contacts} />
        </li>
      ))}
      <AndMore count={grants.length - TOLD} />
    </ul>
  )
}

interface WhoLosesWhatProps {
  grants: readonly ListedToken[]
  /** Called with the text that appeared. */
  onFound: (shown: string) => void
}

function WhoLosesWhat({ grants, onFound }: WhoLosesWhatProps) {
  const { t } = useLingui()
  const now = useNow()
  const { mandates } = useMandates()
  const [progress, setProgress] = useState<number | null>(null)
  const cids = grants.map(({ cid }) => cid)
  const { found, error } = useVaultCheck(['affected', ...cids], async (vault, left) => {
    const affected = await affectedBy(grants, storedTokens(vault), left(), (done, of) =>
      setProgress(Math.floor((100 * done) / of)),
    )
    onFound(affected.map(({ did }) => did).join(' '))
    return affected
  })
  if (error !== undefined) return <Failure error={error} />
  if (!found) return <Progress label={t`Finding out who it affects…`} value={progress} />
  const [only] = grants
  return (
    <div>
      {grants.length === 1 && only?.command === REQUEST ? (
        <p className="mb-2">
          <StoredBadge stored={only} now={now} />
        </p>
      ) : null}
      <p>
        <Trans>Who loses access, and anyone they passed it on to:</Trans>
      </p>
      <ul className="mt-1 flex flex-col gap-1" aria-label={t`Who is affected`}>
        {found.slice(0, NAMED).map((affected) => (
          <Loses
            key={affected.did}
            affected={affected}
            saysWhat={grants.length > 1}
            isOff={(token) => isSuspended(token, mandates, now)}
          />
        ))}
        <AndMore count={found.length - NAMED} />
      </ul>
      <StillHeld grants={grants} />
    </div>
  )
}

interface LosesProps {
  affected: Affected<ListedToken>
  /** Whether it is said what is lost, too. */
  saysWhat: boolean
  /** Whether it is a suspended mandate. */
  isOff: (token: ListedToken) => boolean
}

function Loses({ affected: { did, loses }, saysWhat, isOff }: LosesProps) {
  const { t } = useLingui()
  const what = loses.map((token) => {
    const name = token.label ?? storedWords(token)
    return isOff(token) ? t`${name} (suspended)` : name
  })
  return (
    <li className="flex flex-wrap items-baseline gap-x-2">
      <ContactName did={did} what={t`the holder’s DID`} tell={signedWho} />
      {saysWhat ? <span className="text-sm">{what.join(', ')}</span> : null}
    </li>
  )
}

/** Says what the holders keep: a renewed grant has two tokens, and only one of them is revoked. */
function StillHeld({ grants }: { grants: readonly ListedToken[] }) {
  const people = [...new Set(grants.map(({ audienceDid }) => audienceDid))]
  const { total } = useTokenPage({ list: 'given', live: true, people, limit: 1 })
  const paused = useSuspended().filter(
    ({ cid, audience }) => people.includes(audience) && !grants.some((each) => each.cid === cid),
  ).length
  const others = total - grants.length - paused
  if (others <= 0 && paused === 0) return null
  return (
    <p className="mt-2 font-medium">
      {others <= 0 ? null : people.length === 1 ? (
        <Plural
          value={others}
          one="They keep # other active grant from you."
          other="They keep # other active grants from you."
        />
      ) : (
        <Plural
          value={others}
          one="Between them they keep # other active grant from you."
          other="Between them they keep # other active grants from you."
        />
      )}{' '}
      {paused > 0 ? (
        <Plural
          value={paused}
          one="One suspended mandate stays too."
          other="# suspended mandates stay too."
        />
      ) : null}
    </p>
  )
}
