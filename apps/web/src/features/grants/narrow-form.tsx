import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import {
  EMPTY_DRAFT,
  type GrantDraft,
  isGrantDraft,
  neededFields,
  ownLink,
  readDraft,
} from '../../shared/grant-form/draft.ts'
import { narrowOptions } from '../../shared/grant-form/expiry.ts'
import { GrantResult } from '../../shared/grant-form/grant-result.tsx'
import { SigningForm } from '../../shared/grant-form/signing-form.tsx'
import { useLinks } from '../../shared/grant-form/use-links.ts'
import { clearDraft, useDraft } from '../../shared/hooks/drafts.ts'
import { useRequestedForm } from '../../shared/hooks/requested-forms.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { heldCapability, storedCapability } from '../../shared/tokens/capability.ts'
import { HeldSentence } from '../../shared/tokens/held-sentence.tsx'
import { useBasis } from '../../shared/tokens/use-basis.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { covers } from '../../shared/words/covers.ts'
import { GrantFields } from './grant-fields.tsx'
import { narrowing } from './narrowing.ts'

interface NarrowFormProps {
  parent: StoredToken
  onDone: () => void
}

/** Passes on a held token, narrowed: never more than it allows, never longer than it lasts. */
export function NarrowForm({ parent, onDone }: NarrowFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { keys } = useVaultSnapshot()
  const contacts = useContacts()
  const now = useNow()
  const found = useBasis(parent, 'now or later')
  const held = found.state === 'held' ? found.basis : undefined
  const begin = useMemo<GrantDraft>(
    () => ({ ...EMPTY_DRAFT, command: parent.command, expiry: 'same' }),
    [parent.command],
  )
  const name = `narrow:${parent.id}`
  const [draft, setDraft] = useDraft(name, begin, isGrantDraft)
  const [strict, setStrict] = useState(false)
  const [signed, setSigned] = useState<StoredToken>()
  const beginning = useRequestedForm<HTMLInputElement>(narrowing(parent.cid), () => setSigned(undefined))

  const check = (at: number) => {
    const read = readDraft(draft, at)
    const command = draft.command.trim()
    if (read.problems.command || covers(parent.command, command)) return read
    const problem = t`You received ${parent.command}, which does not cover ${command}. Choose it or something under it.`
    return { ...read, ok: false, problems: { ...read.problems, command: problem } }
  }
  const read = check(now)
  const received = useMemo(
    () => held?.links ?? [{ command: parent.command, policy: parent.policy }],
    [held, parent],
  )
  const links = useLinks(ownLink(draft, read), received)
  const key = keys.find((candidate) => candidate.did === parent.audienceDid)
  // As the enclave signs it: the end and the subject are the chain's. A link alone may have neither.
  const chain = heldCapability(parent, held)
  const inherited = chain.expiresAt === undefined ? null : Math.floor(chain.expiresAt / 1000)
  const expiresAt = draft.expiry === 'same' ? inherited : read.expiresAt

  const sign = useAction(async () => {
    const checked = check(Date.now())
    setStrict(true)
    if (!checked.ok) return
    const label = draft.label.trim()
    const stored = await vault.tokens.narrow({
      parent_token: parent.token,
      leaf: parent.cid,
      audience_did: draft.audience.trim(),
      command: draft.command.trim(),
      policy: checked.policy,
      ...(checked.expiresAt !== undefined && { expires_at: checked.expiresAt }),
      ...(key && { key_id: key.key_id }),
      ...(label !== '' && { label }),
    })
    setSigned(stored)
    clearDraft(name)
  })

  if (signed) {
    // What was shown before it was signed.
    const capability = held && {
      ...storedCapability(signed),
      policy: [...held.policy, ...signed.policy],
      notBefore: held.notBefore,
      isEffective: true,
    }
    return (
      <GrantResult
        stored={signed}
        capability={capability}
        contacts={contacts}
        onAnother={onDone}
        another={t`Back to the list`}
      />
    )
  }
  const given = parent.label
  const preview = {
    inherited: held,
    contacts,
    links,
    ready: found.state !== 'reading' && !read.problems.audience && !read.problems.command,
    payload: {
      issuer: parent.audienceDid ?? parent.audience,
      audience: draft.audience,
      subject: chain.subject,
      command: draft.command,
      policy: read.policy,
      expiresAt,
    },
  }
  return (
    <SigningForm
      title={given === undefined ? t`Narrow and pass on` : t`Narrow and pass on “${given}”`}
      description={t`Your limits are added to the ones you were given. Nothing can be widened.`}
      actions={
        <Button size="small" tone="bare" onClick={onDone} icon={<ArrowLeft className="size-4" aria-hidden />}>
          <Trans>Back</Trans>
        </Button>
      }
      preview={preview}
      action={sign}
      submit={<Trans>Sign and pass on</Trans>}
      needed={neededFields(read)}
    >
      <HeldSentence stored={parent} found={found} contacts={contacts} />
      <GrantFields
        beginning={beginning}
        draft={draft}
        onDraftChange={(next) => {
          sign.clear()
          setDraft(next)
        }}
        read={read}
        strict={strict}
        commandHint={t`${parent.command}, or something under it.`}
        isWithin
        ends={narrowOptions()}
      />
    </SigningForm>
  )
}
