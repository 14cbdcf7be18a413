import * as v from 'valibot'
import { refused } from '../base/errors.ts'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'
import { DEFAULT_AUTO_LOCK, MIN_AUTO_LOCK } from './auto-lock.ts'
import type { Changes } from './changes.ts'
import type { VaultContext } from './context.ts'

const KEY = 'settings'

const settings = v.object({
  autoLock: v.optional(v.nullable(v.pipe(v.number(), v.minValue(MIN_AUTO_LOCK))), DEFAULT_AUTO_LOCK),
})

/** The account's settings: sealed metadata, so no one can see or change them while it's locked. */
export class Settings {
  readonly #context: VaultContext
  readonly #changes: Changes

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
    context.events.on('vault:unlocked', () => void this.#load())
    context.events.on('vault:initialized', ({ locked }) => !locked && void this.#load())
    // By another tab, or another device.
    context.events.on('vault:changed', ({ change }) => {
      if (change === 'settings') void this.#load()
    })
    context.events.on('vault:locked', () => this.#context.setAutoLock(DEFAULT_AUTO_LOCK))
  }

  /**
   * Sets how long the account stays unlocked without use. Stored sealed, and applied in every tab at once.
   * @param milliseconds at least 60,000; null: forever
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  async setAutoLock(milliseconds: number | null): Promise<void> {
    if (milliseconds !== null && !(Number.isSafeInteger(milliseconds) && milliseconds >= MIN_AUTO_LOCK)) {
      throw refused('AutoLockTooShort')
    }
    this.#context.requireUnlocked()
    const { client, snapshot, isPersistent } = this.#context
    const { enclave } = client
    const { address = '' } = snapshot
    if (isPersistent) {
      const text = JSON.stringify({ autoLock: milliseconds })
      const batch = async () => {
        const now = await this.#context.laterThanStored(KEY)
        return { metadata: [await sealMetadata(enclave, address, KEY, text, now)] }
      }
      await this.#changes.record('setAutoLock', { after: milliseconds ?? 'never' }, batch, enclave)
    }
    if (!client.holds(enclave)) return
    this.#context.setAutoLock(milliseconds)
    this.#context.changed('settings')
  }

  /**
   * Sets which hosts Keyhole may ask for the keys of a `did:web` when it checks tokens and receipts. Applies to this
   * object only and is not stored. Checks in progress are cancelled.
   * @param hosts names such as `mybank.example`, without a scheme or a port
   */
  async allowDidWebHosts(hosts: readonly string[]): Promise<void> {
    await this.#context.client.allowDidWebHosts(hosts)
  }

  async #load(): Promise<void> {
    const { client, isPersistent, snapshot } = this.#context
    const { address } = snapshot
    if (!isPersistent || address === undefined) return
    try {
      const text = await openMetadata(client.enclave, await client.storage.readMetadataOf(KEY))
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), settings), text)
      if (!parsed.success || this.#context.snapshot.address !== address) return
      if (this.#context.snapshot.phase === 'unlocked') this.#context.setAutoLock(parsed.output.autoLock)
    } catch {
      // Locked again, or unreadable: keep the current limit, which is never longer than the default.
    }
  }
}
