import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

export type ButtonTone = 'primary' | 'quiet' | 'bare' | 'danger'
export type ButtonSize = 'normal' | 'small'

const BASE =
  'inline-flex select-none items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors ' +
  'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55'

const TONES: Record<ButtonTone, string> = {
  primary: 'bg-ink text-ink-inverse hover:bg-ink-soft',
  quiet: 'border border-line-strong/50 bg-surface text-ink hover:bg-sunken hover:border-line-strong',
  bare: 'text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-bad-fill text-[#ffffff] hover:brightness-95',
}

const SIZES: Record<ButtonSize, string> = {
  normal: 'min-h-11 px-4 text-[0.9375rem]',
  small: 'min-h-9 px-3 text-sm',
}

/** The look of a button, for links that act as one. */
export function buttonClass(
  tone: ButtonTone = 'quiet',
  size: ButtonSize = 'normal',
  className?: string,
): string {
  return cx(BASE, TONES[tone], SIZES[size], className)
}

interface ButtonProps extends Omit<ComponentProps<typeof BaseButton>, 'className'> {
  tone?: ButtonTone
  size?: ButtonSize
  icon?: ReactNode
  /** While true the button keeps its focus, shows a spinner and takes no second press. */
  busy?: boolean
  className?: string | undefined
}

/** A button of the design. `type` is "button" unless said otherwise, so that none submits by accident. */
export function Button({
  tone = 'quiet',
  size = 'normal',
  icon,
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <BaseButton
      type="button"
      {...rest}
      disabled={busy || rest.disabled === true}
      focusableWhenDisabled={busy}
      aria-busy={busy || undefined}
      className={buttonClass(tone, size, className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </BaseButton>
  )
}
