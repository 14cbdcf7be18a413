import type { UnlockMethod, UnlockProof } from '@keyhole/vault'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Told } from './refusals/by-code.ts'

/** The kinds of proof that an account is yours. */
export type UnlockKind = UnlockMethod['kind']

/** The words for a kind of proof, and how to enter one. */
interface KindWords {
  readonly name: MessageDescriptor
  /** The button that switches to it from another kind. */
  readonly instead: MessageDescriptor
  /** For when none was given. */
  readonly missing: MessageDescriptor
  /** For when it was wrong. Without it, the general words are used. */
  readonly wrong?: MessageDescriptor
  /** How it is typed. Without it, a device is asked for it. */
  readonly typed?: TypedKind
  /** The log's words for what is done with one: done, and only tried. */
  readonly acts: Readonly<Record<string, readonly [done: MessageDescriptor, tried: MessageDescriptor]>>
}

/** A kind of proof that is typed. */
export interface TypedKind {
  /** Its name within a sentence. */
  readonly what: MessageDescriptor
  readonly hint?: MessageDescriptor
  readonly autoComplete: 'off' | 'current-password'
  readonly toUnlockProof: (text: string) => UnlockProof
}

/** Everything the client says about each kind, and how it asks for it. */
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
    wrong: msg`This passkey doesn’t open it. It may have been removed from this vault: use another method.`,
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
    acts: { newRecoveryCode: [msg`Created a recovery code`, msg`Tried to create a recovery code`] },
  },
}

const COMPARE_CODE = msg`Compare it with your copy. You lose nothing by trying.`

/** The engine's refusals per kind, for when we don't know which kind was asked for. A passphrase has a code for that. */
export const UNLOCK_REFUSALS = {
  RecoveryCodeLength: {
    title: msg`A recovery code has 27 characters: some are missing, or there are too many.`,
    advice: COMPARE_CODE,
  },
  RecoveryCodeMistyped: { title: msg`A character of the recovery code is mistyped.`, advice: COMPARE_CODE },
  WrongPasskey: {
    title: msg`This passkey doesn’t open it.`,
    advice: msg`Try a different passkey, or unlock in a different way. Nothing is lost by trying.`,
  },
  WrongRecoveryCode: { title: msg`This recovery code doesn’t open it.`, advice: COMPARE_CODE },
} as const satisfies Readonly<Record<string, Told>>

/** The log's words for acts on unlock methods. @param at 0 for done, 1 for only tried */
export function unlockActs(at: 0 | 1): Readonly<Record<string, MessageDescriptor>> {
  const acts = Object.values(KINDS).flatMap((kind) => Object.entries(kind.acts))
  return Object.fromEntries(acts.map(([act, words]) => [act, words[at]]))
}

/** All kinds, for unlocking. */
export const UNLOCKING: readonly UnlockKind[] = ['passkey', 'passphrase', 'recovery_code']
/** The kinds that exporting, removing a method and showing a recovery code require. */
export const STRONG: readonly UnlockKind[] = ['passkey', 'passphrase']

/** The name of a kind of proof. */
export function kindName(kind: UnlockKind): string {
  return t(KINDS[kind].name)
}

/** An unlock method's name: its label, otherwise its kind. */
export function methodName({ kind, label }: UnlockMethod): string {
  return label || kindName(kind)
}

/**
 * The allowed kinds that an account has, in the order of `allowed`.
 * @param methods undefined if they could not be read: then nothing is ruled out
 */
export function kindsOf(
  methods: readonly UnlockMethod[] | undefined,
  allowed: readonly UnlockKind[],
): readonly UnlockKind[] {
  if (methods === undefined) return allowed
  return allowed.filter((kind) => methods.some((method) => method.kind === kind))
}

/** Why a method can't be removed from an account, in words. Undefined if it can. */
export function whyNotRemoved(methods: readonly UnlockMethod[], id: string): string | undefined {
  const left = methods.filter((method) => method.id !== id)
  if (left.length === 0) {
    return t`It’s the only one. Without it no one could open the vault, not even you. Add another first.`
  }
  if (left.some(({ kind }) => kind === 'passphrase')) return undefined
  const passkeys = left.filter(({ kind }) => kind === 'passkey').length
  if (passkeys === 0) {
    return t`A recovery code alone isn’t enough. Add a passphrase or a passkey first.`
  }
  if (left.length === 1) {
    return t`You’d have only one passkey, and you’d lose it with its device. Add another unlock method first.`
  }
  return undefined
}
