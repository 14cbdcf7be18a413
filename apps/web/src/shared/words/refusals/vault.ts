import type { OwnRefusalArgs, OwnRefusalName } from '@keyhole/vault'
import { msg, plural } from '@lingui/core/macro'
import { canRunEnclave } from '../../vault/can-run-enclave.ts'
import { numberWords } from '../value.ts'
import { ACCOUNT_HERE, BY_CODE, FAULT, NO_SPACE, OTHER_ACCOUNT, type Told, WHOLE_BACKUP } from './by-code.ts'
import { PASSKEY_REFUSALS } from './passkey.ts'
import type { PaymentRefusalName } from './payment.ts'

/** Another try helps if the engine didn't arrive, not if the browser can't run it. */
const ENGINE_MISSING: Told<unknown> = {
  title: BY_CODE.WASM_NOT_LOADED.title,
  advice: () =>
    canRunEnclave()
      ? BY_CODE.WASM_NOT_LOADED.advice
      : msg`This browser can’t run it: it’s too old, or WebAssembly is off. Update it, or use another. Your vault is untouched.`,
}

/** The vault's own refusals, in words. */
export const VAULT_REFUSALS: {
  readonly [Name in Exclude<OwnRefusalName, PaymentRefusalName>]: Told<OwnRefusalArgs<Name>>
} = {
  // Accounts.
  AccountHere: ACCOUNT_HERE,
  AccountInPage: ACCOUNT_HERE,
  AccountLeft: {
    title: msg`This vault was left before that was done.`,
    advice: msg`Nothing was changed. Open it again, then try again.`,
  },
  AccountLost: {
    title: msg`This browser has lost this vault’s data.`,
    advice: msg`Restore it from its second copy, or from a backup.`,
  },
  AccountNotHere: {
    title: msg`This vault isn’t in this browser.`,
    advice: msg`Restore it from a backup.`,
  },
  AccountNotLost: {
    title: msg`This vault isn’t lost: it can be opened.`,
    advice: msg`Nothing was changed. If you no longer want it here, remove it from the list of vaults.`,
  },
  AccountOpen: {
    title: msg`This vault is open.`,
    advice: msg`Merge the backup into it instead.`,
  },
  AccountStateMissing: {
    title: msg`This vault’s data is missing.`,
    advice: msg`Restore it from a backup.`,
  },
  AccountStateUnreadable: {
    title: msg`This vault’s stored data can’t be read.`,
    advice: msg`It was left as it is. Restore the vault from a backup, or remove it.`,
  },
  AddressRequired: FAULT,
  AutoLockTooShort: {
    title: msg`That’s too soon for a vault to lock itself.`,
    advice: msg`Choose a minute or more, or never.`,
  },
  BroughtBack: {
    title: msg`This vault was brought back from its second copy.`,
    advice: msg`Unlock it again, then try again.`,
  },
  ChangedElsewhere: {
    title: msg`This vault was changed elsewhere in the meantime.`,
    advice: msg`Lock it, unlock it and try again.`,
  },
  CopyDeleted: {
    title: msg`The second copy is gone: this vault was removed in another tab.`,
    advice: msg`Restore it from a backup.`,
  },
  CopyFileDamaged: {
    title: msg`This file is damaged where the keys are.`,
    advice: msg`Try another copy of it. Nothing was changed.`,
  },
  CopyFileOfAccountHere: {
    title: ACCOUNT_HERE.title,
    advice: msg`Nothing was changed.`,
  },
  CopyMissing: {
    title: msg`This vault has no second copy here.`,
    advice: msg`Restore it from a backup.`,
  },
  CopyOfOtherAccount: {
    title: msg`The second copy is from another vault.`,
    advice: msg`Restore this vault from a backup.`,
  },
  CopyPartDamaged: {
    title: msg`A part of the second copy was damaged.`,
    advice: msg`Keyhole has written the copy again from the database. You don’t need to do anything.`,
  },
  CopyWithoutKeys: {
    title: msg`The second copy doesn’t hold this vault’s keys.`,
    advice: msg`Restore the vault from a backup.`,
  },
  LockFailed: {
    title: msg`This vault’s time is up, and locking it failed.`,
    advice: msg`Close its tabs, or reload this one.`,
  },
  MethodRequired: {
    title: msg`A new vault needs a passphrase or a passkey.`,
    advice: msg`Choose how you’ll unlock it.`,
  },
  NoVault: BY_CODE.VAULT_NOT_INITIALIZED,
  OpenFromCopy: {
    title: msg`This vault is open from its second copy.`,
    advice: msg`Nothing can be changed or saved here until the browser opens its database again. Create a backup, and restore it in another browser.`,
  },
  StoresNothing: {
    title: msg`This vault stores nothing.`,
    advice: msg`Remove the vault, then restore it from its backup.`,
  },
  TabClosed: {
    title: msg`This tab isn’t open any more.`,
    advice: msg`Nothing was changed.`,
  },
  TooSoon: {
    title: msg`That was wrong several times in a row.`,
    advice: ({ seconds }) =>
      msg`${plural(seconds, {
        one: 'Wait # second, then try again.',
        other: 'Wait # seconds, then try again.',
      })}`,
  },
  UnlockedOtherwise: {
    title: msg`Another tab has changed how this vault is unlocked.`,
    advice: msg`Unlock it again, then try again.`,
  },
  FeedUnknown: {
    title: msg`Your relay doesn’t answer.`,
    advice: msg`Someone else may have revoked this, and we can’t tell. Nothing was signed.`,
  },
  VaultLocked: BY_CODE.VAULT_LOCKED,

  // New passphrases.
  PassphraseNotJudged: {
    title: msg`Keyhole couldn’t check how strong this passphrase is.`,
    advice: msg`A part of the page did not load. Nothing was changed: try again.`,
  },
  PassphraseTooEasy: {
    title: msg`This passphrase is too easy to guess.`,
    advice: msg`Use more words, and less common ones.`,
  },
  PassphraseTooLong: {
    title: msg`This passphrase is too long.`,
    advice: ({ most }) =>
      msg`It can have at most ${numberWords(most)} bytes. Most letters are one byte each.`,
  },
  PassphraseTooShort: {
    title: msg`This passphrase is too short.`,
    advice: ({ least }) => msg`It needs at least ${numberWords(least)} characters.`,
  },

  // Backups.
  BackupDamaged: { title: msg`This backup is damaged.`, advice: WHOLE_BACKUP },
  BackupNewer: {
    title: msg`This backup is from a newer version of Keyhole.`,
    advice: msg`Choose another file, or restore it where Keyhole is up to date. Nothing was changed.`,
  },
  BackupOfAccountHere: ACCOUNT_HERE,
  BackupOfOtherAccount: {
    title: OTHER_ACCOUNT,
    advice: msg`Choose one of the vault that is open.`,
  },
  BackupTokenInvalid: {
    title: msg`This backup holds a token whose signature isn’t valid.`,
    advice: msg`Nothing was imported. Try another copy of the file.`,
  },
  BackupUnreadable: { title: msg`This backup holds records that cannot be read.`, advice: WHOLE_BACKUP },
  OneBackupOpening: FAULT,

  // Tokens and payments.
  InvalidReceipt: {
    title: msg`This receipt can’t be saved.`,
    advice: msg`Ask the shop for its receipt for this payment.`,
  },
  DeviceRemoved: {
    title: msg`This device was removed from the vault’s devices.`,
    advice: msg`Nothing was signed: nothing is paid under its mandates any more. What is here stays here.`,
  },
  MandateElsewhere: {
    title: msg`Another device counts this mandate.`,
    advice: ({ device }) =>
      device === ''
        ? msg`Nothing was signed. Do it on that device. If you no longer have it, end the mandate here and create another.`
        : msg`Nothing was signed. Do it on ${device}. If you no longer have that device, end the mandate here and create another.`,
  },
  NoDelegation: {
    title: msg`This text holds no grant.`,
    advice: msg`Ask the person who granted it for the whole token.`,
  },
  NotDelegation: {
    title: msg`This token isn’t a grant, so it can’t be saved here.`,
    advice: msg`Ask the person who granted it for the whole token.`,
  },
  NotInvocation: {
    title: msg`This token isn’t a request, so it can’t be saved as one.`,
    advice: msg`Nothing was changed.`,
  },
  TokenNotRestorable: {
    title: msg`This token can no longer be put back.`,
    advice: msg`Ask the person who granted it to send it again.`,
  },
  TokensUnread: {
    title: msg`Your tokens couldn’t be read.`,
    advice: msg`Nothing was changed. Reload the page.`,
  },
  TokenUnreadable: {
    title: msg`This stored token can’t be read.`,
    advice: msg`Ask the person who granted it to send it again.`,
  },

  // Contacts.
  ContactDidInvalid: {
    title: msg`This isn’t a DID.`,
    advice: msg`Copy all of it and try again. It starts with did:`,
  },
  ContactDidOwn: {
    title: msg`This is one of your own keys.`,
    advice: msg`Name it under Keys instead.`,
  },
  ContactDidTaken: {
    title: msg`Another contact has this key.`,
    advice: msg`Remove it there first, or merge the two contacts.`,
  },
  ContactDidsTooMany: {
    title: msg`This contact has too many keys.`,
    advice: ({ most }) => msg`A contact can have at most ${numberWords(most)}.`,
  },
  ContactNameIsDid: {
    title: msg`A name can’t look like a DID.`,
    advice: msg`Choose another name.`,
  },
  ContactNameRequired: {
    title: msg`The name is missing.`,
    advice: msg`Enter the name you want to see.`,
  },
  ContactNameTooLong: {
    title: msg`This name is too long.`,
    advice: ({ most }) => msg`It can have at most ${numberWords(most)} characters.`,
  },
  ContactNoteTooLong: {
    title: msg`This note is too long.`,
    advice: ({ most }) => msg`It can have at most ${numberWords(most)} characters.`,
  },
  ContactNotRestorable: {
    title: msg`This can’t be undone any more.`,
    advice: msg`Add the contact again.`,
  },
  ContactsTooMany: {
    title: msg`You have too many contacts.`,
    advice: ({ most }) => msg`A vault can have at most ${numberWords(most)}. Delete some first.`,
  },
  ContactUnknown: {
    title: msg`This contact is gone.`,
    advice: msg`It was deleted or merged, perhaps in another tab.`,
  },

  // Templates.
  TemplateNameRequired: {
    title: msg`The name is missing.`,
    advice: msg`Enter the name you want to see.`,
  },
  TemplatesTooMany: {
    title: msg`You have too many templates.`,
    advice: ({ most }) => msg`A vault can have at most ${numberWords(most)}. Delete some first.`,
  },
  TemplateTooLong: {
    title: msg`This template is too long.`,
    advice: ({ most }) => msg`It can have at most ${numberWords(most)} characters.`,
  },
  TemplateUnknown: {
    title: msg`This template is gone.`,
    advice: msg`It was deleted, perhaps in another tab.`,
  },

  ...PASSKEY_REFUSALS,

  // The browser and its storage.
  CallTimedOut: BY_CODE.TIMEOUT,
  EnclaveNotLoaded: ENGINE_MISSING,
  EnclaveNotStarted: ENGINE_MISSING,
  EnclaveTimedOut: BY_CODE.TIMEOUT,
  NewerSchema: {
    title: msg`This vault was last used by a newer version of Keyhole.`,
    advice: msg`Reload the page to get it.`,
  },
  NewerTab: {
    title: msg`Another tab runs a newer version of Keyhole.`,
    advice: msg`Reload this one.`,
  },
  NoIndexedDb: {
    title: msg`This browser can’t store anything here.`,
    advice: msg`Open Keyhole in a window that isn’t private, or in another browser.`,
  },
  OlderTab: {
    title: msg`An older version of Keyhole is open in another tab.`,
    advice: msg`Close that tab and try again.`,
  },
  RecordUnreadable: {
    title: msg`Something stored here can’t be read.`,
    advice: msg`It’s still stored, but left out. If something is missing, restore the vault from a backup.`,
  },
  StorageFailed: {
    title: msg`The browser’s storage failed.`,
    advice: msg`What was stored before is unchanged. Try again, and reload the page if it happens again.`,
  },
  StorageFull: NO_SPACE,
  VaultClosed: {
    title: msg`The vault was closed while it was starting.`,
    advice: msg`Open it again.`,
  },

  // No person can cause these.
  AlreadyStarted: BY_CODE.VAULT_ALREADY_INITIALIZED,
  CallFailed: FAULT,
  ClientNotStarted: BY_CODE.NOT_INITIALIZED,
  NoOutput: FAULT,
  NoStorage: BY_CODE.NOT_INITIALIZED,
  NotBytes: FAULT,
  NotStarted: BY_CODE.NOT_INITIALIZED,
  StateWithoutAddress: FAULT,
  StateWithoutRevision: FAULT,
  Unexpected: FAULT,
}
