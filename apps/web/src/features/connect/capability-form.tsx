import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { DidText } from '../../components/did-text.tsx'
import { Fold } from '../../components/fold.tsx'
import { Notice } from '../../components/notice.tsx'
import { Failure } from '../common/failure.tsx'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useAction } from '../common/use-action.ts'
import { useArmed } from '../common/use-armed.ts'
import { useNow } from '../common/use-now.ts'
import { EffectView } from '../grants/effect-view.tsx'
import { keyName } from '../keys/key-name.ts'
import { EMPTY_POLICY, editText, readPolicyDraft } from '../policy/draft.ts'
import { exactJson } from '../policy/json.ts'
import { isPlainlyLess } from '../policy/less.ts'
import { PolicyEditor } from '../policy/policy-editor.tsx'
import { Sentence } from '../words/sentence.tsx'
import { visible } from '../words/visible.ts'
import { type Ending, endingAt, endings } from './ending.ts'
import type { CapabilityRequest } from './request.ts'
import { VaultAtHand } from './vault-at-hand.tsx'

interface CapabilityFormProps {
  request: CapabilityRequest
  origin: string | undefined
  onGranted: (token: StoredToken) => void
  onDeclined: () => void
}

/** What is asked for, in words; less of it, where the person wants; and the two answers. */
export function CapabilityForm({ request, origin, onGranted, onDeclined }: CapabilityFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { phase, keys, defaultKey, issuerDid = '' } = useVaultSnapshot()
  const acquaintance = useAcquaintance()
  const now = useNow()
  const [ending, setEnding] = useState<Ending>('asked')
  const [limits, setLimits] = useState(() => editText(EMPTY_POLICY, exactJson(request.policy)))
  const [chosen, setChosen] = useState('')
  const key =
    keys.find(({ key_id }) => key_id === chosen) ??
    keys.find(({ key_id }) => key_id === defaultKey) ??
    keys[0]
  const read = readPolicyDraft(limits)
  const { command, audience, expiresIn } = request
  const policyText = exactJson(read.policy)
  const issuer = key?.did ?? issuerDid
  // biome-ignore lint/correctness/useExhaustiveDependencies: the policy is read anew at each render; its text tells when it changed
  const links = useMemo(() => [{ command, policy: read.policy }], [command, policyText])
  const reason = visible(request.reason.trim())
  // All that is signed, and all that is shown of who asks: a change of any of it is another thing to approve.
  const armed = useArmed(
    JSON.stringify([phase, origin, audience, command, reason, policyText, ending, expiresIn, key?.key_id]),
  )

  const grant = useAction(async () => {
    const { token } = await vault.connect({
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
    onGranted(token)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (armed && read.ok && phase === 'unlocked') grant.run()
  }
  return (
    <>
      <VaultAtHand />
      <Card title={t`What it wants`}>
        <form onSubmit={submit} className="flex flex-col gap-5" noValidate>
          <Sentence
            className="text-lg"
            acquaintance={{ own: new Set([...acquaintance.own, issuer]) }}
            capability={{
              ...{ issuer, audience, subject: issuer, command, policy: read.policy },
              expiresAt: endingAt(ending, expiresIn, now) * 1000,
            }}
          />
          {reason === '' ? null : (
            <figure className="text-sm">
              <figcaption className="text-ink-faint">
                <Trans>What for, in the words of whoever asks:</Trans>
              </figcaption>
              <blockquote className="wrap-anywhere mt-1 border-line-strong border-l-4 pl-3">
                “{reason}”
              </blockquote>
            </figure>
          )}
          <p className="text-sm">
            <span className="text-ink-faint">
              <Trans>It works for the holder of this key alone:</Trans>
            </span>{' '}
            <DidText text={audience} what={t`the key’s DID`} />
          </p>
          {command.startsWith('/payment') ? (
            <Notice tone="warn" title={t`This lets someone spend.`}>
              <Trans>
                The limits are all that stands in the way, payment by payment: nothing counts them together.
              </Trans>
            </Notice>
          ) : null}
          {read.policy.length === 0 && read.ok ? (
            <Notice tone="warn" title={t`No limits`}>
              <Trans>Everything that the command covers is allowed. You can add limits below.</Trans>
            </Notice>
          ) : null}
          {read.ok && !isPlainlyLess(read.policy, request.policy) ? (
            <Notice tone="warn" title={t`This may give more than was asked.`}>
              <Trans>
                A limit that whoever asks has set themselves is missing here, or is another. Put it back
                unless you mean to give more.
              </Trans>
            </Notice>
          ) : null}
          <Fold title={t`What it lets through`}>
            <EffectView links={links} />
          </Fold>
          <Fold title={t`Give less`}>
            <div className="flex flex-col gap-5">
              <Choice
                label={t`Until when`}
                options={endings(expiresIn)}
                value={ending}
                onValueChange={setEnding}
              />
              <PolicyEditor draft={limits} onDraftChange={setLimits} read={read} />
            </div>
          </Fold>
          {keys.length > 1 && key ? (
            <Choice
              label={t`Signed with`}
              options={keys.map((each) => ({ value: each.key_id, label: keyName(each) }))}
              value={key.key_id}
              onValueChange={setChosen}
            />
          ) : null}
          <Failure error={grant.error} />
          <div className="flex flex-wrap gap-3">
            <Button
              tone="primary"
              type="submit"
              busy={grant.pending}
              disabled={!armed || !read.ok || phase !== 'unlocked'}
              focusableWhenDisabled
              icon={<KeyRound className="size-4" aria-hidden />}
            >
              <Trans>Grant it</Trans>
            </Button>
            <Button onClick={onDeclined} disabled={grant.pending}>
              <Trans>Decline</Trans>
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}
