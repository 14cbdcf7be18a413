import { type ReactNode, useId } from 'react'

interface SegmentsProps<V extends string> {
  label: string
  value: V
  onValueChange: (value: V) => void
  options: readonly {
    readonly value: V
    readonly label: string
    readonly icon?: ReactNode
    readonly lang?: string
  }[]
}

/** One of two or three, side by side. Radio buttons underneath: arrow keys move, and the choice is in force at once. */
export function Segments<V extends string>({ label, value, onValueChange, options }: SegmentsProps<V>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-ink-faint text-xs">{label}</legend>
      <div className="flex rounded-control bg-sunken p-1 scant:flex-wrap">
        {options.map((option) => (
          <label
            key={option.value}
            lang={option.lang}
            className="flex min-h-10 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-inner px-2 text-ink-soft text-sm hover:text-ink has-checked:bg-ink has-checked:font-medium has-checked:text-ink-inverse has-focus-visible:outline-2 has-focus-visible:outline-focus has-checked:forced-colors:outline-2 pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="sr-only"
            />
            {option.icon}
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
