import { Trans, useLingui } from '@lingui/react/macro'
import type { Ref } from 'react'
import { AudienceField } from '../../shared/grant-form/audience-field.tsx'
import type { GrantDraft, ReadDraft } from '../../shared/grant-form/draft.ts'
import type { expiryOptions } from '../../shared/grant-form/expiry.ts'
import { PolicyEditor } from '../../shared/policy-editor/policy-editor.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { commandWords } from '../../shared/words/command.ts'
import { CommandChips } from './command-chips.tsx'

interface GrantFieldsProps {
  /** The first field. */
  beginning?: Ref<HTMLInputElement>
  draft: GrantDraft
  onDraftChange: (draft: GrantDraft) => void
  read: ReadDraft
  /** Whether empty fields are told of as well: once the person has tried to send it. */
  strict: boolean
  commandHint: string
  /** Whether this passes on what has limits of its own. */
  isWithin?: boolean
  ends: ReturnType<typeof expiryOptions>
}

/** The questions of every grant: who, what they can do within which limits, and when it expires; and its name. */
export function GrantFields({
  beginning,
  draft,
  onDraftChange,
  read,
  strict,
  commandHint,
  isWithin = false,
  ends,
}: GrantFieldsProps) {
  const { t } = useLingui()
  const { problems } = read
  const shown = (value: string, problem: string | undefined) =>
    strict || value.trim() !== '' ? problem : undefined
  const what = commandWords(draft.command.trim())
  return (
    <>
      <AudienceField
        field={beginning}
        value={draft.audience}
        onValueChange={(audience) => onDraftChange({ ...draft, audience })}
        error={shown(draft.audience, problems.audience)}
      />
      <TextField
        label={t`What they can do`}
        hint={
          problems.command === undefined ? (
            <Trans>
              They can <strong className="font-semibold">{what}</strong>.
            </Trans>
          ) : (
            commandHint
          )
        }
        mono
        placeholder="/msg/send"
        value={draft.command}
        onValueChange={(command) => onDraftChange({ ...draft, command })}
        error={shown(draft.command, problems.command)}
      />
      {draft.command.trim() === '' ? (
        <CommandChips onPick={(command) => onDraftChange({ ...draft, command })} />
      ) : null}
      <PolicyEditor
        draft={draft.limits}
        onDraftChange={(limits) => onDraftChange({ ...draft, limits })}
        read={read.limits}
        command={draft.command.trim()}
        isWithin={isWithin}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label={t`Expires`}
          options={ends}
          value={draft.expiry}
          onValueChange={(expiry) => onDraftChange({ ...draft, expiry })}
        />
        {draft.expiry === 'on' ? (
          <TextField
            label={t`Date and time`}
            type="datetime-local"
            value={draft.expiresOn}
            onValueChange={(expiresOn) => onDraftChange({ ...draft, expiresOn })}
            error={shown(draft.expiresOn, problems.expiry)}
            className="sm:self-end"
          />
        ) : null}
      </div>
      <TextField
        label={t`Your name for it`}
        hint={t`Only you see it. It isn’t part of the token.`}
        placeholder={t`Photo backup on the old laptop`}
        maxLength={120}
        value={draft.label}
        onValueChange={(label) => onDraftChange({ ...draft, label })}
      />
    </>
  )
}
