import { Field as BaseField } from '@base-ui/react/field'
import type { RefObject } from 'react'
import { cx } from '../cx.ts'
import { CONTROL, Field, type FieldProps } from './field.tsx'
import { usePasteGuard } from './use-paste-guard.ts'

interface SecretAreaProps extends Omit<FieldProps, 'children'> {
  /** Where the text is read from, once, when it is needed. */
  inputRef: RefObject<HTMLTextAreaElement | null>
  onChange?: () => void
  rows?: number
  disabled?: boolean
}

/** Several lines that are secret: a private key, a phrase. Uncontrolled, as a passphrase's field is, and for its reason. */
export function SecretArea({
  inputRef,
  onChange,
  rows = 4,
  disabled = false,
  error,
  ...field
}: SecretAreaProps) {
  const guard = usePasteGuard()
  return (
    <Field {...field} error={guard.refused ?? error}>
      <BaseField.Control
        render={
          <textarea
            ref={inputRef}
            rows={rows}
            onPaste={guard.onPaste}
            autoCapitalize="none"
            autoCorrect="off"
          />
        }
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        onValueChange={() => onChange?.()}
        className={cx(CONTROL, 'resize-y break-all py-2.5 font-mono text-sm')}
      />
    </Field>
  )
}
