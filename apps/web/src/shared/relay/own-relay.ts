/** The relay of the client's server: a page may connect to no other. */
export function ownRelay(): string {
  return `${location.origin}/relay`
}

/** Whether an address is that of the client's own relay. */
export function isOwnRelay(address: string): boolean {
  return address.replace(/\/$/, '') === ownRelay()
}
