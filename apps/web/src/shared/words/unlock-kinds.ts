import type { UnlockMethod } from '@keyhole/vault'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

/** What a person can prove with that an account is theirs. */
export type ProofKind = 'passphrase' | 'passkey' | 'recovery_code'

/** Every kind: what unlocks. */
export const UNLOCKING: readonly ProofKind[] = ['passkey', 'passphrase', 'recovery_code']
/** What exporting, removing a method and showing a recovery code ask for. */
export const STRONG: readonly ProofKind[] = ['passkey', 'passphrase']

const KIND_NAMES: Readonly<Record<ProofKind, MessageDescriptor>> = {
  passphrase: msg`Passphrase`,
  passkey: msg`Passkey`,
  recovery_code: msg`Recovery code`,
}

/** What a kind of proof is called. */
export function kindName(kind: ProofKind): string {
  return t(KIND_NAMES[kind])
}

/** What an unlock method is called: its label, else its kind. */
export function methodName({ kind, label }: UnlockMethod): string {
  return label || kindName(kind)
}

/**
 * The kinds that an account has, of those that are allowed, in the order of `allowed`.
 * @param methods undefined where they could not be read: then nothing is ruled out
 */
export function kindsOf(
  methods: readonly UnlockMethod[] | undefined,
  allowed: readonly ProofKind[],
): readonly ProofKind[] {
  if (methods === undefined) return allowed
  return allowed.filter((kind) => methods.some((method) => method.kind === kind))
}

/** What stands between an account and the removal of a method, in words; undefined where it may go. */
export function whyNotRemoved(methods: readonly UnlockMethod[], id: string): string | undefined {
  const left = methods.filter((method) => method.id !== id)
  if (left.length === 0) {
    return t`It is the only one. Without it nobody could open the vault, you neither. Add another first.`
  }
  if (left.some(({ kind }) => kind === 'passphrase')) return undefined
  const passkeys = left.filter(({ kind }) => kind === 'passkey').length
  if (passkeys === 0) {
    return t`A recovery code alone is not enough to live with. Add a passphrase or a passkey first.`
  }
  if (left.length === 1) {
    return t`A single passkey would be left, and it is gone with its device. Add another passkey, a passphrase or a recovery code first.`
  }
  return undefined
}
