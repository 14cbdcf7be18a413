import type { VaultErrorCode } from './codes.ts'

/** Whole numbers and short texts that a refusal is about. Never a secret. */
export type RefusalArgs = Readonly<Record<string, string | number>>

type Sentences = Readonly<Record<string, (args: never) => string>>

const OPERATION_FAILED = {
  // What a person can meet who opens, creates, restores or removes an account.
  AccountHere: () => 'This account is in this browser already. Open it and unlock it, then import.',
  AccountInPage: () => 'This account is in this page already. Open it and unlock it, then import.',
  AccountLeft: () =>
    'The account was left before this was done. Nothing was changed: open it again, then repeat.',
  AccountLost: () =>
    'What this browser kept of this account is gone. Restore it from its second copy or from a backup.',
  AccountNotHere: () => 'This account is not kept in this browser.',
  AccountNotLost: () => 'This account is not lost: it can be opened. Remove it where you want it gone.',
  AccountOpen: () => 'This account is open. Merge the backup into it instead.',
  AccountStateMissing: () => 'The state of this account is missing. Restore it from a backup.',
  AccountStateUnreadable: () =>
    'The stored state of this account cannot be read. It was left as it is: restore the account from a backup, or remove it.',
  AddressRequired: () => 'Account address is required',
  AutoLockTooShort: () => 'A vault locks itself after one minute of rest at the soonest, or never.',
  ChangedElsewhere: () =>
    'This account was changed elsewhere in the meantime. Lock it, unlock it and try again.',
  CopyDeleted: () =>
    'The second copy of this account has been deleted meanwhile: the account was forgotten in another tab. Restore it from a backup.',
  CopyFileDamaged: () =>
    'This file is damaged where the keys are. Try another copy of it. Nothing was changed.',
  CopyFileOfAccountHere: () =>
    'This file is of an account that is in this browser already. Nothing was changed.',
  CopyMissing: () => 'This account has no second copy here.',
  CopyOfOtherAccount: () => 'The second copy is of another account. Restore from a backup.',
  CopyPartDamaged: ({ id }: { id: string }) =>
    `A part of the second copy (${id}) was damaged. The copy has been written anew from the database.`,
  CopyWithoutKeys: () =>
    "The second copy of this account doesn't hold its keys. Restore the account from a backup.",
  MethodRequired: () => 'A new account needs a passphrase or a passkey to unlock it with.',
  OpenFromCopy: () =>
    'This vault is open from its second copy, where nothing can be saved. Write a backup, and restore it in another browser.',
  StateWithoutAddress: () => 'The sealed state given names no account.',
  StateWithoutRevision: () => 'The sealed state names no revision, so it was not stored.',
  StoresNothing: () => 'This vault stores nothing. Remove the account, then import its backup.',
  TabClosed: () => 'This tab is not open any more.',
  TooSoon: ({ failures, seconds }: { failures: number; seconds: number }) =>
    `That was wrong ${failures} times in a row. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then try again.`,
  VaultClosed: () => 'The vault was closed while it was starting.',

  // Backups.
  BackupDamaged: ({ how }: { how: string }) =>
    `This backup is damaged: ${how}. Try another copy of the file. Nothing was changed.`,
  BackupNewer: () => 'This backup was made by a newer version of Keyhole. Update this one, then import it.',
  BackupOfAccountHere: () =>
    'This backup is of an account that is in this browser already. Open and unlock it, then import.',
  BackupOfOtherAccount: () => 'This backup is of another account.',
  BackupTokenInvalid: () => 'This backup holds a token whose signature does not hold. Nothing was imported.',
  BackupUnreadable: () => 'This backup holds records that cannot be read. Nothing was imported.',
  OneBackupOpening: () => "A backup is opened by its passphrase or by the account's recovery code.",

  // Tokens and payments.
  InvalidPayment: (_: { why: 'ReceiptKey' }) => 'The key that this site names for its receipt is no did:key.',
  InvalidReceipt: ({ why, payee }: { why: ReceiptProblem; payee?: string }) => RECEIPT[why](payee),
  NoDelegation: () => 'This text holds no delegation.',
  NotDelegation: () => 'This token is not a delegation, so it cannot be kept here.',
  NotInvocation: () => 'This token is not an invocation, so it cannot be kept as one.',
  ReceiptExists: () => 'This payment has a receipt, and the first one stands.',
  TokenNotRestorable: () => 'This token cannot be put back any more.',
  TokensUnread: () => 'The tokens could not be read. Reload the page.',
  TokenUnreadable: () => 'The stored token cannot be read.',
  UnknownMandate: (_: { why: 'Unattended' }) =>
    'The vault approves a payment by itself only under a mandate: name one.',
  UnknownPayment: () => 'This receipt is about no payment of this account.',

  // Contacts.
  ContactDidInvalid: () => 'This is not a DID.',
  ContactDidOwn: () => 'This is the DID of a key of this account: it is nobody else.',
  ContactDidTaken: () => 'Another contact has this DID. Take it from that one first, or merge the two.',
  ContactDidsTooMany: ({ most }: { most: number }) => `A contact can have at most ${most} DIDs.`,
  ContactNameIsDid: () => 'A name cannot look like a DID.',
  ContactNameRequired: () => 'A contact needs a name.',
  ContactNameTooLong: ({ most }: { most: number }) => `A name can have at most ${most} characters.`,
  ContactNoteTooLong: ({ most }: { most: number }) => `A note can have at most ${most} characters.`,
  ContactNotRestorable: () => 'This contact cannot be put back any more.',
  ContactsTooMany: ({ most }: { most: number }) => `An account can have at most ${most} contacts.`,
  ContactUnknown: () => 'There is no such contact.',

  // Passkeys.
  PasskeyAnswerUsed: () => 'This passkey answer has been used already. Ask the passkey again.',
  PasskeyCancelled: () =>
    'The passkey was not used: its window was closed, it took too long, or this device does not have it. Try again, or use another method.',
  PasskeyFailed: () => 'The authenticator failed. Try again, or use another method.',
  PasskeyKnown: () => 'This authenticator has a passkey of this account already. Use another authenticator.',
  PasskeyNoAuthenticator: () =>
    'No authenticator took part. This device has none of its own: plug in a security key or use a phone, or choose a passphrase.',
  PasskeyUnsupported: () =>
    'This browser has no passkeys here: it needs WebAuthn, and a page served over HTTPS.',
  PasskeyWithoutPrf: () =>
    'This authenticator cannot derive a key from a passkey (it lacks the PRF extension). Use another one, or a passphrase.',
  PasskeyWithoutResult: () =>
    'This authenticator says that it can derive a key, and gave none. Update it or its browser, use another one, or a passphrase.',
  PasskeyWrongSite: () =>
    'A passkey works only at the address that it was made for, and this page is at another. Open Keyhole at that address.',

  // The browser, and its storage.
  NewerSchema: () => 'This account was last used by a newer version of Keyhole. Reload the page to get it.',
  NewerTab: () => 'Another tab runs a newer version of Keyhole. Reload this one.',
  NoIndexedDb: () => 'There is no IndexedDB here. Set enablePersistence to false to work without storage.',
  OlderTab: () => 'An older version of Keyhole is open in another tab. Close it and try again.',
  PassphraseNotJudged: () =>
    'How strong this passphrase is could not be told: what that takes did not load. Nothing was changed; try again.',
  RecordUnreadable: ({ store, id }: { store: string; id: string }) =>
    `A stored record (${id}) of the store "${store}" cannot be read. It was kept and left out.`,
  StorageFailed: ({ what }: { what: string }) =>
    `The browser's storage failed while ${what}. What was stored before is unchanged: try again, and reload the page if it goes on.`,
  StorageFull: ({ what }: { what: string }) =>
    `There is no room left in this browser's storage: ${what} failed, and what was stored before is unchanged. Free some space and try again.`,

  // What should not happen, or is the fault of the program that calls.
  CallFailed: ({ failure }: { failure: string }) => failure,
  CallTimedOut: ({ failure }: { failure: string }) => failure,
  EnclaveNotLoaded: ({ failure }: { failure: string }) => failure,
  NoOutput: () => 'No output from plugin',
  NotBytes: ({ what, kind }: { what: string; kind: string }) =>
    `The ${what} given is not bytes, but ${kind}. Give a Uint8Array, or an array of whole numbers from 0 to 255; of an ArrayBuffer, new Uint8Array(buffer).`,
  Unexpected: () => 'Something failed that should not have. Try again, and reload the page if it goes on.',
}

