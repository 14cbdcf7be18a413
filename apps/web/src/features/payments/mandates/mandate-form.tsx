import type { Mandate, StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { spendingOf } from '../../../shared/grant-words/spending.ts'
import { TokenPreview } from '../../../shared/granting/token-preview.tsx'
import { useDraft } from '../../../shared/hooks/drafts.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { useWide } from '../../../shared/hooks/use-wide.ts'
import { focusFirstWrong } from '../../../shared/text/first-wrong.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Choice } from '../../../shared/ui/fields/choice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { keyName } from '../../../shared/words/key-name.ts'
import { AUTHORIZE, REQUEST } from '../../../shared/words/payment-commands.ts'
import { useContacts } from '../../../shared/words/use-contacts.ts'
import {
  EMPTY_MANDATE,
  isCounted,
  isMandateDraft,
  type MandateDraft,
  type ReadMandate,
  readMandate,
} from './mandate.ts'
import { MandateFields } from './mandate-fields.tsx'
import { MandateResult } from './mandate-result.tsx'
import { mandateTemplates } from './mandate-templates.ts'

/** A new spending mandate: who pays whom, how much, how often, until when. */
export function MandateForm() {
  const { t } = useLingui()
  const vault = useVault()
  const { keys, defaultKey } = useVaultSnapshot()
  const contacts = useContacts()
  const now = useNow()
  const isWide = useWide()
  // The preview has fields of its own, and Enter in them is not to sign: it stands beside the form, and the button after both.
  const formId = useId()
  const [draft, setDraft] = useDraft('mandate', EMPTY_MANDATE, isMandateDraft)
  const [strict, setStrict] = useState(false)
  const [signed, setSigned] = useState<{ token: StoredToken; mandate?: Mandate }>()
  const read = readMandate(draft, now)
  const key =
    keys.find(({ key_id }) => key_id === draft.keyId) ??
    keys.find(({ key_id }) => key_id === defaultKey) ??
    keys[0]
  const issuerDid = key?.did ?? ''

  const sign = useAction(async () => {
    const { ok, max, expiresAt, notBefore, min, payees, currency, budget, policy } = readMandate(
      draft,
      Date.now(),
    )
    setStrict(true)
    if (!ok || max === undefined || expiresAt === undefined) return
    const label = draft.label.trim()
    const named = label === '' ? {} : { label }
    if (isCounted(draft)) {
      const made = await vault.mandates.make({
        ...{ payees, max, currency, budget, expiresAt },
        ...(draft.by === 'holder' && { audienceDid: draft.audience.trim() }),
        ...(min !== undefined && { min }),
        ...(notBefore !== undefined && { notBefore }),
        ...(key && { keyId: key.key_id }),
        ...named,
      })
      setSigned(made)
    } else {
      const token = await vault.tokens.grant({
        audience_did: draft.audience.trim(),
        command: AUTHORIZE,
        policy: [...policy],
        expires_at: expiresAt,
        ...(notBefore !== undefined && { not_before: notBefore }),
        ...(key && { key_id: key.key_id }),
        ...named,
      })
      setSigned({ token })
    }
    setDraft(EMPTY_MANDATE)
    setStrict(false)
  })
  const change = (next: MandateDraft) => {
    sign.clear()
    setDraft(next)
  }
  if (signed) return <MandateResult {...signed} onAnother={() => setSigned(undefined)} />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    sign.run()
    focusFirstWrong(event.currentTarget)
  }
  const counted = isCounted(draft)
  const audience = draft.by === 'itself' ? issuerDid : draft.audience.trim()
  const preview = (
    <TokenPreview
      isInForm={!isWide}
      contacts={contacts}
      ready={!read.problems.audience && read.policy.length > 0}
      spending={counted && isBudget(read) ? spendingOf({ ...read, own: draft.by === 'itself' }) : undefined}
      payload={{
        issuer: issuerDid,
        audience,
        subject: issuerDid,
        command: counted ? REQUEST : AUTHORIZE,
        policy: read.policy,
        expiresAt: read.expiresAt,
        notBefore: read.notBefore,
      }}
    />
  )
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title={t`New mandate`}>
        <div className="flex flex-col gap-6">
          <form id={formId} onSubmit={submit} className="flex flex-col gap-6" noValidate>
            <section className="flex flex-col gap-2" aria-labelledby="mandate-templates">
              <h3 className="font-medium text-sm" id="mandate-templates">
                <Trans>Start from a common case</Trans>
              </h3>
              <div className="flex flex-wrap gap-2">
                {mandateTemplates(draft).map((template) => (
                  <Button
                    key={template.id}
                    size="small"
                    title={template.note}
                    onClick={() => change(template.draft)}
                  >
                    {template.name}
                  </Button>
                ))}
              </div>
            </section>
            <MandateFields draft={draft} onDraftChange={change} read={read} strict={strict} />
            {keys.length > 1 && key ? (
              <Choice
                label={t`Signed with`}
                options={keys.map((each) => ({ value: each.key_id, label: keyName(each) }))}
                value={key.key_id}
                onValueChange={(keyId) => change({ ...draft, keyId })}
              />
            ) : null}
          </form>
          {isWide ? null : preview}
          <Failure error={sign.error} />
          <Button
            tone="primary"
            type="submit"
            form={formId}
            busy={sign.pending}
            icon={<KeyRound className="size-4" aria-hidden />}
            className="self-start"
          >
            <Trans>Sign the mandate</Trans>
          </Button>
        </div>
      </Card>
      {isWide ? preview : null}
    </div>
  )
}

function isBudget({ max, budget }: ReadMandate): boolean {
  return max !== undefined && (budget.amount !== undefined || budget.payments !== undefined)
}
