import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The words for a refusal: what happened, and what to do, which may depend on its arguments. */
export interface Told<Args = never> {
  readonly title: MessageDescriptor
  readonly advice: MessageDescriptor | ((args: Args) => MessageDescriptor)
}

/** Something that no person can have caused. The error's details tell developers what it was. */
export const FAULT: Told<unknown> = {
  title: msg`That did not work.`,
  advice: msg`Nothing was changed. If it happens again, reload the page.`,
}

/** For when only one of the key-vault layer's codes is known. */
export const BY_CODE = {
  VAULT_NOT_INITIALIZED: {
    title: msg`No vault is open.`,
    advice: msg`Create one, or restore one from a backup file.`,
  },
  NOT_INITIALIZED: {
    title: msg`The vault is not ready yet.`,
    advice: msg`Wait a moment and do it again. If this keeps happening, reload the page.`,
  },
  VAULT_ALREADY_INITIALIZED: {
    title: msg`A vault is open already.`,
    advice: msg`Lock it, or switch to the other vault first.`,
  },
  VAULT_LOCKED: {
    title: msg`The vault is locked.`,
    advice: msg`Unlock it and do it again. What you typed is still here.`,
  },
  KEY_NOT_FOUND: {
    title: msg`This vault has no such key.`,
    advice: msg`It may have been deleted in another tab, or the token is not from this vault.`,
  },
  INVALID_KEY_TYPE: {
    title: msg`Keyhole doesn’t support keys of this type.`,
    advice: msg`Choose Ed25519, P-256 or secp256k1.`,
  },
  INVALID_PASSPHRASE: {
    title: msg`This passphrase does not open it.`,
    advice: msg`Check Caps Lock and the keyboard’s language, and type it again. Nothing is lost by trying.`,
  },
  WASM_NOT_LOADED: {
    title: msg`The vault’s engine did not load.`,
    advice: msg`Check the connection and reload the page. Your vault is untouched.`,
  },
  TIMEOUT: {
    title: msg`It took too long and was given up.`,
    advice: msg`Close other heavy tabs and try again. Nothing was changed.`,
  },
} as const satisfies Readonly<Record<string, Told<unknown>>>

/** The disk is full, or the browser's limit for this site is reached. */
export const NO_SPACE: Told<unknown> = {
  title: msg`This browser has no space left.`,
  advice: msg`Free some space on this device, or remove tokens you no longer need. What was stored before is still there.`,
}

/** What to do about a file that isn't a complete backup. */
export const WHOLE_BACKUP = msg`Choose the file again, whole, as Keyhole made it, or another copy of it. Nothing was changed.`

/** For a backup of an account other than the current one, and one of an account that is already here. */
export const OTHER_ACCOUNT = msg`This is the backup of another vault.`
export const ACCOUNT_HERE: Told<unknown> = {
  title: msg`This vault is in this browser already.`,
  advice: msg`Open it and unlock it, then merge the backup in.`,
}