const VAULT_LOCKED = {
  BroughtBack: () => 'This account was brought back from its second copy. Unlock it again, then repeat.',
  LockFailed: () =>
    'The time of this vault is up, and locking it failed. Close its tabs, or reload this one.',
  UnlockedOtherwise: () =>
    'Another tab has changed how this account is unlocked. Unlock it again, then repeat.',
  VaultLocked: () => 'The vault is locked. Unlock it first.',
}

const INVALID_PASSPHRASE = {
  PassphraseTooEasy: ({ feedback }: { feedback?: string }) =>
    `This passphrase is too easy to guess${feedback ? `: ${feedback}` : '. Use more words, less common ones.'}`,
  PassphraseTooLong: ({ most }: { most: number }) =>
    `A passphrase can be at most ${most.toLocaleString('en')} bytes long.`,
  PassphraseTooShort: ({ least }: { least: number }) => `A passphrase needs at least ${least} characters.`,
}

const VAULT_NOT_INITIALIZED = {
  NoVault: () => 'There is no vault open here. Create one, open one, or restore one from a backup.',
  NotStarted: () => 'Call initialize() first.',
}

const VAULT_ALREADY_INITIALIZED = {
  AlreadyStarted: () => 'The vault has been initialised already.',
}

/** The client's own. The key-vault layer says VAULT_NOT_INITIALIZED in its place. */
const NOT_INITIALIZED = {
  ClientNotStarted: () => 'Vault client not initialized. Call initialize() first.',
  NoStorage: () => 'Storage manager not initialized',
}

