import { type ReactNode, useId } from 'react'
import { cx } from '../cx.ts'

interface RadioCard<V extends string> {
  value: V
  label: string
  note: string
}

interface RadioCardsProps<V extends string> {
  label: ReactNode
  value: V
  onValueChange: (value: V) => void
  options: readonly RadioCard<V>[]
  disabled?: boolean
}

/** One of a few that each need a line of explanation. Arrow keys move between them. */
export function RadioCards<V extends string>({
  label,
  value,
  onValueChange,
  options,
  disabled = false,
}: RadioCardsProps<V>) {
  const name = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" disabled={disabled}>
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className={cx('grid gap-2', options.length === 3 ? 'sm:grid-cols-3' : 'sm:grid-cols-2')}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer items-start gap-2.5 rounded-control border border-line-strong/70 bg-surface p-3 transition-colors hover:border-line-strong has-checked:border-ink has-checked:shadow-[inset_0_0_0_1px_var(--ink)] has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-line-strong outline-none checked:border-5 checked:border-ink disabled:opacity-55 forced-colors:appearance-auto"
            />
            <span className="min-w-0">
              <span className="block font-medium text-sm">{option.label}</span>
              <span className="block text-ink-soft text-xs">{option.note}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
