import type { ReactNode } from 'react'

interface CheckBoxProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}

/** One thing to have or not. The whole line can be pressed. */
export function CheckBox({ label, hint, checked, onCheckedChange, disabled = false }: CheckBoxProps) {
  return (
    <label className="flex cursor-pointer items-start gap-3 pointer-coarse:py-3 has-disabled:cursor-not-allowed">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className="mt-0.5 size-5 shrink-0 cursor-[inherit] accent-ink"
      />
      <span className="min-w-0">
        <span className="block font-medium text-sm">{label}</span>
        {hint ? <span className="block text-ink-faint text-sm">{hint}</span> : null}
      </span>
    </label>
  )
}
