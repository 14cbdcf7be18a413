import type { ActivityLine, LineDevice } from '@keyhole/vault'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { isCurrency } from './currency.ts'
import { refusalTitle } from './explain-refusal.ts'
import { type Budget, budgetWords, money, payeeWords } from './payment.ts'
import { kindName, UNLOCKING, type UnlockKind, unlockActs } from './unlock-kinds.ts'

type Words = Readonly<Record<string, MessageDescriptor>>
type About = NonNullable<ActivityLine['about']>

/** What each act in the log was, as a sentence without its end. */
const ACTS: Words = {
  create: msg`Created the vault`,
  unlock: msg`Unlocked`,
  lock: msg`Locked`,
  autoLock: msg`Locked automatically`,
  failedUnlocks: msg`Failed tries to unlock`,
  grant: msg`Created a grant`,
  narrow: msg`Narrowed a token and passed it on`,
  receive: msg`Added a token`,
  handOver: msg`Handed over a grant by link`,
  opened: msg`The other side opened a grant`,
  invoke: msg`Signed a request`,
  revoke: msg`Revoked a token`,
  issueReceipt: msg`Signed a receipt`,
  removeToken: msg`Removed a token`,
  restoreToken: msg`Put a token back`,
  cleanUp: msg`Cleaned up what had expired`,
  sign: msg`Signed data`,
  generateKey: msg`Created a key`,
  deleteKey: msg`Deleted a key`,
  setDefaultKey: msg`Chose the key that signs`,
  labelKey: msg`Named a key`,
  labelToken: msg`Named a token`,
  importKey: msg`Imported a key`,
  labelAccount: msg`Named the vault`,
  ...unlockActs(0),
  removeUnlockMethod: msg`Removed an unlock method`,
  labelUnlockMethod: msg`Named an unlock method`,
  setAutoLock: msg`Changed when it locks`,
  exportVault: msg`Created a backup`,
  importVault: msg`Merged a backup`,
  reset: msg`Opened with a backup and a new passphrase`,
  keepRecoveryCode: msg`Confirmed that the recovery code is saved`,
  verifyBackup: msg`Checked a backup`,
  restore: msg`Restored the vault from a backup`,
  restoreLost: msg`Restored the vault`,
  connect: msg`Connected an app`,
  endSession: msg`Ended a session`,
  endTab: msg`Ended a tab`,
  authorizePayment: msg`Authorised a payment`,
  countersignPayment: msg`Authorised a payment on request`,
  addReceipt: msg`Added a receipt for a payment`,
  makeMandate: msg`Created a mandate`,
  suspendMandate: msg`Suspended a mandate`,
  confirmMandate: msg`Resumed a mandate`,
  endMandate: msg`Revoked a mandate`,
  addContact: msg`Added a contact`,
  changeContact: msg`Changed a contact`,
  mergeContacts: msg`Merged contacts`,
  removeContact: msg`Deleted a contact`,
  restoreContact: msg`Put a contact back`,
  saveTemplate: msg`Saved a template`,
  removeTemplate: msg`Deleted a template`,
  startDevices: msg`Put the vault on several devices`,
  addDevice: msg`Added a device`,
  joinDevices: msg`Added this device`,
  joinAsLimited: msg`Made this a limited device of another vault`,
  leaveLimited: msg`Made this an ordinary vault again`,
  recoverAccount: msg`Opened the vault with its recovery code on a new device`,
  removeDevice: msg`Removed a device`,
  adoptDevices: msg`Took over changes from another device`,
}

