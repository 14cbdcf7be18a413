import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { memo, useId, useState } from 'react'
import { kindWord, statusWord } from '../../shared/search/words.ts'
import { type FilterName, KINDS, type ReadQuery, STATUSES } from '../../shared/search-index/query.ts'
import { cx } from '../../shared/ui/cx.ts'
import { Choice, type Option } from '../../shared/ui/fields/choice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'

const FURTHER: readonly FilterName[] = ['cmd', 'to', 'from', 'after', 'before', 'ends']

interface FiltersProps {
  filters: ReadQuery['filters']
  /** Undefined removes a filter. */
  onFilterChange: (name: FilterName, value: string | undefined) => void
}

export const Filters = memo(({ filters, onFilterChange }: FiltersProps) => {
  const { t } = useLingui()
  const id = useId()
  const used = FURTHER.filter((name) => filters[name] !== undefined).length
  const [open, setOpen] = useState(used > 0)
  const put = (name: FilterName) => (value: string) =>
    onFilterChange(name, value === 'any' ? undefined : value)
  const kinds: Option<string>[] = [
    { value: 'any', label: t`Everything` },
    ...KINDS.map((kind) => ({ value: kind, label: sentenceCase(kindWord(kind)) })),
  ]
  const statuses: Option<string>[] = [
    { value: 'any', label: t`Any` },
    ...STATUSES.map((status) => ({ value: status, label: sentenceCase(statusWord(status)) })),
  ]
  const chosen = (options: readonly Option<string>[], value = 'any') =>
    options.some((option) => option.value === value) ? value : 'any'
  return (
    <div className="flex flex-col gap-3">
      <div className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
        <Choice
          label={t`Kind`}
          options={kinds}
          value={chosen(kinds, filters.kind)}
          onValueChange={put('kind')}
        />
        <Choice
          label={t`Status`}
          options={statuses}
          value={chosen(statuses, filters.status)}
          onValueChange={put('status')}
        />
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex h-11 cursor-pointer items-center justify-center gap-2 rounded-control border border-line-strong bg-surface px-4 font-medium text-sm hover:bg-sunken"
        >
          {used === 0 ? <Trans>More filters</Trans> : <Trans>More filters ({used})</Trans>}
          <ChevronDown className={cx('size-4', open && 'rotate-180')} aria-hidden />
        </button>
      </div>
      <div id={id} hidden={!open} className="grid gap-3 sm:grid-cols-3">
        <TextField
          label={t`Command`}
          placeholder="/payment"
          mono
          value={filters.cmd ?? ''}
          onValueChange={put('cmd')}
        />
        <TextField
          label={t`To`}
          placeholder={t`Name, or part of a DID`}
          value={filters.to ?? ''}
          onValueChange={put('to')}
        />
        <TextField
          label={t`From`}
          placeholder={t`Name, or part of a DID`}
          value={filters.from ?? ''}
          onValueChange={put('from')}
        />
        <TextField
          label={t`Stored on or after`}
          type="date"
          value={filters.after ?? ''}
          onValueChange={put('after')}
        />
        <TextField
          label={t`Stored before`}
          type="date"
          value={filters.before ?? ''}
          onValueChange={put('before')}
        />
        <TextField
          label={t`Expires on or before`}
          type="date"
          value={filters.ends ?? ''}
          onValueChange={put('ends')}
        />
      </div>
    </div>
  )
})

function sentenceCase(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
