import { Field as BaseField } from '@base-ui/react/field'
import type { KeyboardEvent, Ref } from 'react'
import { cx } from '../cx.ts'
import { CONTROL, Field, type FieldProps } from './field.tsx'
import { usePasteGuard } from './use-paste-guard.ts'

interface TextAreaProps extends Omit<FieldProps, 'children'> {
  ref?: Ref<HTMLTextAreaElement>
  value: string
  onValueChange: (value: string) => void
  rows?: number
  mono?: boolean
  placeholder?: string
  /** Called on Ctrl+Enter or Cmd+Enter: the way to send a text of several lines by keyboard. */
  onCommit?: (() => void) | undefined
}

/** Several lines of text. Tab leaves it, as it leaves every control; a paste of megabytes is turned away in words. */
export function TextArea({
  ref,
  value,
  onValueChange,
  rows = 4,
  mono = false,
  placeholder,
  onCommit,
  error,
  ...field
}: TextAreaProps) {
  const guard = usePasteGuard()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onCommit) {
      event.preventDefault()
      onCommit()
    }
  }
  return (
    <Field {...field} error={guard.refused ?? error}>
      <BaseField.Control
        render={<textarea ref={ref} rows={rows} onKeyDown={onKeyDown} onPaste={guard.onPaste} />}
        autoComplete="off"
        spellCheck={!mono}
        placeholder={placeholder}
        value={value}
        onValueChange={(next) => guard.admits(next) && onValueChange(next)}
        className={cx(CONTROL, 'resize-y py-2.5', mono && 'break-all font-mono text-sm')}
      />
    </Field>
  )
}
