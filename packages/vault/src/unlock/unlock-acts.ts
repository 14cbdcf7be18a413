/** The operation that each method of `unlockMethods` is. The log knows those by these names that are no mere reading. */
export const UNLOCK_OPERATIONS = {
  list: 'unlockMethods',
  changePassphrase: 'changePassphrase',
  setPassphrase: 'setPassphrase',
  addPasskey: 'addPasskey',
  newRecoveryCode: 'newRecoveryCode',
  recoveryCodeConfirmed: 'unlockMethods',
  confirmRecoveryCode: 'keepRecoveryCode',
  remove: 'removeUnlockMethod',
  label: 'labelUnlockMethod',
} as const

/** Those whose refusal the log keeps: all that change how the account opens. */
export const UNLOCK_ACTS: readonly string[] = Object.values(UNLOCK_OPERATIONS).filter(
  (operation) => operation !== 'unlockMethods' && operation !== 'keepRecoveryCode',
)
