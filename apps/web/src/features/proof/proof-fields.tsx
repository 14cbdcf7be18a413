import { useVaultSnapshot } from '@keyhole/vault-react'
import { Fingerprint } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { TextButton } from '../../components/text-button.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import type { ProofKind } from './kinds.ts'
import type { ProofInHand } from './use-proof.ts'

interface ProofFieldsProps {
  proof: ProofInHand
  /** What the passphrase's field is called where "Passphrase" would be unclear. */
  label?: string
  hint?: ReactNode
  /** What the proof was refused with, in words. */
  error?: string | undefined
  autoFocus?: boolean
  disabled?: boolean
  /** Something was typed, or another kind chosen: an older refusal is about something else. */
  onChange?: () => void
}

const INSTEAD: Readonly<Record<ProofKind, string>> = {
  passphrase: 'Use the passphrase instead',
  passkey: 'Use a passkey instead',
  recovery_code: 'Use the recovery code instead',
}

/** The fields of a proof: what the chosen kind needs, and a way to the other kinds that the account has. */
export function ProofFields({
  proof,
  label = 'Passphrase',
  hint,
  error,
  autoFocus = false,
  disabled = false,
  onChange,
}: ProofFieldsProps) {
  const { kind, kinds, loading } = proof
  const { label: name } = useVaultSnapshot()
  if (loading) {
    return (
      <p role="status" className="flex min-h-11 items-center gap-2 text-ink-soft text-sm">
        <Spinner /> Looking up how this vault opens…
      </p>
    )
  }
  const others = kinds.filter((each) => each !== kind)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {kind === 'passkey' ? (
        <PasskeyAsked hint={hint} error={error} />
      ) : (
        <Fragment key={kind}>
          <UsernameHint name={name} />
          <PassphraseField
            label={kind === 'passphrase' ? label : 'Recovery code'}
            hint={kind === 'passphrase' ? hint : 'Spaces, hyphens and capital letters do not matter.'}
            inputRef={proof.inputRef}
            autoComplete={kind === 'passphrase' ? 'current-password' : 'off'}
            what={kind === 'passphrase' ? 'passphrase' : 'recovery code'}
            autoFocus={autoFocus}
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
              {INSTEAD[other]}
            </TextButton>
          ))}
        </div>
      ) : null}
    </div>
  )
}

function PasskeyAsked({ hint, error }: { hint: ReactNode; error: string | undefined }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-start gap-3 rounded-control bg-sunken px-4 py-3 text-ink-soft text-sm">
        <Fingerprint className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>
          {hint ? <>{hint} </> : null}
          Your device asks for the passkey: a finger, a face, its PIN, or a security key.
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
