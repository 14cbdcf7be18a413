// Where older clients noted, in the clear, that a recovery code was unconfirmed. It is no longer written, and the next confirmation removes it.
const PREFIX = 'keyhole:unkept:'

/** Removes what an older client noted about an account's recovery code. */
export function forgetUnconfirmedCode(address: string): void {
  try {
    localStorage.removeItem(PREFIX + address)
  } catch {
    // Then nothing was noted either.
  }
}

/** Whether an older client noted that an account’s recovery code is unconfirmed. */
export function isNotedUnconfirmed(address: string | undefined): boolean {
  try {
    return address !== undefined && localStorage.getItem(PREFIX + address) !== null
  } catch {
    return false
  }
}
