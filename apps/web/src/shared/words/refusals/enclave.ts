import type { RefusalArgs, RefusalName, TokenErrorName } from '@keyhole/enclave'
import { msg } from '@lingui/core/macro'
import { UNLOCK_REFUSALS } from '../unlock-kinds.ts'
import { BY_CODE, FAULT, OTHER_ACCOUNT, type Told, WHOLE_BACKUP } from './by-code.ts'
import type { PaymentRefusalName } from './payment.ts'
import type { VAULT_REFUSALS } from './vault.ts'

const FEWER = msg`Remove one that you no longer need.`
/** The stored data was damaged or changed, or it wasn't written by Keyhole. */
const ALTERED: Told<unknown> = {
  title: msg`This vault’s stored data is damaged, or was altered.`,
  advice: msg`Restore the vault from a backup.`,
}
/** A backup that has a passphrase or a recovery code, but not the one that was given. */
const OTHER_WAY: Told<unknown> = {
  title: msg`This doesn’t open this backup.`,
  advice: msg`Open it with its passphrase or the recovery code, whichever it has.`,
}
const NO_SUCH_TYPE = BY_CODE.INVALID_KEY_TYPE.title

/** The engine's refusals in words, except those that the vault shares, and those about tokens and payments. */
export const ENCLAVE_REFUSALS: {
  readonly [Name in Exclude<
    RefusalName,
    TokenErrorName | PaymentRefusalName | keyof typeof VAULT_REFUSALS
  >]: Told<RefusalArgs>
} = {
  // Accounts and unlock methods.
  AccountTooLarge: {
    title: msg`This vault would become too large.`,
    advice: msg`Nothing was changed. Remove what you no longer need, then try again.`,
  },
  ClockWrong: {
    title: msg`This device’s clock is wrong.`,
    advice: msg`Set it, then try again.`,
  },
  KdfParameters: {
    title: msg`The passphrase is protected in a way that Keyhole doesn’t use.`,
    advice: msg`The file was altered, or wasn’t made by Keyhole. Try another copy of it.`,
  },
  KdfUnknown: {
    title: msg`The passphrase is protected in a way that needs a newer Keyhole.`,
    advice: msg`Open it where Keyhole is up to date.`,
  },
  LabelTooLong: {
    title: msg`This name is too long.`,
    advice: msg`It can have at most 200 characters.`,
  },
  LogFull: {
    title: msg`This vault has no room for more activity.`,
    advice: msg`Nothing was changed.`,
  },
  MethodNewer: {
    title: msg`This vault has a way to unlock that needs a newer Keyhole.`,
    advice: msg`Open it where Keyhole is up to date.`,
  },
  MethodNotFound: {
    title: msg`This vault has no such way to unlock.`,
    advice: msg`It may have been removed in another tab.`,
  },
  MethodUnusable: ALTERED,
  NoMemory: {
    title: msg`There isn’t enough memory to check a passphrase.`,
    advice: msg`Close other heavy tabs and try again. Nothing was changed.`,
  },
  NoRandomness: {
    title: msg`This device gave no random numbers.`,
    advice: msg`Nothing was made. Reload the page and try again.`,
  },
  PasskeyAlone: {
    title: msg`A passkey alone is lost with its device.`,
    advice: msg`Add a passphrase, a recovery code or another passkey first.`,
  },
  RecordInvalid: {
    title: msg`Something stored here was changed, or is from another vault.`,
    advice: msg`It was left unchanged. If something is missing, restore the vault from a backup.`,
  },
  RecoveryCodeAlone: {
    title: msg`A recovery code alone isn’t enough.`,
    advice: msg`Add a passphrase or a passkey first.`,
  },
  StateAltered: ALTERED,
  StateDamaged: ALTERED,
  StateNewer: {
    title: msg`This vault was last used by a newer version of Keyhole.`,
    advice: msg`Reload the page to get it.`,
  },
  StrongerProofNeeded: {
    title: msg`This needs the passphrase or a passkey.`,
    advice: msg`A recovery code isn’t enough for it: set a new passphrase first.`,
  },
  TooManyMethods: {
    title: msg`A vault has at most 32 ways to unlock.`,
    advice: FEWER,
  },
  VaultOpen: BY_CODE.VAULT_ALREADY_INITIALIZED,
  WrongPassphrase: BY_CODE.INVALID_PASSPHRASE,
  ...UNLOCK_REFUSALS,

  // Keys.
  FirstKey: {
    title: msg`The vault’s first key can’t be deleted.`,
    advice: msg`The account’s address is made from it.`,
  },
  KeyAlgorithm: {
    title: NO_SUCH_TYPE,
    advice: ({ found = '' }) =>
      msg`Its algorithm is ${found}. Keyhole supports Ed25519, P-256 and secp256k1.`,
  },
  KeyCurve: {
    title: NO_SUCH_TYPE,
    advice: msg`It’s on another curve, or doesn’t say on which. Keyhole supports Ed25519, P-256 and secp256k1.`,
  },
  KeyEncrypted: {
    title: msg`This private key is encrypted.`,
    advice: msg`Decrypt it first, for example with openssl pkey -in key.pem.`,
  },
  KeyHalvesDiffer: {
    title: msg`The two halves of this key don’t belong together.`,
    advice: msg`The text was altered. Copy it again from where you saved it.`,
  },
  KeyKnown: { title: msg`This vault has this key already.`, advice: msg`Nothing was changed.` },
  KeyNotFound: BY_CODE.KEY_NOT_FOUND,
  KeyRsa: {
    title: msg`This is an RSA key.`,
    advice: msg`Keyhole supports Ed25519, P-256 and secp256k1.`,
  },
  KeyTextTooLong: {
    title: msg`This text is too long to be a key.`,
    advice: msg`A key’s text has at most 8 KiB. Paste the key alone.`,
  },
  KeyTypeOfJwk: {
    title: NO_SUCH_TYPE,
    advice: msg`A JWK is of the type OKP with Ed25519, or EC with P-256 or secp256k1.`,
  },
  KeyTypeOfPhrase: {
    title: msg`A phrase can’t become a key of this type.`,
    advice: msg`Choose Ed25519 or secp256k1.`,
  },
  KeyTypeOther: {
    title: msg`This key is of another type than the one you chose.`,
    advice: ({ expected = '', found = '' }) => msg`You chose ${expected}, and it’s ${found}.`,
  },
  KeyTypeUnknown: BY_CODE.INVALID_KEY_TYPE,
  KeyWithoutCurve: {
    title: msg`This key doesn’t say which curve it’s on.`,
    advice: msg`Convert it to PKCS#8 first.`,
  },
  NoKeyAtPath: {
    title: msg`There’s no key at this path.`,
    advice: msg`Choose another number for its last step.`,
  },
  NotJwk: {
    title: msg`This isn’t the JWK of one private key.`,
    advice: msg`Paste all of it: a JSON object with kty, crv, d and x, and for EC with y.`,
  },
  NotPkcs8: {
    title: msg`This isn’t a private key in PKCS#8, or a part of it is missing.`,
    advice: msg`Paste all of it: PEM, or DER in base64 or hexadecimal.`,
  },
  NotPrivateKey: {
    title: msg`This PEM isn’t a private key.`,
    advice: msg`The first line of one is -----BEGIN PRIVATE KEY-----.`,
  },
  OpenSshKey: {
    title: msg`This key is in OpenSSH’s own format.`,
    advice: msg`Convert it to PKCS#8 first.`,
  },
  PathInvalid: {
    title: msg`This isn’t a path to a key.`,
    advice: msg`A path reads like m/44'/60'/0'/0/0, and has at most 16 steps.`,
  },
  PathNotHardened: {
    title: msg`Every step of a path to an Ed25519 key must be hardened.`,
    advice: msg`Put ' behind each number.`,
  },
  PathTooLong: { title: msg`This path is too long.`, advice: msg`A path has at most 256 characters.` },
  PathWithoutPhrase: {
    title: msg`Only a phrase of words has a path and a passphrase.`,
    advice: msg`Leave both empty for any other key.`,
  },
  PhrasePassphraseTooLong: {
    title: msg`This passphrase is too long.`,
    advice: msg`A phrase’s passphrase has at most 1,024 bytes.`,
  },
  PublicKeyOnly: {
    title: msg`This is a public key, without its private half.`,
    advice: msg`Choose the file with the private key.`,
  },
  SeveralKeys: {
    title: msg`There is more than one key in this text.`,
    advice: msg`Leave only the one with the private key.`,
  },
  TooManyKeys: {
    title: msg`A vault has at most 256 keys.`,
    advice: FEWER,
  },
  WordCount: {
    title: msg`A phrase has 12, 15, 18, 21 or 24 words.`,
    advice: ({ count = 0 }) => msg`This one has ${count}. Look whether one is missing, or there twice.`,
  },
  WordUnknown: {
    title: msg`A word of this phrase is not on the English list of BIP-39.`,
    advice: ({ place = 0 }) => msg`It is word ${place}. It may be mistyped: compare it with your copy.`,
  },
  WordsDoNotFit: {
    title: msg`The words do not fit each other.`,
    advice: msg`One is a different word from the list, or two are swapped.`,
  },

  // Backups.
  BackupNotVerified: {
    title: msg`The backup didn’t open again, so it was thrown away.`,
    advice: msg`Try again, or on another device.`,
  },
  BackupTooLong: { title: msg`This is too long to be a Keyhole backup.`, advice: WHOLE_BACKUP },
  BackupVersion: {
    title: msg`This isn’t a Keyhole backup, or it needs a newer version of Keyhole.`,
    advice: msg`Choose another file, or restore it where Keyhole is up to date. Nothing was changed.`,
  },
  BackupWithoutPassphrase: OTHER_WAY,
  BackupWithoutRecoveryCode: OTHER_WAY,
  ImportOfOtherAccount: {
    title: OTHER_ACCOUNT,
    advice: msg`Lock this one first, then restore the backup beside it.`,
  },
  NotBackup: { title: msg`This isn’t a Keyhole backup, or part of it is missing.`, advice: WHOLE_BACKUP },

  // Tokens and payments.
  AuthorisationDelivered: {
    title: msg`This payment may have been handed out already.`,
    advice: msg`It stays counted.`,
  },
  DidWithoutKey: {
    title: msg`This DID names no key that Keyhole can check.`,
    advice: msg`Compare it with where you have it from.`,
  },
  TooManyMandates: {
    title: msg`A vault has at most 256 mandates with a budget.`,
    advice: FEWER,
  },
  TooManyRequests: {
    title: msg`Too many payments were asked for within the hour.`,
    advice: msg`Nothing was signed. Ask again later.`,
  },

  // No person can cause these.
  BackupOutOfStep: FAULT,
  ChainIdInvalid: FAULT,
  ChangeNotLast: FAULT,
  Deriving: FAULT,
  Internal: FAULT,
  InvalidInput: FAULT,
  NoChangeToTakeBack: FAULT,
}
