import { Braces, Plus, Rows3, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Notice } from '../../components/notice.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { TextField } from '../../components/text-field.tsx'
import { type GrantDraft, switchLimits } from '../grants/draft.ts'
import { letsMissingThrough } from '../words/policy.ts'
import type { Row } from './rows.ts'

const OPERATORS: readonly { value: Row['operator']; label: string }[] = [
  { value: '==', label: 'is' },
  { value: '!=', label: 'is not' },
  { value: '<=', label: 'is at most' },
  { value: '<', label: 'is less than' },
  { value: '>=', label: 'is at least' },
  { value: '>', label: 'is more than' },
  { value: 'like', label: 'fits the pattern' },
]

interface PolicyEditorProps {
  limits: GrantDraft['limits']
  onLimitsChange: (limits: GrantDraft['limits']) => void
  /** What is wrong with the JSON. */
  problem?: string | undefined
  /** What is wrong with a row, by its id. */
  rowProblems: Readonly<Record<number, string>>
  /** The policy as it was read, to warn of what it lets through. */
  policy: readonly unknown[]
}

/** The limits of a grant: as rows of field, comparison and value, or as the policy's own JSON. */
export function PolicyEditor({ limits, onLimitsChange, problem, rowProblems, policy }: PolicyEditorProps) {
  const [stuck, setStuck] = useState<string>()

  const change = (next: GrantDraft['limits']) => {
    setStuck(undefined)
    onLimitsChange(next)
  }
  const toggle = () => {
    const next = switchLimits(limits)
    if ('problem' in next) setStuck(next.problem)
    else change(next)
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <legend className="font-medium text-sm">Within which limits</legend>
        <Button
          tone="bare"
          size="small"
          onClick={toggle}
          icon={
            limits.mode === 'rows' ? (
              <Braces className="size-4" aria-hidden />
            ) : (
              <Rows3 className="size-4" aria-hidden />
            )
          }
        >
          {limits.mode === 'rows' ? 'Write as JSON' : 'Write as rows'}
        </Button>
      </div>
      {limits.mode === 'rows' ? (
        <RowList
          rows={limits.rows}
          problems={rowProblems}
          onRowsChange={(rows) => change({ mode: 'rows', rows })}
        />
      ) : (
        <TextArea
          label="Policy as JSON"
          labelHidden
          mono
          rows={6}
          value={limits.text}
          onValueChange={(text) => change({ mode: 'json', text })}
          placeholder='[["<=", ".amount", 5000]]'
          error={problem}
        />
      )}
      {stuck ? <Notice tone="warn">{stuck}</Notice> : null}
      {letsMissingThrough(policy) ? (
        <Notice tone="warn" title="A “not” lets through what is missing.">
          Where the field under it is left out of a request, the “not” holds. Add a limit that asks for the
          field.
        </Notice>
      ) : null}
    </fieldset>
  )
}

interface RowListProps {
  rows: readonly Row[]
  problems: Readonly<Record<number, string>>
  onRowsChange: (rows: readonly Row[]) => void
}

function RowList({ rows, problems, onRowsChange }: RowListProps) {
  const put = (row: Row) => onRowsChange(rows.map((other) => (other.id === row.id ? row : other)))
  const add = () => {
    const id = rows.reduce((most, row) => Math.max(most, row.id), -1) + 1
    onRowsChange([...rows, { id, field: '', operator: '==', value: '' }])
  }
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 ? (
        <p className="text-ink-faint text-sm">None yet: everything the command covers is allowed.</p>
      ) : (
        <p className="text-ink-faint text-sm">All of them must hold.</p>
      )}
      {rows.map((row, index) => (
        <div
          key={row.id}
          className="grid grid-cols-[1fr_auto] items-start gap-2 rounded-control bg-raised p-2 sm:grid-cols-[1fr_12rem_1fr_auto] sm:bg-transparent sm:p-0"
        >
          <TextField
            label={`Limit ${index + 1}: field`}
            labelHidden
            mono
            placeholder=".amount"
            value={row.field}
            onValueChange={(field) => put({ ...row, field })}
            error={row.field === '' && row.value === '' ? undefined : problems[row.id]}
            className="max-sm:col-start-1 max-sm:row-start-1"
          />
          <Choice
            label={`Limit ${index + 1}: comparison`}
            labelHidden
            options={OPERATORS}
            value={row.operator}
            onValueChange={(operator) => put({ ...row, operator })}
            className="max-sm:col-span-2"
          />
          <TextField
            label={`Limit ${index + 1}: value`}
            labelHidden
            mono
            placeholder={row.operator === 'like' ? '*@example.com' : '5000'}
            value={row.value}
            onValueChange={(value) => put({ ...row, value })}
            className="max-sm:col-span-2"
          />
          <Button
            tone="bare"
            aria-label={`Remove limit ${index + 1}`}
            className="px-3 max-sm:col-start-2 max-sm:row-start-1"
            onClick={() => onRowsChange(rows.filter((other) => other.id !== row.id))}
            icon={<X className="size-4" aria-hidden />}
          />
        </div>
      ))}
      <Button
        size="small"
        className="self-start"
        onClick={add}
        icon={<Plus className="size-4" aria-hidden />}
      >
        Add a limit
      </Button>
    </div>
  )
}
