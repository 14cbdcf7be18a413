import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, useMemo, useState } from 'react'
import { OpenAccount } from '../../features/account/open-account.tsx'
import { useArmed } from '../../shared/arming/use-armed.ts'
import { hostOf } from '../../shared/asker/asker-host.ts'
import { NameIt } from '../../shared/contacts/contact-name.tsx'
import { likelyKind } from '../../shared/contacts/likely-kind.ts'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { spendsOrSends } from '../../shared/grant-words/consequence.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { exactJson } from '../../shared/policy/json.ts'
import type { ReplyAddress } from '../../shared/requests/reply-address.ts'
import type { CapabilityRequest } from '../../shared/requests/request.ts'
import { visible } from '../../shared/text/visible.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { lookedLocked } from '../../shared/vault/open-mark.ts'
import { signingKey } from '../../shared/vault/signing-key.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { signedWho } from '../../shared/words/who.ts'
import { Answers } from './answers.tsx'
import { CapabilityView } from './capability-view.tsx'
import { useLimits } from './change/use-limits.ts'
import { type Ending, endingAt } from './ending.ts'
import { Later } from './optional-part.tsx'
import { whyNotOpen } from './why-not-open.ts'

// People read the request before they need this.
const EffectView = lazy(async () => ({
  default: (await import('../../shared/grant-form/effect-view.tsx')).EffectView,
}))
const changing = () => import('./change/chunk.ts')
const ChangeRequest = lazy(async () => ({ default: (await changing()).ChangeRequest }))
const KeyChoice = lazy(async () => ({ default: (await changing()).KeyChoice }))

interface CapabilityFormProps {
  request: CapabilityRequest
  origin: string | undefined
  /** What the asker calls itself in a text request. */
  name: string | undefined
  /** Where the answer goes, if the request says so. */
  replyTo: ReplyAddress | undefined
  /** An introduction of the service that the request is about, if it has one. */
  service: string | undefined
  /** No more grants until this resolves. */
  onGranted: (token: StoredToken) => Promise<void>
  onDeclined: () => void
}

/** The request in words, what can be changed in it, and the two answers. */
export function CapabilityForm({
  request,
  origin,
  name,
  replyTo,
  service,
  onGranted,
  onDeclined,
}: CapabilityFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { phase, keys, defaultKey, issuerDid = '' } = snapshot
  const why = whyFixed(snapshot)
  const contacts = useContacts()
  const now = useNow()
  const [ending, setEnding] = useState<Ending>('asked')
  const { limits, setLimits, chosen, setChosen, read } = useLimits(request.policy)
  const [chosenKey, setChosenKey] = useState('')
  const [sentence, setSentence] = useState<Element | null>(null)
  const key = signingKey({ keys, defaultKey }, chosenKey)
  const { command, audience, expiresIn, policy: asked } = request
  const policyText = exactJson(read.policy)
  const issuer = key?.did ?? issuerDid
  const effect = useMemo(
    () => (
      <Later>
        <EffectView links={[{ command, policy: read.policy }]} />
      </Later>
    ),
    [command, read],
  )
  const change = useMemo(
    () => (
      <Later>
        <ChangeRequest
          {...{ command, service, asked, expiresIn, ending, chosen, limits, read }}
          onEndingChange={setEnding}
          onChosenChange={setChosen}
          onLimitsChange={setLimits}
        />
      </Later>
    ),
    [command, service, asked, expiresIn, ending, chosen, setChosen, limits, setLimits, read],
  )
  const reason = visible(request.reason.trim())
  const holder = signedWho(audience, contacts)
  const suggested = origin === undefined ? name : hostOf(origin)
  // Before the vault says so, as the view before React has it.
  const isLocked = phase === 'locked' || (isOpening(phase) && lookedLocked())
  // It stays once it was locked: until the names are read, none of them is unknown.
  const [wasLocked, setWasLocked] = useState(isLocked)
  if (isLocked && !wasLocked) setWasLocked(true)
  const naming = useMemo(
    () =>
      isLocked ? (
        <span className="block">
          <Trans>If it has a name, you’ll see it once the vault is unlocked.</Trans>
        </span>
      ) : (
        <NameIt did={audience} suggested={suggested} kind={likelyKind(command)} />
      ),
    [audience, suggested, command, isLocked],
  )
  const grant = useAction(async () => {
    const { token } = await vault.sessions.connect({
      grant: {
        audience_did: audience,
        command,
        policy: read.policy,
        expires_at: endingAt(ending, expiresIn, Date.now()),
        ...(key && { key_id: key.key_id }),
        ...(origin !== undefined && { label: origin }),
      },
      ...(origin !== undefined && { origin }),
      ...(reason !== '' && { reason }),
    })
    await onGranted(token)
  })
  const approval = useArmed({
    // Everything that is signed, and everything shown about the asker. If any of it changes, it needs a new approval.
    shown:
      read.ok && phase === 'unlocked' && why === undefined
        ? JSON.stringify([
            origin,
            name,
            replyTo,
            audience,
            holder,
            command,
            reason,
            policyText,
            ending,
            expiresIn,
            key?.key_id,
          ])
        : undefined,
    subject: sentence,
    isDeliberate: spendsOrSends(command),
    approve: () => grant.run(),
  })
  return (
    <>
      <Card title={t`What it asks for`}>
        <div className="flex flex-col gap-5">
          <CapabilityView
            {...{ request, issuer, policy: read.policy }}
            sentence={setSentence}
            {...{ contacts, wasLocked }}
            naming={naming}
            isRead={read.ok}
            expiresAt={endingAt(ending, expiresIn, now)}
            {...{ effect, change }}
          />
          {keys.length > 1 && key ? (
            <Later>
              <KeyChoice label={t`Signed with`} keys={keys} chosen={key} onChoose={setChosenKey} />
            </Later>
          ) : null}
          <Failure error={grant.error} />
          <Answers
            {...{ approval, origin, replyTo, onDeclined }}
            granting={grant.pending}
            isLocked={isLocked}
            isOpen={phase === 'unlocked'}
            why={why ?? whyNotOpen(snapshot)}
          />
        </div>
      </Card>
      <OpenAccount />
    </>
  )
}
