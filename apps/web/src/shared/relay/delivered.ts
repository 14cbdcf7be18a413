import { useSyncExternalStore } from 'react'

/**
 * Stored per account in this browser: the name of the relay's store after a `=`, then the CIDs of delegations whose revocation it has, with
 * a `!` in front those it refused. If this is lost, or the relay gets another store, they are sent again.
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

function write(address: string, delivered: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(address), JSON.stringify(delivered))
  } catch {
    // It is sent again next time.
  }
  for (const listener of listeners) listener()
}

/** Whether the account's revocations ever went to a relay. */
export function knowsRelay(address: string): boolean {
  return read(address)[0]?.startsWith('=') ?? false
}

/** Forgets what was delivered, if the relay has another store now. One that waits for its store doesn't name it. */
export function followStore(address: string, store: string): void {
  if (store === '' && knowsRelay(address)) return
  if (read(address)[0] !== `=${store}`) write(address, [`=${store}`])
}

/** The delegations whose revocation no longer needs sending: the relay has it, or refused it. */
export function settledOf(address: string): Set<string> {
  return new Set(read(address).map((each) => each.replace(/^!/, '')))
}

/** What the relay said to the revocation of a delegation; undefined if it doesn't have it yet. */
export function standingOf(address: string, cid: string): 'taken' | 'refused' | undefined {
  const delivered = read(address)
  return delivered.includes(cid) ? 'taken' : delivered.includes(`!${cid}`) ? 'refused' : undefined
}

/** Records that the relay has the revocation of a delegation, or refused it. */
export function remember(address: string, cid: string, isTaken: boolean): void {
  write(address, [...read(address), isTaken ? cid : `!${cid}`])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** What the relay said to a revocation, in a component. */
export function useStanding(address: string | undefined, cid: string): 'taken' | 'refused' | undefined {
  return useSyncExternalStore(subscribe, () => (address === undefined ? undefined : standingOf(address, cid)))
}
