import { callDevice } from '../device-calls.ts'
import { RelayFailure } from '../relay-failure.ts'
import type { SessionParts } from './session-parts.ts'

/** What the relay is told of removed devices. */
export class RemovalNotices {
  readonly #parts: Pick<SessionParts, 'enclave' | 'relay'>
  /** Revocations that the relay has, and with how many heads they were looked up. */
  readonly #told = new Set<string>()
  #toldAt: number | undefined
  #untold = 0

  constructor(parts: Pick<SessionParts, 'enclave' | 'relay'>) {
    this.#parts = parts
  }

  /** Removed devices of whose removal the relay doesn't know yet. */
  get untold(): number {
    return this.#untold
  }

  /** Whether the relay knows of all who were removed in so many heads. */
  isTold(heads: number): boolean {
    return heads === this.#toldAt
  }

  /**
   * Tells the relay of removed devices, until it knows: whoever removed one may have been killed before. A relay that has no room for that,
   * or refuses it, still keeps the others in step: it is told at a later meeting.
   * @param heads how many heads were read
   * @returns why it has to be told again soon: it is away, or busy
   */
  async tell(heads: number | undefined): Promise<RelayFailure | undefined> {
    if (heads === this.#toldAt) return undefined
    const { enclave, relay } = this.#parts
    const { permissions } = await callDevice(enclave, 'revoked_permissions', {})
    let failure: RelayFailure | undefined
    for (const { revocation, token } of permissions) {
      if (this.#told.has(revocation)) continue
      try {
        await relay.revoke(revocation, token)
        this.#told.add(revocation)
      } catch (error) {
        if (!(error instanceof RelayFailure)) throw error
        if (error.why !== 'network' && error.why !== 'busy') continue
        failure = error
        break
      }
    }
    this.#untold = permissions.filter(({ revocation }) => !this.#told.has(revocation)).length
    if (this.#untold === 0) this.#toldAt = heads
    return failure
  }
}
