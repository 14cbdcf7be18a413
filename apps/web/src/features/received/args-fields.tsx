import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { TextButton } from '../../shared/ui/buttons/text-button.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { fieldName } from '../../shared/words/policy.ts'
import { type ArgsDraft, argsAsJson, NO_ARGS, type PolicyField } from './args.ts'

interface ArgsFieldsProps {
  fields: readonly PolicyField[]
  draft: ArgsDraft
  onDraftChange: (draft: ArgsDraft) => void
  problem: string | undefined
  /** The paths of the fields that have to be filled in first. */
  missing: readonly string[]
}

/** The arguments of a request: a field for each one the policy mentions, extra rows for others, or all of it as JSON. */
export function ArgsFields({ fields, draft, onDraftChange, problem, missing }: ArgsFieldsProps) {
  const { t } = useLingui()
  if (draft.mode === 'json') {
    return (
      <div className="flex flex-col items-start gap-2">
        <TextArea
          label={t`Arguments as JSON`}
          mono
          rows={6}
          value={draft.text}
          onValueChange={(text) => onDraftChange({ mode: 'json', text })}
          error={problem}
          className="w-full"
        />
        <TextButton onClick={() => onDraftChange(NO_ARGS)}>
          <Trans>Start over with fields</Trans>
        </TextButton>
      </div>
    )
  }
  const { values, more } = draft
  const put = (id: number, change: { path?: string; value?: string }) =>
    onDraftChange({ ...draft, more: more.map((row) => (row.id === id ? { ...row, ...change } : row)) })
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-medium text-sm">
        <Trans>Arguments</Trans>
      </legend>
      {fields.map(({ path, limits, preset }) => (
        <TextField
          key={path}
          label={fieldName(path)}
          hint={limits.join('; ')}
          error={missing.includes(path) ? t`Fill this in.` : undefined}
          value={values[path] ?? preset ?? ''}
          onValueChange={(value) => onDraftChange({ ...draft, values: { ...values, [path]: value } })}
        />
      ))}
      {more.map(({ id, path, value }, index) => (
        <ExtraRow
          key={id}
          place={index + 1}
          path={path}
          value={value}
          onChange={(change) => put(id, change)}
          onRemove={() => onDraftChange({ ...draft, more: more.filter((row) => row.id !== id) })}
        />
      ))}
      {problem ? (
        <p role="alert" className="text-bad text-sm">
          {problem}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-4">
        <Button
          size="small"
          icon={<Plus className="size-4" aria-hidden />}
          onClick={() => {
            const id = Math.max(0, ...more.map((row) => row.id)) + 1
            onDraftChange({ ...draft, more: [...more, { id, path: '', value: '' }] })
          }}
        >
          <Trans>Add an argument</Trans>
        </Button>
        <TextButton onClick={() => onDraftChange(argsAsJson(draft, fields))}>
          <Trans>Write them as JSON</Trans>
        </TextButton>
      </div>
    </fieldset>
  )
}

interface ExtraRowProps {
  place: number
  path: string
  value: string
  onChange: (change: { path?: string; value?: string }) => void
  onRemove: () => void
}

function ExtraRow({ place, path, value, onChange, onRemove }: ExtraRowProps) {
  const { t } = useLingui()
  // Focus a row that was just added: it's filled in next.
  const [fresh] = useState(path === '')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2">
      <TextField
        label={t`Argument ${place}: name`}
        value={path}
        onValueChange={(next) => onChange({ path: next })}
        autoFocus={fresh}
      />
      <TextField
        label={t`Argument ${place}: value`}
        value={value}
        onValueChange={(next) => onChange({ value: next })}
      />
      <Button
        tone="bare"
        className="px-2"
        aria-label={t`Remove argument ${place}`}
        onClick={onRemove}
        icon={<X className="size-4" aria-hidden />}
      />
    </div>
  )
}
