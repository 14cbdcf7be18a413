import { useSyncExternalStore } from 'react'

/**
 * Stored per account in this browser: CIDs of delegations whose revocation the relay has, and with a `!` in front those it refused. If this
 * is lost, they are sent again.
 */
const keyOf = (address: string) => `keyhole:delivered:${address}`
const listeners = new Set<() => void>()

function read(address: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(address)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** The delegations whose revocation no longer needs sending: the relay has it, or refused it. */
export function deliveredOf(address: string): Set<string> {
  return new Set(read(address).map((each) => each.replace(/^!/, '')))
}

/** Whether the relay has the revocation of a delegation. */
export function hasDelivered(address: string, cid: string): boolean {
  return read(address).includes(cid)
}

/** Records that the relay has the revocation of a delegation, or refused it. */
export function remember(address: string, cid: string, isTaken: boolean): void {
  try {
    localStorage.setItem(keyOf(address), JSON.stringify([...read(address), isTaken ? cid : `!${cid}`]))
  } catch {
    // It is sent again next time.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** The same in a component. */
export function useDelivered(address: string | undefined, cid: string): boolean {
  return useSyncExternalStore(subscribe, () => address !== undefined && hasDelivered(address, cid))
}
