import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** A word of ours, and what it means. */
interface Meaning {
  readonly word: MessageDescriptor
  readonly means: MessageDescriptor
}

/** The words that Keyhole uses in its own way, in the order in which a person meets them. */
export const TERMS = {
  vault: {
    word: msg`Vault`,
    means: msg`Your keys and grants, encrypted in this browser. Only you can open it. If you add devices, a relay has an encrypted copy.`,
  },
  account: {
    word: msg`Account`,
    means: msg`The identity in a vault: its name, its DID and its address. Each vault has one.`,
  },
  key: {
    word: msg`Key`,
    means: msg`Signs for you. Its secret half never leaves your vault unencrypted.`,
  },
  did: {
    word: msg`DID`,
    means: msg`The public name of a key. Give it to someone, and they can give you a grant. It isn’t secret.`,
  },
  grant: {
    word: msg`Grant`,
    means: msg`Lets someone do one thing for you, within limits, until it expires. You can revoke it at any time.`,
  },
  limit: {
    word: msg`Limit`,
    means: msg`One condition in a grant, such as “only this folder”. A call must meet all of them.`,
  },
  token: {
    word: msg`Token`,
    means: msg`The text that carries a grant. Only the holder of the key it was made for can use it.`,
  },
  chain: {
    word: msg`Chain`,
    means: msg`The grants that a token comes from, back to the owner. Each one can only narrow the one before.`,
  },
  contact: {
    word: msg`Contact`,
    means: msg`A person, app, agent, device or service that you gave a name. Only you see the name.`,
  },
  service: { word: msg`Service`, means: msg`What checks a token and then does what the grant allows.` },
  mandate: {
    word: msg`Mandate`,
    means: msg`A grant to pay: who gets paid, how much per payment, and until when.`,
  },
  budget: {
    word: msg`Budget`,
    means: msg`How much a mandate allows in all. Your vault counts, and signs each payment itself.`,
  },
  revoke: {
    word: msg`Revoke`,
    means: msg`Ends a grant for good, with everything that was passed on from it. Services learn of it from the revocation.`,
  },
  unlockMethod: {
    word: msg`Unlock method`,
    means: msg`A passphrase, a passkey or the recovery code. Any one of them opens your vault.`,
  },
  recoveryCode: {
    word: msg`Recovery code`,
    means: msg`Unlocks your vault if you forget your passphrase, and opens its backups on a new device. Keep it on paper.`,
  },
  backupFile: {
    word: msg`Backup file`,
    means: msg`Your whole vault in one encrypted file. With its passphrase or the recovery code it opens in any browser.`,
  },
  secondCopy: {
    word: msg`Second copy`,
    means: msg`An encrypted copy in another store of this browser, in case the first is damaged. It is not a backup.`,
  },
} as const satisfies Readonly<Record<string, Meaning>>

/** The name of a word in the glossary. */
export type TermName = keyof typeof TERMS
