import type { Mandate, StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { SigningForm } from '../../../shared/grant-form/signing-form.tsx'
import { spendingOf } from '../../../shared/grant-words/spending.ts'
import { useDraft } from '../../../shared/hooks/drafts.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { KeyChoice } from '../../../shared/vault/key-choice.tsx'
import { signingKey } from '../../../shared/vault/signing-key.ts'
import { AUTHORIZE, REQUEST } from '../../../shared/words/payment-commands.ts'
import {
  EMPTY_MANDATE,
  isCounted,
  isMandateDraft,
  type MandateDraft,
  neededFields,
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
  const [draft, setDraft] = useDraft('mandate', EMPTY_MANDATE, isMandateDraft)
  const [strict, setStrict] = useState(false)
  const [signed, setSigned] = useState<{ token: StoredToken; mandate?: Mandate }>()
  const read = readMandate(draft, now)
  const key = signingKey({ keys, defaultKey }, draft.keyId)
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
  const counted = isCounted(draft)
  const audience = draft.by === 'itself' ? issuerDid : draft.audience.trim()
  const preview = {
    contacts,
    ready: !read.problems.audience && read.policy.length > 0,
    spending: counted && isBudget(read) ? spendingOf({ ...read, own: draft.by === 'itself' }) : undefined,
    payload: {
      issuer: issuerDid,
      audience,
      subject: issuerDid,
      command: counted ? REQUEST : AUTHORIZE,
      policy: read.policy,
      expiresAt: read.expiresAt,
      notBefore: read.notBefore,
    },
  }
  return (
    <SigningForm
      title={t`New mandate`}
      preview={preview}
      action={sign}
      submit={<Trans>Sign the mandate</Trans>}
      needed={neededFields(draft, read)}
      start={
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
      }
    >
      <MandateFields draft={draft} onDraftChange={change} read={read} strict={strict} />
      <KeyChoice
        label={t`Signed with`}
        keys={keys}
        chosen={key}
        onChoose={(keyId) => change({ ...draft, keyId })}
      />
    </SigningForm>
  )
}

function isBudget({ max, budget }: ReadMandate): boolean {
  return max !== undefined && (budget.amount !== undefined || budget.payments !== undefined)
}
