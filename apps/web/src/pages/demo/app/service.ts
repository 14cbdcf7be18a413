import type { Enclave } from '@keyhole/enclave'
import { Authority } from '../../../../../../examples/verify-server/authority.js'
import { MemoryReplayStore } from '../../../../../../examples/verify-server/replay-store.js'
import { MemoryRevocationStore } from '../../../../../../examples/verify-server/revocation-store.js'

const inSeconds = () => Math.floor(Date.now() / 1000)

/** What decides about calls: all of examples/verify-server but its HTTP. */
export type Service = Authority

/**
 * The service whose resources are the owner's, as `createService` of examples/verify-server puts it together.
 *
 * @param enclave a keyless one
 * @param did the owner's
 */
export function serviceOf(enclave: Enclave, did: string, now: () => number = inSeconds): Service {
  return new Authority({
    ...{ enclave, did, now },
    replays: new MemoryReplayStore(now),
    revocations: new MemoryRevocationStore(now),
  })
}
