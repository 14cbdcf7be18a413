import { Field as BaseField } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

/** What every control's box looks like. */
export const CONTROL =
  'w-full min-w-0 rounded-control border border-line-strong/70 bg-surface px-3 text-ink transition-colors ' +
  'hover:border-line-strong focus-visible:border-ink focus-visible:outline-offset-0 ' +
  'data-invalid:border-bad disabled:bg-sunken disabled:text-ink-faint'

export interface FieldProps {
  label: ReactNode
  /** Shown under the label: what to type, and what it means. */
  hint?: ReactNode | undefined
  /** What is wrong and what to do about it; its presence marks the field as invalid. */
  error?: ReactNode | undefined
  /** Hides the label from sight, not from assistive technology. */
  labelHidden?: boolean | undefined
  /** Stands at the right end of the label's line. */
  aside?: ReactNode | undefined
  className?: string | undefined
  children: ReactNode
}

/** A label, a control, a hint and an error, tied together for assistive technology. */
export function Field({ label, hint, error, labelHidden = false, aside, className, children }: FieldProps) {
  const invalid = error !== undefined && error !== null && error !== false && error !== ''
  return (
    <BaseField.Root invalid={invalid} className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={cx('flex items-baseline justify-between gap-3', labelHidden && !aside && 'sr-only')}>
        <BaseField.Label className={cx('font-medium text-sm', labelHidden && 'sr-only')}>
          {label}
        </BaseField.Label>
        {aside}
      </div>
      {hint ? (
        <BaseField.Description className="-mt-1 text-ink-faint text-sm">{hint}</BaseField.Description>
      ) : null}
      {children}
      <BaseField.Error match={invalid} className="text-bad text-sm" role="alert">
        {error}
      </BaseField.Error>
    </BaseField.Root>
  )
}
