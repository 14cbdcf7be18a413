import * as v from 'valibot'
import { DEFAULT_AUTO_LOCK, MIN_AUTO_LOCK } from './auto-lock.ts'
import { VaultError } from './errors.ts'
import { openMetadata, sealMetadata } from './sealed-metadata.ts'
import type { VaultCore } from './vault-core.ts'

const KEY = 'settings'

const settings = v.object({
  autoLock: v.optional(v.nullable(v.pipe(v.number(), v.minValue(MIN_AUTO_LOCK))), DEFAULT_AUTO_LOCK),
})

/** The account's settings: sealed metadata, so that nobody sees or changes them while it is locked. */
export class Settings {
  readonly #core: VaultCore

  constructor(core: VaultCore) {
    this.#core = core
    core.events.on('vault:unlocked', () => void this.#load())
    core.events.on('vault:initialized', ({ locked }) => !locked && void this.#load())
    core.events.on('vault:changed', ({ change, remote }) => {
      if (change === 'settings' && remote) void this.#load()
    })
    core.events.on('vault:locked', () => this.#core.setAutoLock(DEFAULT_AUTO_LOCK))
  }

  /** @param milliseconds without use until the account is locked; null: never */
  async setAutoLock(milliseconds: number | null): Promise<void> {
    if (milliseconds !== null && !(Number.isSafeInteger(milliseconds) && milliseconds >= MIN_AUTO_LOCK)) {
      throw new VaultError(
        'OPERATION_FAILED',
        'A vault locks itself after one minute of rest at the soonest, or never.',
      )
    }
    this.#core.requireUnlocked()
    const { client, snapshot, isPersistent } = this.#core
    const { address = '' } = snapshot
    if (isPersistent) {
      const text = JSON.stringify({ autoLock: milliseconds })
      const metadata = [await sealMetadata(client.enclave, address, KEY, text, this.#core.clock.now())]
      await this.#core.changes.record('setAutoLock', { after: milliseconds ?? 'never' }, { metadata })
    }
    this.#core.setAutoLock(milliseconds)
    this.#core.changed('settings')
  }

  async #load(): Promise<void> {
    const { client, isPersistent, snapshot } = this.#core
    const { address } = snapshot
    if (!isPersistent || address === undefined) return
    try {
      const text = await openMetadata(client.enclave, await client.storage.readMetadataOf(KEY))
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), settings), text)
      if (!parsed.success || this.#core.snapshot.address !== address) return
      if (this.#core.snapshot.phase === 'unlocked') this.#core.setAutoLock(parsed.output.autoLock)
    } catch {
      // Locked again by now, or unreadable: then what was there holds, which is never later than the default.
    }
  }
}
