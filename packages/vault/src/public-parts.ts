import type { Accounts } from './accounts/accounts.ts'
import { AccountsPart } from './accounts/accounts-part.ts'
import { UnlockMethods } from './accounts/unlock-methods.ts'
import { BackupChecks } from './backup/backup-health.ts'
import { BackupsPart } from './backup/backups-part.ts'
import type { LoadBackups } from './backup/load-backups.ts'
import type { ContactDraft } from './contacts/contact.ts'
import { Contacts } from './contacts/contacts.ts'
import { Keys } from './keys/keys.ts'
import { PaymentsPart } from './payments/payments-part.ts'
import { ActivityPart } from './session/activity-part.ts'
import { publicPart } from './session/public-part.ts'
import { Settings } from './session/settings.ts'
import { TabsPart } from './session/tabs/tabs-part.ts'
import type { VaultParts } from './session/vault-parts.ts'
import { TemplatesPart } from './templates/templates-part.ts'
import { Checks } from './tokens/checks.ts'
import { Connections } from './tokens/connections.ts'
import { Handovers } from './tokens/handovers.ts'
import { Invocations } from './tokens/invocations.ts'
import { Mandates } from './tokens/mandates.ts'
import { Revoked } from './tokens/revoked.ts'
import { Tokens } from './tokens/tokens.ts'
import { UNLOCK_OPERATIONS } from './unlock/unlock-proof.ts'

/** The public parts of a key vault, with the operation behind each method. */
export type PublicParts = ReturnType<typeof makePublicParts>

/** Creates the parts of a key vault and returns their public side. */
export function makePublicParts(
  { context, changes, openTabs }: VaultParts,
  life: Accounts,
  loadBackups: LoadBackups,
) {
  const revoked = new Revoked(context)
  const tokens = new Tokens(context, changes, revoked)
  const mandates = new Mandates(context, changes, tokens, revoked)
  const invocations = new Invocations(context, tokens, mandates, revoked)
  const keys = new Keys(context, changes)
  const settings = new Settings(context, changes)
  const checks = new BackupChecks(context, changes)
  const restore = life.restore.bind(life)
  return {
    /** The account's tokens: granted, narrowed, received, used, revoked; and checks for any token. */
    tokens: {
      ...publicPart(context, tokens, {
        grant: 'grant',
        narrow: 'narrow',
        receive: 'receive',
        list: 'tokens',
        ended: 'tokens',
        openLabels: 'tokens',
        complete: 'tokens',
        remove: 'removeToken',
        restore: 'restoreToken',
      }),
      ...publicPart(context, invocations, {
        invoke: 'invoke',
        revoke: 'revoke',
        issueReceipt: 'issueReceipt',
        revocations: 'revocations',
        receipts: 'receipts',
      }),
      ...publicPart(context, new Checks(context), {
        inspect: 'inspect',
        verify: 'verifyToken',
        validate: 'validateInvocation',
        validateBatch: 'validateBatch',
        evaluatePolicy: 'evaluatePolicy',
      }),
    },
    /** Mandates with a budget. */
    mandates: publicPart(context, mandates, {
      make: 'makeMandate',
      list: 'mandates',
      suspend: (_cid: string, suspended: boolean) => (suspended ? 'suspendMandate' : 'confirmMandate'),
      end: 'endMandate',
    }),
    /** Payments: authorised, listed, and their receipts. */
    payments: publicPart(context, new PaymentsPart(context, changes, revoked), {
      check: 'checkPayment',
      authorize: 'authorizePayment',
      countersign: 'countersignPayment',
      list: 'payments',
      addReceipt: 'addReceipt',
      export: 'payments',
    }),
    /** The people, apps, agents, devices and services that the owner has named. */
    contacts: publicPart(context, new Contacts(context, changes), {
      list: 'contacts',
      get: 'contacts',
      find: 'contacts',
      save: ({ id }: ContactDraft) => (id === undefined ? 'addContact' : 'changeContact'),
      rename: 'changeContact',
      addDid: 'changeContact',
      removeDid: 'changeContact',
      merge: 'mergeContacts',
      remove: 'removeContact',
      restore: 'restoreContact',
    }),
    /** The owner's own templates for grants. */
    templates: publicPart(context, new TemplatesPart(context, changes), {
      list: 'templates',
      save: 'saveTemplate',
      remove: 'removeTemplate',
    }),
    /** The grants whose links were handed over, and which of them were opened. */
    handovers: publicPart(context, new Handovers(context, changes), {
      list: 'handovers',
      add: 'handOver',
      markOpened: 'opened',
    }),
    /** Connected apps. */
    sessions: publicPart(context, new Connections(context, changes, tokens, invocations), {
      connect: 'connect',
      list: 'sessions',
      end: 'endSession',
      endAll: 'endSession',
      sealAnswer: 'sealAnswer',
    }),
    /** The tabs that have the account open. */
    tabs: publicPart(context, new TabsPart(openTabs, changes), { end: 'endTab', endOthers: 'endTab' }),
    /** The account's keys. */
    keys: publicPart(context, keys, {
      generate: 'generateKey',
      preview: 'previewKey',
      import: 'importKey',
      delete: 'deleteKey',
      setDefault: 'setDefaultKey',
      label: 'labelKey',
    }),
    /** How the account is unlocked. */
    unlockMethods: publicPart(context, new UnlockMethods(context, changes), UNLOCK_OPERATIONS),
    /** The accounts of this browser. */
    accounts: publicPart(context, new AccountsPart(context, life, loadBackups, keys), {
      list: 'listAccounts',
      open: 'openAccount',
      label: 'labelAccount',
      remove: 'removeAccount',
      reset: 'reset',
      storageHealth: 'storageHealth',
      renewCopy: 'renewCopy',
      restoreLost: 'restoreLost',
      backupLost: 'backupLost',
      forgetLost: 'forgetLost',
      openCopy: 'openCopy',
      saveCopy: 'saveCopy',
      restoreCopy: 'restoreLost',
    }),
    /** Backups of the account: written, imported, checked. */
    backups: publicPart(context, new BackupsPart(context, loadBackups, checks, restore), {
      export: 'exportVault',
      import: 'importVault',
      verify: 'verifyBackup',
      health: 'backupHealth',
    }),
    /** The log of what was done with the account. */
    activity: publicPart(context, new ActivityPart(context, changes), { read: 'activity' }),
    /** The account's settings, and those of this object. */
    settings: {
      ...publicPart(context, settings, { setAutoLock: 'setAutoLock', allowDidWebHosts: 'allowDidWebHosts' }),
      /** The hosts Keyhole may ask for the keys of a `did:web`: those in the config, or those set since. */
      get didWebHosts(): readonly string[] {
        return context.client.didWebHosts
      },
    },
  }
}