const WASM_NOT_LOADED = {
  EnclaveNotStarted: ({ reason }: { reason: string }) => `Failed to initialize vault: ${reason}`,
  EnclaveTimedOut: ({ reason }: { reason: string }) => `Failed to initialize vault: ${reason}`,
}

const RECEIPT = {
  NotReceipt: () => 'This is no receipt: a receipt is one invocation of /ucan/assert.',
  NotOwnWord: () => 'This receipt does not speak for the one who signed it.',
  NoOutcome: () => 'This receipt does not say of one task whether it was done.',
  OtherExecutor: (payee = '') => `This receipt is not from ${payee}, whom the payment was for.`,
}

/** What is wrong with a receipt. */
type ReceiptProblem = keyof typeof RECEIPT

type Told = typeof OPERATION_FAILED &
  typeof VAULT_LOCKED &
  typeof INVALID_PASSPHRASE &
  typeof VAULT_NOT_INITIALIZED &
  typeof VAULT_ALREADY_INITIALIZED &
  typeof NOT_INITIALIZED &
  typeof WASM_NOT_LOADED

/** The names of what the vault itself refuses. The enclave has names of its own. */
export type OwnRefusalName = keyof Told

/** What of several reasons a refusal of the vault's own has: `args.why`. */
export type OwnRefusalWhy = ReceiptProblem | 'ReceiptKey' | 'Unattended'

/** What a refusal of the vault's own is about. */
export type OwnRefusalArgs<Name extends OwnRefusalName> = Parameters<Told[Name]>[0] extends undefined
  ? Readonly<Record<never, never>>
  : Readonly<NonNullable<Parameters<Told[Name]>[0]>>

const SENTENCES: readonly (readonly [VaultErrorCode, Sentences])[] = [
  ['OPERATION_FAILED', OPERATION_FAILED],
  ['VAULT_LOCKED', VAULT_LOCKED],
  ['INVALID_PASSPHRASE', INVALID_PASSPHRASE],
  ['VAULT_NOT_INITIALIZED', VAULT_NOT_INITIALIZED],
  ['VAULT_ALREADY_INITIALIZED', VAULT_ALREADY_INITIALIZED],
  ['NOT_INITIALIZED', NOT_INITIALIZED],
  ['WASM_NOT_LOADED', WASM_NOT_LOADED],
]

const BY_NAME: ReadonlyMap<string, readonly [VaultErrorCode, (args: never) => string]> = new Map(
  SENTENCES.flatMap(([code, sentences]) =>
    Object.entries(sentences).map(([name, sentence]) => [name, [code, sentence]] as const),
  ),
)

/** @returns the code and the developer's English sentence of one of the vault's own refusals */
export function sentenceOf(
  name: OwnRefusalName,
  args: RefusalArgs,
): { code: VaultErrorCode; message: string } {
  const [code, sentence] = BY_NAME.get(name) ?? ['OPERATION_FAILED', () => name]
  return { code, message: String(Reflect.apply(sentence, undefined, [args])) }
}
