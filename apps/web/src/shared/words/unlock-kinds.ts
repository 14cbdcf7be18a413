import type { UnlockMethod, UnlockProof } from '@keyhole/vault'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Told } from './refusals/told.ts'

/** What a person can prove with that an account is theirs. */
export type UnlockKind = UnlockMethod['kind']

/** What is said of a kind of proof, and how one is given. */
interface KindWords {
  readonly name: MessageDescriptor
  /** The button that leads to it from another kind. */
  readonly instead: MessageDescriptor
  /** Where none was given. */
  readonly missing: MessageDescriptor
  /** Where it was wrong; none: the general words are right. */
  readonly wrong?: MessageDescriptor
  /** How it is typed; none: a device is asked for it. */
  readonly typed?: TypedKind
  /** What the log calls what is done with one: as it was done, and as it was only tried. */
  readonly acts: Readonly<Record<string, readonly [done: MessageDescriptor, tried: MessageDescriptor]>>
}

/** A kind of proof that is typed. */
export interface TypedKind {
  /** What is typed, within a sentence. */
  readonly what: MessageDescriptor
  readonly hint?: MessageDescriptor
  readonly autoComplete: 'off' | 'current-password'
  readonly toUnlockProof: (text: string) => UnlockProof
}

/** Everything that the client says of a kind, and all that it asks for it. */
export const KINDS: Readonly<Record<UnlockKind, KindWords>> = {
  passphrase: {
    name: msg`Passphrase`,
    instead: msg`Use the passphrase instead`,
    missing: msg`Type the passphrase of this vault.`,
    typed: {
      what: msg`passphrase`,
      autoComplete: 'current-password',
      toUnlockProof: (passphrase) => ({ passphrase }),
    },
    acts: {
      changePassphrase: [msg`Changed the passphrase`, msg`Tried to change the passphrase`],
      setPassphrase: [msg`Set the passphrase`, msg`Tried to set the passphrase`],
    },
  },
  passkey: {
    name: msg`Passkey`,
    instead: msg`Use a passkey instead`,
    missing: msg`Use a passkey of this vault.`,
    wrong: msg`This passkey does not open it. It may have been removed from this vault: use another method.`,
    acts: { addPasskey: [msg`Added a passkey`, msg`Tried to add a passkey`] },
  },
  recovery_code: {
    name: msg`Recovery code`,
    instead: msg`Use the recovery code instead`,
    missing: msg`Type the recovery code of this vault.`,
    wrong: msg`This recovery code does not open it. A newer one may have taken its place: look for that one.`,
    typed: {
      what: msg`recovery code`,
      hint: msg`Spaces, hyphens and capital letters do not matter.`,
      autoComplete: 'off',
      toUnlockProof: (recoveryCode) => ({ recoveryCode }),
    },
    acts: { newRecoveryCode: [msg`Made a recovery code`, msg`Tried to make a recovery code`] },
  },
}

const COMPARE_CODE = msg`Compare it with what was kept. Nothing is lost by trying.`

/** What the engine refuses of a kind, in words, where it is not known which kind was asked for; of a passphrase, its code has them. */
export const UNLOCK_REFUSALS = {
  RecoveryCodeLength: {
    title: msg`A recovery code has 27 characters: some are missing, or there are too many.`,
    advice: COMPARE_CODE,
  },
  RecoveryCodeMistyped: { title: msg`A character of the recovery code is mistyped.`, advice: COMPARE_CODE },
  WrongPasskey: {
    title: msg`This passkey doesn’t open it.`,
    advice: msg`Use another passkey, or another way to unlock. Nothing is lost by trying.`,
  },
  WrongRecoveryCode: { title: msg`This recovery code doesn’t open it.`, advice: COMPARE_CODE },
} as const satisfies Readonly<Record<string, Told>>

/** What the log calls what is done with unlock methods. @param at 0 as it was done, 1 as it was only tried */
export function unlockActs(at: 0 | 1): Readonly<Record<string, MessageDescriptor>> {
  const acts = Object.values(KINDS).flatMap((kind) => Object.entries(kind.acts))
  return Object.fromEntries(acts.map(([act, words]) => [act, words[at]]))
}

/** Every kind: what unlocks. */
export const UNLOCKING: readonly UnlockKind[] = ['passkey', 'passphrase', 'recovery_code']
/** What exporting, removing a method and showing a recovery code ask for. */
export const STRONG: readonly UnlockKind[] = ['passkey', 'passphrase']

/** What a kind of proof is called. */
export function kindName(kind: UnlockKind): string {
  return t(KINDS[kind].name)
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
  allowed: readonly UnlockKind[],
): readonly UnlockKind[] {
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