/** The same for acts that failed, because the past tense would claim that they happened. */
const TRIED: Words = {
  unlock: msg`Tried to unlock`,
  lock: msg`Tried to lock`,
  grant: msg`Tried to create a grant`,
  narrow: msg`Tried to narrow a token`,
  receive: msg`Tried to add a token`,
  handOver: msg`Tried to hand over a grant by link`,
  opened: msg`Tried to note that a grant was opened`,
  invoke: msg`Tried to sign a request`,
  revoke: msg`Tried to revoke a token`,
  issueReceipt: msg`Tried to sign a receipt`,
  removeToken: msg`Tried to remove a token`,
  restoreToken: msg`Tried to put a token back`,
  sign: msg`Tried to sign data`,
  generateKey: msg`Tried to create a key`,
  deleteKey: msg`Tried to delete a key`,
  setDefaultKey: msg`Tried to choose the key that signs`,
  labelKey: msg`Tried to name a key`,
  labelToken: msg`Tried to name a token`,
  importKey: msg`Tried to import a key`,
  labelAccount: msg`Tried to name the vault`,
  ...unlockActs(1),
  removeUnlockMethod: msg`Tried to remove an unlock method`,
  labelUnlockMethod: msg`Tried to name an unlock method`,
  setAutoLock: msg`Tried to change when it locks`,
  exportVault: msg`Tried to create a backup`,
  importVault: msg`Tried to merge a backup`,
  reset: msg`Tried to open it with a backup`,
  verifyBackup: msg`Tried to check a backup`,
  connect: msg`Tried to connect an app`,
  endSession: msg`Tried to end a session`,
  endTab: msg`Tried to end a tab`,
  authorizePayment: msg`Tried to authorise a payment`,
  countersignPayment: msg`Tried to authorise a payment on request`,
  addReceipt: msg`Tried to add a receipt for a payment`,
  makeMandate: msg`Tried to create a mandate`,
  suspendMandate: msg`Tried to suspend a mandate`,
  confirmMandate: msg`Tried to resume a mandate`,
  endMandate: msg`Tried to revoke a mandate`,
  addContact: msg`Tried to add a contact`,
  changeContact: msg`Tried to change a contact`,
  mergeContacts: msg`Tried to merge contacts`,
  removeContact: msg`Tried to delete a contact`,
  restoreContact: msg`Tried to put a contact back`,
  saveTemplate: msg`Tried to save a template`,
  removeTemplate: msg`Tried to delete a template`,
  startDevices: msg`Tried to put the vault on several devices`,
  addDevice: msg`Tried to add a device`,
  removeDevice: msg`Tried to remove a device`,
  joinAsLimited: msg`Tried to make this a limited device of another vault`,
  leaveLimited: msg`Tried to make this an ordinary vault again`,
}

/**
 * An act in words. An unknown one is shown by its own name, with spaces.
 * @param outcome how it ended; without it, names the kind of act
 */
export function actWords(act: string, outcome = 'done'): string {
  const known = (outcome === 'done' ? undefined : own(TRIED, act)) ?? own(ACTS, act)
  if (known !== undefined) return t(known)
  const words = spaced(act)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function own(words: Words, name: string): MessageDescriptor | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined
}

