import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useId, useMemo, useState } from 'react'
import { EMPTY_DRAFT, fromTemplate, readDraft, useGrantDraft } from '../../shared/granting/draft.ts'
import { expiryOptions } from '../../shared/granting/expiry.ts'
import { GrantResult } from '../../shared/granting/grant-result.tsx'
import { TokenPreview } from '../../shared/granting/token-preview.tsx'
import { useCalled } from '../../shared/hooks/called.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { useWide } from '../../shared/hooks/use-wide.ts'
import { exactJson } from '../../shared/policy/json.ts'
import { focusFirstWrong } from '../../shared/text/first-wrong.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { keyName } from '../../shared/words/key-name.ts'
import { useContacts } from '../../shared/words/use-contacts.ts'
import { GrantFields } from './grant-fields.tsx'
import { TemplateList } from './template-list.tsx'

/** A new grant from one of the account's own keys, with the token beside it as it will be. */
export function GrantForm() {
  const { t } = useLingui()
  const vault = useVault()
  const { keys, defaultKey, phase } = useVaultSnapshot()
  const contacts = useContacts()
  const now = useNow()
  const isWide = useWide()
  // The preview has fields of its own, and Enter in them is not to sign: it stands beside the form, and the button after both.
  const formId = useId()
  const [draft, setDraft] = useGrantDraft()
  const [strict, setStrict] = useState(false)
  const [signed, setSigned] = useState<StoredToken>()
  const beginning = useCalled<HTMLInputElement>('grant', () => setSigned(undefined))
  const key =
    keys.find((candidate) => candidate.key_id === draft.keyId) ??
    keys.find((candidate) => candidate.key_id === defaultKey) ??
    keys[0]

  const check = (at: number) => {
    const checked = readDraft(draft, at)
    if (key === undefined || draft.audience.trim() !== key.did) return checked
    const audience = t`This is the key that signs: it needs no grant from itself.`
    return { ...checked, ok: false, problems: { ...checked.problems, audience } }
  }
  const read = check(now)
  const command = draft.command.trim()
  const policyText = exactJson(read.policy)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the policy is read anew at each render; its text tells when it changed
  const links = useMemo(
    () => (read.problems.command === undefined ? [{ command, policy: read.policy }] : undefined),
    [command, policyText, read.problems.command],
  )

  const sign = useAction(async () => {
    const checked = check(Date.now())
    setStrict(true)
    if (!checked.ok || checked.expiresAt === undefined) return
    const label = draft.label.trim()
    const stored = await vault.tokens.grant({
      audience_did: draft.audience.trim(),
      command: draft.command.trim(),
      policy: checked.policy,
      expires_at: checked.expiresAt,
      ...(key && { key_id: key.key_id }),
      ...(label !== '' && { label }),
    })
    setSigned(stored)
    setDraft(EMPTY_DRAFT)
    setStrict(false)
  })

  if (signed) {
    return (
      <GrantResult
        stored={signed}
        contacts={contacts}
        onAnother={() => setSigned(undefined)}
        another={t`New grant`}
      />
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    sign.run()
    focusFirstWrong(event.currentTarget)
  }
  const preview = (
    <TokenPreview
      isInForm={!isWide}
      contacts={contacts}
      links={links}
      ready={!read.problems.audience && !read.problems.command}
      payload={{
        issuer: key?.did ?? '',
        audience: draft.audience,
        subject: key?.did ?? '',
        command: draft.command,
        policy: read.policy,
        expiresAt: read.expiresAt,
      }}
    />
  )
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title={t`New grant`} description={t`Hand someone a key that opens one door, for a while.`}>
        <div className="flex flex-col gap-6">
          <form id={formId} onSubmit={submit} className="flex flex-col gap-6" noValidate>
            <TemplateList onPick={(template) => setDraft(fromTemplate(draft, template))} />
            <GrantFields
              beginning={beginning}
              draft={draft}
              onDraftChange={(next) => {
                sign.clear()
                setDraft(next)
              }}
              read={read}
              strict={strict}
              commandHint={t`A command, such as /msg/send: it covers everything under it.`}
              ends={expiryOptions()}
            />
            {keys.length > 1 && key ? (
              <Choice
                label={t`Signed with`}
                options={keys.map((each) => ({ value: each.key_id, label: keyName(each) }))}
                value={key.key_id}
                onValueChange={(keyId) => setDraft({ ...draft, keyId })}
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
            disabled={phase !== 'unlocked'}
            icon={<KeyRound className="size-4" aria-hidden />}
            className="self-start"
          >
            <Trans>Sign the grant</Trans>
          </Button>
        </div>
      </Card>
      {isWide ? preview : null}
    </div>
  )
}
