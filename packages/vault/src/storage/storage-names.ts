// Where a browser stores accounts, for code that looks for them before the vault is loaded.

export { DEVICES_KEY } from '../base/devices-key.ts'

/** Databases are named with this prefix and the account's address. */
export const DATABASE_PREFIX = 'vault_'

/** The folder of all mirrors in the origin's private file system. */
export const MIRROR_FOLDER = 'keyhole'

/** Where `localStorage` remembers the addresses of existing accounts, because IndexedDB can vanish without an error. */
export const CANARY_KEY = 'keyhole:accounts'
