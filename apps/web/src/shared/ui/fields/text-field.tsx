import { Field as BaseField } from '@base-ui/react/field'
import type { ComponentProps } from 'react'
import { cx } from '../cx.ts'
import { CONTROL, Field, type FieldProps } from './field.tsx'
import { usePasteGuard } from './use-paste-guard.ts'

interface TextFieldProps
  extends Omit<FieldProps, 'children'>,
    Pick<
      ComponentProps<'input'>,
      | 'role'
      | 'aria-expanded'
      | 'aria-controls'
      | 'aria-activedescendant'
      | 'aria-autocomplete'
      | 'autoComplete'
      | 'autoFocus'
      | 'autoCapitalize'
      | 'autoCorrect'
      | 'spellCheck'
      | 'inputMode'
      | 'placeholder'
      | 'type'
      | 'min'
      | 'max'
      | 'maxLength'
      | 'name'
      | 'onFocus'
      | 'ref'
    > {
  value: string
  onValueChange: (value: string) => void
  mono?: boolean
  disabled?: boolean
}

/** One line of text. */
export function TextField({
  value,
  onValueChange,
  mono = false,
  disabled = false,
  label,
  hint,
  error,
  labelHidden,
  aside,
  className,
  ...input
}: TextFieldProps) {
  const guard = usePasteGuard()
  return (
    <Field
      label={label}
      hint={hint}
      error={guard.refused ?? error}
      labelHidden={labelHidden}
      aside={aside}
      className={className}
    >
      <BaseField.Control
        autoComplete="off"
        spellCheck={!mono}
        {...(mono && { autoCapitalize: 'none', autoCorrect: 'off' })}
        {...input}
        disabled={disabled}
        value={value}
        onPaste={guard.onPaste}
        onValueChange={(next) => guard.admits(next) && onValueChange(next)}
        className={cx(CONTROL, 'h-11', mono && 'font-mono text-sm')}
      />
    </Field>
  )
}
