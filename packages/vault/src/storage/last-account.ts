const KEY = 'keyhole:last-account'

/** The account that was open last, if any; undefined without localStorage. */
export function readLastAccount(): string | undefined {
  try {
    return globalThis.localStorage?.getItem(KEY) || undefined
  } catch {
    return undefined
  }
}

/** Remembers the account to open next time; `undefined` forgets it. Does nothing without localStorage. */
export function rememberLastAccount(address: string | undefined): void {
  try {
    if (address === undefined) globalThis.localStorage?.removeItem(KEY)
    else globalThis.localStorage?.setItem(KEY, address)
  } catch {
    // Full or blocked storage only costs a convenience, so the operation mustn't fail.
  }
}
