import { Trans } from '@lingui/react/macro'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { cx } from '../cx.ts'
import { Failure } from '../feedback/failure.tsx'

interface FormProps extends Pick<ComponentProps<'form'>, 'id' | 'className' | 'onKeyDown' | 'children'> {
  onSubmit: () => void
}

/**
 * Fields that are handed in together. Each field says what is wrong with it; after a press that was refused for some, the focus is in the
 * first of them, which may be out of sight.
 */
export function Form({ onSubmit, className = 'flex flex-col gap-4', ...props }: FormProps) {
  return (
    <form
      {...props}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        // React passes it on to the form around a dialog's portal, which would then sign.
        event.stopPropagation()
        onSubmit()
        const form = event.currentTarget
        requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      }}
    />
  )
}

interface FormEndProps {
  /** What submitting runs. */
  action: { readonly pending: boolean; readonly error?: unknown }
  /** What the button says. */
  children: ReactNode
  /** The id of the form, where this stands outside of it. */
  form?: string
  icon?: ReactNode
  tone?: 'primary' | 'quiet'
  disabled?: boolean
  /** Why nothing can be handed in. It is above the button, which is disabled then. */
  why?: string | undefined
  /**
   * The labels of the fields that are still empty or wrong, in the form's order. They are named above the button, which then looks less
   * ready: a press goes to the first of them.
   */
  needed?: readonly string[]
  /** Between what went wrong and the button: how far it is. */
  progress?: ReactNode
  /** Stops it, where that can be done: there is a button for it while it is under way. */
  onStop?: () => void
  className?: string
}

/** How a form ends: what it was refused with, and the button that hands it in, busy while it is under way. */
export function FormEnd({
  action,
  children,
  form,
  icon,
  tone = 'primary',
  disabled = false,
  why,
  needed = [],
  progress,
  onStop,
  className = 'self-start',
}: FormEndProps) {
  const id = useId()
  const fields = needed.join(', ')
  const isNamed = why === undefined && fields !== ''
  const button = (
    <Button
      tone={isNamed ? 'quiet' : tone}
      aria-describedby={isNamed ? id : undefined}
      type="submit"
      form={form}
      busy={action.pending}
      disabled={disabled}
      why={why}
      icon={icon}
      className={className}
    >
      {children}
    </Button>
  )
  return (
    <>
      <Failure error={action.error} />
      {progress}
      {why === undefined ? null : <p className="w-full text-ink-soft text-sm">{why}</p>}
      {isNamed ? (
        <p id={id} className={cx('text-sm', className)}>
          <Trans>Missing or wrong: {fields}</Trans>
        </p>
      ) : null}
      {onStop === undefined ? (
        button
      ) : (
        <div className="flex flex-wrap gap-2">
          {button}
          {action.pending ? (
            <Button tone="bare" onClick={onStop}>
              <Trans>Stop</Trans>
            </Button>
          ) : null}
        </div>
      )}
    </>
  )
}
