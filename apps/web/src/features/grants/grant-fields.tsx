import { Choice } from '../../components/choice.tsx'
import { TextField } from '../../components/text-field.tsx'
import { PolicyEditor } from '../policy/policy-editor.tsx'
import { commandWords } from '../words/command.ts'
import type { GrantDraft, ReadDraft } from './draft.ts'
import { EXPIRY_OPTIONS, type ExpiryChoice } from './expiry.ts'

interface GrantFieldsProps {
  draft: GrantDraft
  onDraftChange: (draft: GrantDraft) => void
  read: ReadDraft
  /** Whether empty fields are told of as well: once the person has tried to send it. */
  strict: boolean
  /** Further words under the limits' and expiry's labels, when narrowing. */
  expiryHint?: string
  commandHint: string
  expiryOptions?: readonly { value: ExpiryChoice; label: string; note?: string }[]
}

/** The four questions of every grant: to whom, what, within which limits, until when. */
export function GrantFields({
  draft,
  onDraftChange,
  read,
  strict,
  expiryHint,
  commandHint,
  expiryOptions = EXPIRY_OPTIONS,
}: GrantFieldsProps) {
  const { problems } = read
  const shown = (value: string, problem: string | undefined) =>
    strict || value.trim() !== '' ? problem : undefined
  return (
    <>
      <TextField
        label="To whom"
        hint="The DID of the app, device, agent or person who gets it."
        mono
        placeholder="did:key:z6Mk…"
        value={draft.audience}
        onValueChange={(audience) => onDraftChange({ ...draft, audience })}
        error={shown(draft.audience, problems.audience)}
      />
      <TextField
        label="May do what"
        hint={
          problems.command === undefined ? (
            <>
              They may{' '}
              <strong className="font-semibold text-brass">{commandWords(draft.command.trim())}</strong>.
            </>
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
      <PolicyEditor
        limits={draft.limits}
        onLimitsChange={(limits) => onDraftChange({ ...draft, limits })}
        problem={problems.limits}
        rowProblems={problems.rows}
        policy={read.policy}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label="Until when"
          hint={expiryHint}
          options={expiryOptions}
          value={draft.expiry}
          onValueChange={(expiry) => onDraftChange({ ...draft, expiry })}
        />
        {draft.expiry === 'on' ? (
          <TextField
            label="Date and time"
            type="datetime-local"
            value={draft.expiresOn}
            onValueChange={(expiresOn) => onDraftChange({ ...draft, expiresOn })}
            error={shown(draft.expiresOn, problems.expiry)}
            className="sm:self-end"
          />
        ) : null}
      </div>
      <TextField
        label="A name for it"
        hint="For you alone; sealed with your keys, and no part of the token."
        placeholder="Photo backup on the old laptop"
        maxLength={120}
        value={draft.label}
        onValueChange={(label) => onDraftChange({ ...draft, label })}
      />
    </>
  )
}
