import type { ActivityLine } from '@keyhole/vault'

/** What each act of the log was, as a sentence without its end. */
const ACTS: Readonly<Record<string, string>> = {
  create: 'Made the vault',
  unlock: 'Unlocked',
  lock: 'Locked',
  autoLock: 'Locked by itself',
  failedUnlocks: 'Failed tries to unlock',
  grant: 'Granted something',
  narrow: 'Narrowed a token and passed it on',
  receive: 'Took in a token',
  invoke: 'Signed a request',
  revoke: 'Revoked a token',
  issueReceipt: 'Signed a receipt',
  removeToken: 'Removed a token',
  sign: 'Signed data',
  generateKey: 'Made a key',
  deleteKey: 'Deleted a key',
  setDefaultKey: 'Chose the key that signs',
  labelKey: 'Named a key',
  importKey: 'Brought in a key from elsewhere',
  labelAccount: 'Named the account',
  changePassphrase: 'Changed the passphrase',
  setPassphrase: 'Set the passphrase',
  addPasskey: 'Added a passkey',
  newRecoveryCode: 'Made a recovery code',
  removeUnlockMethod: 'Removed an unlock method',
  labelUnlockMethod: 'Named an unlock method',
  setAutoLock: 'Changed when it locks',
  exportVault: 'Wrote a backup',
  importVault: 'Brought in a backup',
  verifyBackup: 'Checked a backup',
  restoreLost: 'Restored the vault',
}

/** What an act was, in words; one that is not known here is named by its own name, spaced. */
export function actWords(act: string): string {
  const known = ACTS[act]
  if (known !== undefined) return known
  const words = spaced(act)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function spaced(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'done',
  INVALID_PASSPHRASE: 'wrong proof',
  VAULT_LOCKED: 'vault was locked',
  KEY_NOT_FOUND: 'no such key',
  INVALID_KEY_TYPE: 'no such key type',
  OPERATION_FAILED: 'refused',
  TIMEOUT: 'took too long',
  WASM_NOT_LOADED: 'engine missing',
}

/** How an act ended, in words. */
export function outcomeWords(outcome: string): string {
  return OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ').toLowerCase()
}

/** What a line is about, as names and values; what is only so or not so is a name without a value, or left out. */
export function aboutFacts({ about }: ActivityLine): [name: string, value: string][] {
  return Object.entries(about ?? {}).flatMap(([name, value]) =>
    value === false ? [] : [[spaced(name), value === true ? '' : String(value)]],
  )
}
