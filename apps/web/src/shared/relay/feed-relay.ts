import { knowsRelay } from './delivered.ts'
import { ownRelay } from './own-relay.ts'
import { hasRelay, isRelayOn } from './relay-setting.ts'

/** The relay that has the account's feed of revocations; undefined if there is none, or its owner turned it off. Never fails. */
export async function feedRelay(address: string): Promise<string | undefined> {
  if (!isRelayOn()) return undefined
  // Without a network no one says whether there is one. An account that used one has one.
  const isThere = await hasRelay().catch(() => knowsRelay(address))
  return isThere ? ownRelay() : undefined
}
