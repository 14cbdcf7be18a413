import { Select } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { cx } from '../cx.ts'
import { CONTROL, Field, type FieldProps } from './field.tsx'

export interface Option<V extends string> {
  value: V
  label: string
  /** A second line in the list. */
  note?: string
}

interface ChoiceProps<V extends string> extends Omit<FieldProps, 'children'> {
  value: V
  onValueChange: (value: V) => void
  options: readonly Option<V>[]
  disabled?: boolean
}

/** One of a few: a select. */
export function Choice<V extends string>({
  value,
  onValueChange,
  options,
  disabled = false,
  ...field
}: ChoiceProps<V>) {
  return (
    <Field {...field}>
      <Select.Root<V>
        items={options.map(({ value, label }) => ({ value, label }))}
        value={value}
        onValueChange={(next) => next !== null && onValueChange(next)}
        disabled={disabled}
        modal={false}
      >
        <Select.Trigger
          className={cx(CONTROL, 'flex h-11 cursor-pointer items-center justify-between gap-2 text-left')}
        >
          <Select.Value className="truncate" />
          <Select.Icon className="text-ink-faint">
            <ChevronsUpDown className="size-4" aria-hidden />
          </Select.Icon>
        </Select.Trigger>
        <Select.Portal>
          <Select.Positioner className="z-50 outline-none" sideOffset={6} alignItemWithTrigger={false}>
            <Select.Popup className="kh-rise max-h-(--available-height) min-w-(--anchor-width) max-w-(--available-width) overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-pop">
              {options.map((option) => (
                <Select.Item
                  key={option.value}
                  value={option.value}
                  className="grid cursor-pointer grid-cols-[1rem_1fr] items-start gap-x-2 rounded-lg px-2 py-2 text-sm data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:outline-focus data-highlighted:-outline-offset-2"
                >
                  <Select.ItemIndicator className="col-start-1 pt-0.5">
                    <Check className="size-4" aria-hidden />
                  </Select.ItemIndicator>
                  <div className="col-start-2">
                    <Select.ItemText>{option.label}</Select.ItemText>
                    {option.note ? <p className="text-ink-faint text-xs">{option.note}</p> : null}
                  </div>
                </Select.Item>
              ))}
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </Field>
  )
}
