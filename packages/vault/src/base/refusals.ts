import type { VaultErrorCode } from './codes.ts'

/** Numbers and short texts for a refusal's sentence. Never a secret. */
export type RefusalArgs = Readonly<Record<string, string | number>>

type Sentences = Readonly<Record<string, (args: never) => string>>

const OPERATION_FAILED = {
  // What a person can run into when they open, create, restore or remove an account.
  AccountHere: () => 'This account is in this browser already. Open it and unlock it, then import.',
  AccountInPage: () => 'This account is in this page already. Open it and unlock it, then import.',
  AccountLeft: () =>
    'The account was closed before this was done. Nothing was changed. Open it again, then repeat.',
  AccountLost: () =>
    "This account's data in this browser is gone. Restore it from its second copy or from a backup.",
  AccountNotHere: () => "This account isn't in this browser.",
  AccountNotLost: () => "This account isn't lost. Open it, or remove it.",
  AccountOpen: () => 'This account is open. Merge the backup into it instead.',
  AccountStateMissing: () => 'The state of this account is missing. Restore it from a backup.',
  AccountStateUnreadable: () =>
    'The stored state of this account cannot be read. Restore it from a backup, or remove it.',
  AddressRequired: () => 'Account address is required',
  AutoLockTooShort: () => 'The shortest time for automatic locking is one minute.',
  ChangedElsewhere: () =>
    'This account was changed elsewhere in the meantime. Lock it, unlock it and try again.',
  CopyDeleted: () =>
    "This account's second copy was deleted in another tab. Restore the account from a backup.",
  CopyFileDamaged: () => 'The keys in this file are damaged. Try another copy of it. Nothing was changed.',
  CopyFileOfAccountHere: () => "This file's account is in this browser already. Nothing was changed.",
  CopyMissing: () => 'This account has no second copy here.',
  CopyOfOtherAccount: () => 'The second copy belongs to another account. Restore from a backup.',
  CopyPartDamaged: ({ id }: { id: string }) =>
    `Part of the second copy (${id}) was damaged. It was rewritten from the database.`,
  CopyWithoutKeys: () =>
    "The second copy of this account doesn't hold its keys. Restore the account from a backup.",
  MethodRequired: () => 'A new account needs a passphrase or a passkey to unlock it with.',
  OpenFromCopy: () =>
    'This vault is open from its second copy, so nothing can be saved. Write a backup, and restore it in another browser.',
  StateWithoutAddress: () => 'The given sealed state has no address.',
  StateWithoutRevision: () => 'The sealed state has no revision, so it was not stored.',
  StoresNothing: () => 'This vault stores nothing. Remove the account, then import its backup.',
  TabClosed: () => "This tab isn't open any more.",
  TooSoon: ({ failures, seconds }: { failures: number; seconds: number }) =>
    `That was wrong ${failures} times in a row. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then try again.`,
  VaultClosed: () => 'The vault was closed while it was starting.',

  // Backups.
  BackupDamaged: ({ how }: { how: string }) =>
    `This backup is damaged: ${how}. Try another copy of the file. Nothing was changed.`,
  BackupNewer: () => 'This backup was made by a newer version of Keyhole. Update this one, then import it.',
  BackupOfAccountHere: () =>
    "This backup's account is in this browser already. Open and unlock it, then import.",
  BackupOfOtherAccount: () => 'This backup belongs to another account.',
  BackupTokenInvalid: () => 'A token in this backup has an invalid signature. Nothing was imported.',
  BackupUnreadable: () => "Some records in this backup can't be read. Nothing was imported.",
  OneBackupOpening: () => "Give either the backup's passphrase or the account's recovery code.",

  // Tokens and payments.
  FeedUnknown: () =>
    "The relay doesn't answer, so this may be revoked. Nothing was signed. Try again, or sign without asking it.",
  InvalidPayment: (_: { why: 'ReceiptKey' }) => "The key this site names for its receipt isn't a did:key.",
  InvalidReceipt: ({ why, payee }: { why: ReceiptProblem; payee?: string }) => RECEIPT[why](payee),
  DeviceRemoved: () =>
    'Another device has removed this one from the account, so nothing is authorised under a mandate here.',
  MandateElsewhere: ({ device }: { device: string }) =>
    device === ''
      ? 'Another device of this account counts this mandate. Do it there.'
      : `The device "${device}" counts this mandate. Do it there.`,
  MandateEnded: () => 'This mandate was revoked.',
  NoDelegation: () => 'This text contains no delegation.',
  NotDelegation: () => "This token isn't a delegation, so it can't be stored here.",
  NotInvocation: () => "This token isn't an invocation, so it can't be stored as one.",
  ReceiptExists: () => 'This payment already has a receipt.',
  TokenNotRestorable: () => "This token can't be restored any more.",
  TokensUnread: () => 'The tokens could not be read. Reload the page.',
  TokenUnreadable: () => 'The stored token cannot be read.',
  UnknownMandate: (_: { why: 'Unattended' }) => 'An automatic payment needs a mandate: name one.',
  UnknownPayment: () => "This receipt isn't for a payment of this account.",

  // Contacts.
  ContactDidInvalid: () => "This isn't a DID.",
  ContactDidOwn: () => 'This DID belongs to a key of this account.',
  ContactDidTaken: () => 'Another contact has this DID. Remove it there first, or merge the two.',
  ContactDidsTooMany: ({ most }: { most: number }) => `A contact can have at most ${most} DIDs.`,
  ContactNameIsDid: () => 'A name cannot look like a DID.',
  ContactNameRequired: () => 'A contact needs a name.',
  ContactNameTooLong: ({ most }: { most: number }) => `A name can have at most ${most} characters.`,
  ContactNoteTooLong: ({ most }: { most: number }) => `A note can have at most ${most} characters.`,
  ContactNotRestorable: () => "This contact can't be restored any more.",
  ContactsTooMany: ({ most }: { most: number }) => `An account can have at most ${most} contacts.`,
  ContactUnknown: () => "This contact doesn't exist.",

  // Templates.
  TemplateNameRequired: () => 'A template needs a name.',
  TemplatesTooMany: ({ most }: { most: number }) => `An account can have at most ${most} templates.`,
  TemplateTooLong: ({ most }: { most: number }) =>
    `This part of a template can have at most ${most} characters.`,
  TemplateUnknown: () => "This template doesn't exist.",

  // Passkeys.
  PasskeyAnswerUsed: () => 'This passkey answer has been used already. Ask the passkey again.',
  PasskeyCancelled: () => 'The passkey was not used. Try again, or use another method.',
  PasskeyFailed: () => 'The authenticator failed. Try again, or use another method.',
  PasskeyKnown: () => 'This authenticator has a passkey of this account already. Use another authenticator.',
  PasskeyNoAuthenticator: () =>
    'No authenticator responded. Plug in a security key, use a phone, or choose a passphrase.',
  PasskeyUnsupported: () =>
    "Passkeys don't work here: they need WebAuthn with the PRF extension, and a page served over HTTPS.",
  PasskeyWithoutPrf: () => 'This authenticator lacks the PRF extension. Use another one, or a passphrase.',
  PasskeyWithoutResult: () => 'This authenticator gave no key. Use another one, or a passphrase.',
  PasskeyWrongSite: () => 'A passkey only works at the address it was made for. Open Keyhole there.',

  // The browser, and its storage.
  NewerSchema: () => 'This account was last used by a newer version of Keyhole. Reload the page to get it.',
  NewerTab: () => 'Another tab runs a newer version of Keyhole. Reload this one.',
  NoIndexedDb: () =>
    "IndexedDB isn't available here. Set enablePersistence to false to work without storage.",
  OlderTab: () => 'An older version of Keyhole is open in another tab. Close it and try again.',
  PassphraseNotJudged: () =>
    "This passphrase's strength couldn't be checked. Nothing was changed. Try again.",
  RecordUnreadable: ({ store, id }: { store: string; id: string }) =>
    `A stored record (${id}) of the store "${store}" can't be read. It was kept and skipped.`,
  StorageFailed: ({ what }: { what: string }) =>
    `The browser's storage failed while ${what}. Nothing was changed. Try again, or reload the page.`,
  StorageFull: ({ what }: { what: string }) =>
    `This browser's storage is full: ${what} failed. Nothing was changed. Free some space and try again.`,

  // Bugs, and mistakes of the calling program.
  CallFailed: ({ failure }: { failure: string }) => failure,
  CallTimedOut: ({ failure }: { failure: string }) => failure,
  EnclaveNotLoaded: ({ failure }: { failure: string }) => failure,
  NoOutput: () => 'No output from plugin',
  NotBytes: ({ what, kind }: { what: string; kind: string }) =>
    `The ${what} given is not bytes, but ${kind}. Give a Uint8Array, or an array of whole numbers from 0 to 255.`,
  Unexpected: () => 'Something unexpected went wrong. Try again, and reload the page if it happens again.',
}

