import type { ReactNode } from 'react'

interface TextButtonProps {
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

/** A way aside, lighter than a button: another field instead of this one. */
export function TextButton({ disabled = false, onClick, children }: TextButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className="reach min-h-6 rounded-sm text-left text-ink-soft text-sm underline decoration-line-strong underline-offset-4 hover:text-ink disabled:opacity-55"
    >
      {children}
    </button>
  )
}
