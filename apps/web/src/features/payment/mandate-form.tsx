import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { TextField } from '../../components/text-field.tsx'
import { useDraft } from '../common/drafts.ts'
import { Failure } from '../common/failure.tsx'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useAction } from '../common/use-action.ts'
import { useNow } from '../common/use-now.ts'
import { expiryOptions } from '../grants/expiry.ts'
import { GrantResult } from '../grants/grant-result.tsx'
import { TokenPreview } from '../grants/token-preview.tsx'
import { EMPTY_MANDATE, isMandateDraft, mandateTemplates, PAYMENT_COMMAND, readMandate } from './mandate.ts'

/** A new spending mandate: to whom, how much for one payment, paid to whom, until when. */
export function MandateForm() {
  const { t } = useLingui()
  const vault = useVault()
  const { issuerDid } = useVaultSnapshot()
  const acquaintance = useAcquaintance()
  const now = useNow()
  const [draft, setDraft] = useDraft('mandate', EMPTY_MANDATE, isMandateDraft)
  const [strict, setStrict] = useState(false)
  const [signed, setSigned] = useState<StoredToken>()
  const read = readMandate(draft, now)
  const shown = (value: string, problem: string | undefined) =>
    strict || value.trim() !== '' ? problem : undefined

  const sign = useAction(async () => {
    const checked = readMandate(draft, Date.now())
    setStrict(true)
    if (!checked.ok || checked.expiresAt === undefined) return
    const label = draft.label.trim()
    const stored = await vault.grant({
      audience_did: draft.audience.trim(),
      command: PAYMENT_COMMAND,
      policy: checked.policy,
      expires_at: checked.expiresAt,
      ...(label !== '' && { label }),
    })
    setSigned(stored)
    setDraft(EMPTY_MANDATE)
    setStrict(false)
  })
  const change = (next: Partial<typeof draft>) => {
    sign.clear()
    setDraft({ ...draft, ...next })
  }
  if (signed) {
    return (
      <GrantResult
        stored={signed}
        acquaintance={acquaintance}
        onAnother={() => setSigned(undefined)}
        another={t`New mandate`}
      />
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sign.run()
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title={t`New mandate`}>
        <form onSubmit={submit} className="flex flex-col gap-6" noValidate>
          <div>
            <p className="mb-2 font-medium text-sm" id="mandate-templates">
              <Trans>Start from a common case</Trans>
            </p>
            <fieldset className="flex flex-wrap gap-2" aria-labelledby="mandate-templates">
              {mandateTemplates().map((template) => (
                <Button key={template.id} size="small" onClick={() => change(template.fill)}>
                  {template.name}
                </Button>
              ))}
            </fieldset>
          </div>
          <TextField
            label={t`Who may pay`}
            hint={t`The DID of the app, agent or person.`}
            mono
            placeholder="did:key:z6Mk…"
            value={draft.audience}
            onValueChange={(audience) => change({ audience })}
            error={shown(draft.audience, read.problems.audience)}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={t`At most, for one payment`}
              inputMode="decimal"
              placeholder="25.00"
              value={draft.most}
              onValueChange={(most) => change({ most })}
              error={shown(draft.most, read.problems.most)}
            />
            <TextField
              label={t`Currency`}
              placeholder="GBP"
              maxLength={3}
              value={draft.currency}
              onValueChange={(currency) => change({ currency: currency.toUpperCase() })}
              error={shown(draft.currency, read.problems.currency)}
            />
          </div>
          <TextField
            label={t`Paid to`}
            hint={t`Exactly as the payment will name it. Left empty: to anyone.`}
            placeholder="Corner Shop"
            value={draft.payee}
            onValueChange={(payee) => change({ payee })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Choice
              label={t`Until when`}
              options={expiryOptions()}
              value={draft.expiry}
              onValueChange={(expiry) => change({ expiry })}
            />
            {draft.expiry === 'on' ? (
              <TextField
                label={t`Date and time`}
                type="datetime-local"
                value={draft.expiresOn}
                onValueChange={(expiresOn) => change({ expiresOn })}
                error={shown(draft.expiresOn, read.problems.expiry)}
              />
            ) : null}
          </div>
          <TextField
            label={t`A name for it`}
            hint={t`For you alone, and no part of the token.`}
            maxLength={120}
            value={draft.label}
            onValueChange={(label) => change({ label })}
          />
          <Failure error={sign.error} />
          <Button
            tone="primary"
            type="submit"
            busy={sign.pending}
            icon={<KeyRound className="size-4" aria-hidden />}
            className="self-start"
          >
            <Trans>Sign the mandate</Trans>
          </Button>
        </form>
      </Card>
      <TokenPreview
        acquaintance={acquaintance}
        ready={!read.problems.audience && !read.problems.most && !read.problems.currency}
        payload={{
          issuer: issuerDid ?? '',
          audience: draft.audience,
          subject: issuerDid ?? '',
          command: PAYMENT_COMMAND,
          policy: read.policy,
          expiresAt: read.expiresAt,
        }}
      />
    </div>
  )
}