function spaced(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

const OUTCOMES: Words = {
  done: msg`done`,
  INVALID_PASSPHRASE: msg`not accepted`,
  VAULT_LOCKED: msg`vault was locked`,
  KEY_NOT_FOUND: msg`no such key`,
  INVALID_KEY_TYPE: msg`no such key type`,
  OPERATION_FAILED: msg`refused`,
  TIMEOUT: msg`took too long`,
  WASM_NOT_LOADED: msg`engine missing`,
}

/** How an act ended, in words. */
export function outcomeWords(outcome: string): string {
  const known = own(OUTCOMES, outcome)
  return known === undefined ? outcome.replaceAll('_', ' ').toLowerCase() : t(known)
}

/** On which other device something was done. */
export function deviceWords({ name }: LineDevice): string {
  return name === undefined ? t`on another device` : t`on ${name}`
}

/** The names of a line's facts. */
const FACTS: Words = {
  id: msg`token`,
  cid: msg`token`,
  audience: msg`to`,
  command: msg`command`,
  task: msg`request`,
  revokes: msg`revoked`,
  key: msg`key`,
  type: msg`type`,
  method: msg`method`,
  relyingParty: msg`site`,
  origin: msg`site`,
  by: msg`by`,
  why: msg`why`,
  after: msg`after`,
  bytes: msg`bytes`,
  keys: msg`keys`,
  tokens: msg`tokens`,
  missingKeys: msg`keys it lacks`,
  missingTokens: msg`tokens it lacks`,
  sessions: msg`sessions`,
  forgotten: msg`deleted 90 days after their end`,
  tabs: msg`tabs`,
  ended: msg`tab`,
  count: msg`how often`,
  name: msg`reason`,
  imported: msg`from an imported key`,
  payee: msg`payee`,
  amount: msg`amount`,
  max: msg`maximum per payment`,
  payments: msg`payments`,
  period: msg`budget`,
  currency: msg`currency`,
  mandate: msg`mandate`,
  requester: msg`asked for by`,
  contact: msg`contact`,
  template: msg`template`,
  device: msg`device`,
  kind: msg`kind`,
  dids: msg`keys`,
  merged: msg`merged with`,
}

/** Something that a line is about. */
export interface Fact {
  /** Its name in the log. */
  readonly field: string
  /** Its name in words. */
  readonly name: string
  /** As shown. Empty if the name says everything. */
  readonly value: string
  /** A CID or DID to search for. */
  readonly finds?: string
}

/** Values that identify something in the vault. */
const FINDS: ReadonlySet<string> = new Set([
  'cid',
  'audience',
  'revokes',
  'task',
  'key',
  'mandate',
  'payee',
  'requester',
])

/** What a line is about, in words. A boolean is shown as a name without a value, or left out. */
export function aboutFacts({ about = {} }: ActivityLine): Fact[] {
  const budget = budgetIn(about)
  return Object.entries(about).flatMap(([field, value]) => {
    // A token is identified by its CID. Its number in the database means nothing to people.
    if (value === false || (field === 'id' && 'cid' in about)) return []
    // Who asked for it follows.
    if (field === 'by' && value === 'request') return []
    // An amount includes its currency.
    if (field === 'currency' && ('amount' in about || 'max' in about)) return []
    if (budget !== undefined && (field === 'amount' || field === 'payments')) return []
    const words = own(FACTS, field)
    const name = words === undefined ? (unlockKindName(field) ?? spaced(field)) : t(words)
    if (value === true) return [{ field, name, value: '' }]
    const shown =
      (field === 'period' ? budget : undefined) ??
      sumWords(field, value, about.currency) ??
      valueWords(field, value)
    return [{ field, name, value: shown, ...(FINDS.has(field) && { finds: `${value}` }) }]
  })
}

const isPeriod = (value: unknown): value is Budget['period'] =>
  value === 'day' || value === 'week' || value === 'month'

/** A mandate's budget, as its sentence tells it. A period beside other facts could be read as that of a single payment. */
function budgetIn({ period, currency, amount, payments }: About): string | undefined {
  if (!isPeriod(period) || typeof currency !== 'string' || !isCurrency(currency)) return undefined
  const sums = { ...(isCount(amount) && { amount }), ...(isCount(payments) && { payments }) }
  return budgetWords({ period, ...sums }, currency) || undefined
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value)

/** Facts that are money in minor units, in the currency of their line. */
const SUMS: ReadonlySet<string> = new Set(['amount', 'max'])

function sumWords(field: string, value: string | number, currency: unknown): string | undefined {
  if (!SUMS.has(field) || !Number.isSafeInteger(value)) return undefined
  return typeof currency === 'string' && isCurrency(currency) ? money(Number(value), currency) : undefined
}

function unlockKindName(field: string): string | undefined {
  const kind = field === 'recoveryCode' ? 'recovery_code' : field
  return isKind(kind) ? kindName(kind) : undefined
}

function isKind(value: unknown): value is UnlockKind {
  return UNLOCKING.some((kind) => kind === value)
}

const MINUTE = 60_000

function valueWords(field: string, value: string | number): string {
  if (field === 'by' && isKind(value)) return kindName(value)
  if (field === 'name') return refusalTitle(`${value}`) ?? String(value)
  if (value === 'by hand') return t`by hand`
  if (field === 'payee' && typeof value === 'string') return payeeWords(value)
  if (field === 'by' && value === 'hand') return t`a person`
  if (field === 'by' && value === 'mandate') return t`the vault’s own mandate`
  if (value === 'idle') return t`unused for a while`
  if (field === 'after' && value === 'never') return t`never`
  if (field === 'after' && typeof value === 'number') {
    return plural(Math.round(value / MINUTE), { one: '# minute', other: '# minutes' })
  }
  return String(value)
}
