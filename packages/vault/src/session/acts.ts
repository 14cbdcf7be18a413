import { UNLOCK_ACTS } from '../unlock/unlock-proof.ts'

/** Operations that the log records under these names, including refusals. Reading isn't logged. */
export const ACTS: Set<string> = new Set([
  ...[
    'unlock',
    'lock',
    'grant',
    'narrow',
    'receive',
    'invoke',
    'revoke',
    'issueReceipt',
    'sign',
    'handOver',
    'opened',
    'removeToken',
    'restoreToken',
    'connect',
    'endSession',
    'endTab',
  ],
  ...['authorizePayment', 'countersignPayment', 'addReceipt'],
  ...['addContact', 'changeContact', 'mergeContacts', 'removeContact', 'restoreContact'],
  ...['saveTemplate', 'removeTemplate'],
  ...['makeMandate', 'suspendMandate', 'confirmMandate', 'endMandate'],
  ...['generateKey', 'importKey', 'deleteKey', 'labelKey', 'setDefaultKey', 'labelAccount'],
  ...UNLOCK_ACTS,
  ...['exportVault', 'verifyBackup', 'importVault', 'reset', 'setAutoLock'],
])
