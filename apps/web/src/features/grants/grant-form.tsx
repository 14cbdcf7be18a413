import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import {
  EMPTY_DRAFT,
  fromOwnTemplate,
  fromTemplate,
  neededFields,
  ownLink,
  readDraft,
  toOwnTemplate,
  useGrantDraft,
} from '../../shared/grant-form/draft.ts'
import { expiryOptions } from '../../shared/grant-form/expiry.ts'
import { GrantResult } from '../../shared/grant-form/grant-result.tsx'
import { SigningForm } from '../../shared/grant-form/signing-form.tsx'
import { useLinks } from '../../shared/grant-form/use-links.ts'
import { useRequestedForm } from '../../shared/hooks/requested-forms.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { KeyChoice } from '../../shared/vault/key-choice.tsx'
import { signingKey } from '../../shared/vault/signing-key.ts'
import { GrantFields } from './grant-fields.tsx'
import { OwnTemplates, SaveTemplate } from './own-templates.tsx'
import { type OfferedTemplates, TemplateList } from './template-list.tsx'

/** A new grant from one of the account's own keys: who, what they can do, and when it expires. */
export function GrantForm({ offered }: { offered?: OfferedTemplates | undefined }) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const contacts = useContacts()
  const now = useNow()
  const [draft, setDraft] = useGrantDraft()
  const [strict, setStrict] = useState(false)
  const [signed, setSigned] = useState<StoredToken>()
  const beginning = useRequestedForm<HTMLInputElement>('grant', () => setSigned(undefined))
  const key = signingKey(snapshot, draft.keyId)
  const check = (at: number) => readDraft(draft, at, key?.did)
  const read = check(now)
  const links = useLinks(ownLink(draft, read))

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
  const preview = {
    contacts,
    links,
    ready: !read.problems.audience && !read.problems.command,
    payload: {
      issuer: key?.did ?? '',
      audience: draft.audience,
      subject: key?.did ?? '',
      command: draft.command,
      policy: read.policy,
      expiresAt: read.expiresAt,
    },
  }
  return (
    <SigningForm
      title={t`New grant`}
      description={t`Let a person, app, agent or device do something, until a date.`}
      preview={preview}
      action={sign}
      submit={<Trans>Sign the grant</Trans>}
      disabled={snapshot.phase !== 'unlocked'}
      needed={neededFields(read)}
      start={
        <TemplateList
          onPick={(template) => setDraft(fromTemplate(draft, template))}
          offered={offered}
          own={<OwnTemplates onPick={(template) => setDraft(fromOwnTemplate(draft, template, Date.now()))} />}
        />
      }
    >
      <GrantFields
        beginning={beginning}
        draft={draft}
        onDraftChange={(next) => {
          sign.clear()
          setDraft(next)
        }}
        read={read}
        strict={strict}
        commandHint={t`A command, such as /msg/send. It covers everything under it.`}
        ends={expiryOptions()}
      />
      <SaveTemplate answers={toOwnTemplate(draft, read, now)} label={draft.label} />
      <KeyChoice
        label={t`Signed with`}
        keys={snapshot.keys}
        chosen={key}
        onChoose={(keyId) => setDraft({ ...draft, keyId })}
      />
    </SigningForm>
  )
}
