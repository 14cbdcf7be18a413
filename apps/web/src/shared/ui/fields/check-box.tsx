import type { ReactNode } from 'react'
import { TickBox } from './tick-box.tsx'

interface CheckBoxProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}

/** One thing to have or not. The whole line can be pressed. */
export function CheckBox({ label, hint, ...box }: CheckBoxProps) {
  return (
    <label className="flex cursor-pointer items-start gap-3 pointer-coarse:py-3 has-disabled:cursor-not-allowed">
      <span className="mt-0.5">
        <TickBox {...box} />
      </span>
      <span className="min-w-0">
        <span className="block font-medium text-sm">{label}</span>
        {hint ? <span className="block text-ink-faint text-sm">{hint}</span> : null}
      </span>
    </label>
  )
}
