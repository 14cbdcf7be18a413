import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fingerprint } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { Spinner } from '../ui/buttons/spinner.tsx'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { PassphraseField } from '../ui/fields/passphrase-field.tsx'
import { UsernameHint } from '../ui/fields/username-hint.tsx'
import { KINDS, kindName } from '../words/unlock-kinds.ts'
import type { EnteredProof } from './use-unlock-proof.ts'

interface UnlockProofFieldsProps {
  proof: EnteredProof
  /** The label of the passphrase field, if "Passphrase" would be unclear. */
  label?: string
  hint?: ReactNode
  /** Why the proof was refused, in words. */
  error?: string | undefined
  autoFocus?: boolean
  disabled?: boolean
  /** Something was typed or another kind chosen, so an older refusal no longer applies. */
  onChange?: () => void
}

/** The fields for the chosen kind of proof, and a way to switch to the account's other kinds. */
export function UnlockProofFields({
  proof,
  label,
  hint,
  error,
  autoFocus = false,
  disabled = false,
  onChange,
}: UnlockProofFieldsProps) {
  const { i18n } = useLingui()
  const { kind, kinds, loading, chosen } = proof
  const { label: name } = useVaultSnapshot()
  if (loading) {
    return (
      <p role="status" className="flex min-h-11 items-center gap-2 text-ink-soft text-sm">
        <Spinner /> <Trans>Finding out how this vault unlocks…</Trans>
      </p>
    )
  }
  const others = kinds.filter((each) => each !== kind)
  const { typed } = KINDS[kind]
  // The form's own label is about the passphrase.
  const own = kind === 'passphrase' ? { label, hint } : {}
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {typed === undefined ? (
        <PasskeyAsked hint={hint} error={error} focused={chosen} />
      ) : (
        <Fragment key={kind}>
          <UsernameHint name={name} />
          <PassphraseField
            label={own.label ?? kindName(kind)}
            hint={own.hint ?? (typed.hint && i18n._(typed.hint))}
            inputRef={proof.inputRef}
            autoComplete={typed.autoComplete}
            what={i18n._(typed.what)}
            autoFocus={autoFocus || chosen}
            disabled={disabled}
            error={error}
            onValueChange={() => onChange?.()}
          />
        </Fragment>
      )}
      {others.length > 0 ? (
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {others.map((other) => (
            <TextButton
              key={other}
              disabled={disabled}
              onClick={() => {
                proof.choose(other)
                onChange?.()
              }}
            >
              {i18n._(KINDS[other].instead)}
            </TextButton>
          ))}
        </div>
      ) : null}
    </div>
  )
}

interface PasskeyAskedProps {
  hint: ReactNode
  error: string | undefined
  /** Takes the focus, because the button that led here is gone. */
  focused: boolean
}

function PasskeyAsked({ hint, error, focused }: PasskeyAskedProps) {
  const words = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (focused) words.current?.focus()
  }, [focused])
  return (
    <div className="flex flex-col gap-1.5">
      <p
        ref={words}
        tabIndex={-1}
        className="flex items-start gap-3 rounded-control bg-sunken px-4 py-3 text-ink-soft text-sm"
      >
        <Fingerprint className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>
          {hint ? <>{hint} </> : null}
          <Trans>Your device asks for the passkey: a finger, a face, its PIN, or a security key.</Trans>
        </span>
      </p>
      {error ? (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      ) : null}
    </div>
  )
}
