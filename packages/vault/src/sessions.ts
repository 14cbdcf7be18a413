import type { SessionRecord } from './schema.ts'
import type { VaultCore } from './vault-core.ts'

/** The account's sessions: the apps that are connected, until each one's time is up or it is ended. */
export class Sessions {
  readonly #core: VaultCore

  constructor(core: VaultCore) {
    this.#core = core
  }

  /** Those whose time is not up, newest first. */
  async list(): Promise<SessionRecord[]> {
    const { client, clock, isPersistent } = this.#core
    if (!isPersistent) return []
    const now = clock.now()
    return (await client.getSessions()).filter(({ expiresAt }) => expiresAt > now)
  }

  /** Ends these, with one line in the log. */
  async end(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const { changes, snapshot } = this.#core
    this.#core.requireUnlocked()
    const [only] = ids.length === 1 ? ids : []
    const about = { sessions: ids.length, ...(only !== undefined && { id: only }) }
    await changes.record('endSession', about, { removed: { sessions: ids } })
    const { address } = snapshot
    this.#core.announce('vault:changed', { ...(address !== undefined && { address }), change: 'sessions' })
  }
}
