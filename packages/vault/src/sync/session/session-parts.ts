import type { Enclave } from '@keyhole/enclave'
import type { VaultChange } from '../../base/events.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import type { NamesParts } from '../names/account-names.ts'
import type { Relay } from '../relay.ts'

/** What a device's session works with. */
export interface SessionParts {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  readonly relay: Relay
  readonly now: () => number
  readonly isStopped: () => boolean
  /** Takes keys and unlock methods from the last head into the account. @param isOwn whether it is the one that was just proposed */
  readonly adopt: (isOwn: boolean) => Promise<void>
  /** Gives the account, a key or an unlock method the name that another device gave. */
  readonly rename: NamesParts['rename']
  /** Announces changes to the account. */
  readonly changed: (changes: ReadonlySet<VaultChange>) => void
}
