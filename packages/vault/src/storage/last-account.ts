const KEY = 'keyhole:last-account'

/** The account that was open last; undefined where there was none, or where there is no localStorage. */
export function readLastAccount(): string | undefined {
  try {
    return globalThis.localStorage?.getItem(KEY) || undefined
  } catch {
    return undefined
  }
}

/** Remembers an account as the one to open next time; `undefined` forgets. Without localStorage nothing is remembered. */
export function rememberLastAccount(address: string | undefined): void {
  try {
    if (address === undefined) globalThis.localStorage?.removeItem(KEY)
    else globalThis.localStorage?.setItem(KEY, address)
  } catch {
    // Storage that is full or forbidden costs a convenience here, and must not cost the operation.
  }
}
