import { Field as BaseField } from '@base-ui/react/field'
import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { cx } from '../cx.ts'
import { CONTROL, Field, type FieldProps } from './field.tsx'

interface PassphraseFieldProps extends Omit<FieldProps, 'children'> {
  /** Where the passphrase is read from, once, when it is needed. */
  inputRef: RefObject<HTMLInputElement | null>
  /** "current-password" for an existing one, "new-password" for one being chosen, "off" for what no manager keeps. */
  autoComplete: 'current-password' | 'new-password' | 'off'
  /** What is typed, for the button that shows it: "passphrase", "recovery code". */
  what?: string
  onValueChange?: (value: string) => void
  autoFocus?: boolean
  disabled?: boolean
  /** Set once what is in it has to be read: it is shown then. */
  shows?: boolean
}

/**
 * A passphrase. Uncontrolled on purpose: a controlled input would be mirrored by React into the `value` attribute,
 * and so into the document's text.
 */
export function PassphraseField({
  inputRef,
  autoComplete,
  what,
  onValueChange,
  autoFocus = false,
  disabled = false,
  shows = false,
  ...field
}: PassphraseFieldProps) {
  // What is copied from paper is typed blind by nobody.
  const [shown, setShown] = useState(autoComplete === 'off')
  useEffect(() => {
    if (shows) setShown(true)
  }, [shows])
  const { t } = useLingui()
  const name = what ?? t`passphrase`
  const words = shown ? t`Hide the ${name}` : t`Show the ${name}`
  return (
    <Field {...field}>
      <div className="relative">
        <BaseField.Control
          ref={inputRef}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoFocus={autoFocus}
          disabled={disabled}
          onValueChange={(next) => onValueChange?.(next)}
          className={cx(CONTROL, 'h-11 pr-12', autoComplete === 'off' && 'font-mono text-sm')}
        />
        <button
          type="button"
          aria-label={words}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-1 right-1 grid w-9 place-items-center rounded-lg pointer-coarse:inset-y-0 pointer-coarse:right-0 pointer-coarse:w-11 text-ink-faint hover:bg-sunken hover:text-ink"
        >
          {shown ? <EyeOff className="size-4" aria-hidden /> : <Eye className="size-4" aria-hidden />}
        </button>
      </div>
    </Field>
  )
}
