import { Check } from 'lucide-react'
import { cx } from '../cx.ts'

interface TickBoxProps {
  /** What it chooses, where no words beside it say so. */
  label?: string
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}

/** A box to tick. It isn't the browser's own, which in dark looks disabled while it is empty. */
export function TickBox({ label, checked, onCheckedChange, disabled = false }: TickBoxProps) {
  return (
    <span className={cx('relative grid size-5 shrink-0', disabled && 'opacity-50')}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className={cx(
          'size-5 cursor-[inherit] appearance-none rounded-inner border',
          checked ? 'border-ink bg-ink' : cx('border-line-strong', disabled ? 'bg-sunken' : 'bg-surface'),
        )}
      />
      {checked ? (
        <Check
          className="pointer-events-none absolute top-0.5 left-0.5 size-4 stroke-3 text-ink-inverse"
          aria-hidden
        />
      ) : null}
    </span>
  )
}
