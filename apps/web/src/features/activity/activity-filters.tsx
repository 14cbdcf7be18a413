import type { ActivityLine } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { actWords } from '../../shared/words/activity.ts'
import type { ActivityFilter } from './filter.ts'

interface ActivityFiltersProps {
  lines: readonly ActivityLine[]
  filter: ActivityFilter
  onChange: (filter: ActivityFilter) => void
}

/** Filters by words, act, outcome and days. It offers only acts that the log has or the address asks for. */
export function ActivityFilters({ lines, filter, onChange }: ActivityFiltersProps) {
  const { t, i18n } = useLingui()
  const acts = useMemo(() => {
    const names = [
      ...new Set([...lines.map(({ act }) => act), ...(filter.act === 'all' ? [] : [filter.act])]),
    ]
    return names
      .map((value) => ({ value, label: actWords(value) }))
      .sort((a, b) => a.label.localeCompare(b.label, i18n.locale))
  }, [lines, filter.act, i18n.locale])
  const put = (next: Partial<ActivityFilter>) => onChange({ ...filter, ...next })
  return (
    <search className="grid gap-3 max-sm:grid-cols-2 max-sm:[&>:first-child]:col-span-2 sm:max-lg:grid-cols-6 sm:max-lg:[&>*]:col-span-2 sm:max-lg:[&>:nth-child(-n+2)]:col-span-3 lg:grid-cols-[2fr_2fr_1.5fr_10rem_10rem]">
      <TextField
        label={t`Find`}
        type="search"
        placeholder={t`A name, command or ID`}
        value={filter.text}
        onValueChange={(text) => put({ text })}
      />
      <Choice
        label={t`Action`}
        value={filter.act}
        onValueChange={(act) => put({ act })}
        options={[{ value: 'all', label: t`Everything` }, ...acts]}
      />
      <Choice
        label={t`Outcome`}
        value={filter.outcome}
        onValueChange={(outcome) => put({ outcome })}
        options={[
          { value: 'all', label: t`Any` },
          { value: 'done', label: t`Done` },
          { value: 'refused', label: t`Refused or failed` },
        ]}
      />
      <TextField
        label={t`From`}
        type="date"
        max={filter.to || undefined}
        value={filter.from}
        onValueChange={(from) => put({ from })}
      />
      <TextField
        label={t`Until`}
        type="date"
        min={filter.from || undefined}
        value={filter.to}
        onValueChange={(to) => put({ to })}
      />
    </search>
  )
}