const VAULT_LOCKED = {
  BroughtBack: () => 'This account was restored from its second copy. Unlock it again, then repeat.',
  LockFailed: () => "This vault's time is up, but locking it failed. Close its tabs, or reload this one.",
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
  NoVault: () => 'No vault is open here. Create one, open one, or restore one from a backup.',
  NotStarted: () => 'Call initialize() first.',
}

const VAULT_ALREADY_INITIALIZED = {
  AlreadyStarted: () => 'The vault has been initialised already.',
}

/** The client's own. The key-vault layer reports VAULT_NOT_INITIALIZED instead. */
const NOT_INITIALIZED = {
  ClientNotStarted: () => 'Vault client not initialized. Call initialize() first.',
  NoStorage: () => 'Storage manager not initialized',
}

const WASM_NOT_LOADED = {
  EnclaveNotStarted: ({ reason }: { reason: string }) => `Failed to initialize vault: ${reason}`,
  EnclaveTimedOut: ({ reason }: { reason: string }) => `Failed to initialize vault: ${reason}`,
}

const RECEIPT = {
  NotReceipt: () => "This isn't a receipt: a receipt is one invocation of /ucan/assert.",
  NotOwnWord: () => "This receipt doesn't speak for its signer.",
  NoOutcome: () => "This receipt doesn't say whether one task was done.",
  OtherExecutor: (payee = '') => `This receipt isn't from ${payee}, who the payment was for.`,
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

/** The names of the vault's own refusals. The enclave has others. */
export type OwnRefusalName = keyof Told

/** The reason within one of the vault's own refusals: `args.why`. */
export type OwnRefusalWhy = ReceiptProblem | 'ReceiptKey' | 'Unattended'

/** The values in the sentence of one of the vault's own refusals. */
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

/** @returns the code and the English sentence, for developers, of one of the vault's own refusals */
export function sentenceOf(
  name: OwnRefusalName,
  args: RefusalArgs,
): { code: VaultErrorCode; message: string } {
  const [code, sentence] = BY_NAME.get(name) ?? ['OPERATION_FAILED', () => name]
  return { code, message: String(Reflect.apply(sentence, undefined, [args])) }
}
