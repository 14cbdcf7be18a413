// Where a browser keeps accounts, for whoever looks whether there are any before the vault is loaded.

/** The local databases' names: this, and the account's address. */
export const DATABASE_PREFIX = 'vault_'

/** The folder of all mirrors in the origin's private file system. */
export const MIRROR_FOLDER = 'keyhole'

/** Where `localStorage` remembers the addresses of the accounts that exist: beside IndexedDB, which can vanish without an error. */
export const CANARY_KEY = 'keyhole:accounts'
