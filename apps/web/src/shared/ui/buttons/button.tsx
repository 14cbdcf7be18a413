import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps, ReactNode } from 'react'
import { type ButtonSize, type ButtonTone, buttonClass } from './button-class.ts'
import { Spinner } from './spinner.tsx'

export { buttonClass }

interface ButtonProps extends Omit<ComponentProps<typeof BaseButton>, 'className'> {
  tone?: ButtonTone
  size?: ButtonSize
  icon?: ReactNode
  /** While true the button keeps its focus, shows a spinner and takes no second press. */
  busy?: boolean
  /** Why it can't be pressed now. Then it is disabled, keeps its place in the tab order, and is described by this. */
  why?: string | undefined
  className?: string | undefined
}

/** A button of the design. `type` is "button" unless said otherwise, so that none submits by accident. */
export function Button({
  tone = 'quiet',
  size = 'normal',
  icon,
  busy = false,
  why,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <BaseButton
      type="button"
      {...rest}
      title={why ?? rest.title}
      disabled={busy || why !== undefined || rest.disabled === true}
      focusableWhenDisabled={busy || why !== undefined || rest.focusableWhenDisabled === true}
      aria-busy={busy || undefined}
      className={buttonClass(tone, size, className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </BaseButton>
  )
}
