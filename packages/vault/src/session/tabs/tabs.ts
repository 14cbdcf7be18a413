import * as v from 'valibot'
import type { VaultEventMap, VaultEventName } from '../../base/events.ts'

const told = { address: v.exactOptional(v.string()) }

/**
 * What a tab accepts from another: events, checked field by field, and when the account was last used. Anything else
 * comes from another version and is ignored.
 */
const message = v.variant('name', [
  v.object({ name: v.literal('used'), detail: v.object({ ...told, at: v.number() }) }),
  v.object({ name: v.literal('vault:initialized'), detail: v.object({ ...told, locked: v.boolean() }) }),
  v.object({ name: v.literal('vault:locked'), detail: v.object(told) }),
  v.object({ name: v.literal('vault:unlocked'), detail: v.object(told) }),
  v.object({ name: v.literal('vault:key_generated'), detail: v.object({ ...told, keyId: v.string() }) }),
  v.object({ name: v.literal('vault:key_deleted'), detail: v.object({ ...told, keyId: v.string() }) }),
  v.object({ name: v.literal('vault:exported'), detail: v.object({ ...told, tokens: v.number() }) }),
  v.object({
    name: v.literal('vault:imported'),
    detail: v.object({ ...told, tokens: v.number(), keys: v.number() }),
  }),
  v.object({
    name: v.literal('vault:error'),
    detail: v.object({
      ...told,
      code: v.picklist([
        'VAULT_NOT_INITIALIZED',
        'VAULT_ALREADY_INITIALIZED',
        'VAULT_LOCKED',
        'KEY_NOT_FOUND',
        'INVALID_KEY_TYPE',
        'OPERATION_FAILED',
        'INVALID_PASSPHRASE',
        'WASM_NOT_LOADED',
        'NOT_INITIALIZED',
        'TIMEOUT',
      ]),
      message: v.string(),
      operation: v.string(),
    }),
  }),
  v.object({
    name: v.literal('vault:changed'),
    detail: v.object({
      ...told,
      change: v.picklist([
        'tokens',
        'sessions',
        'payments',
        'mandates',
        'contacts',
        'templates',
        'handovers',
        'metadata',
        'default_key',
        'key_label',
        'account_label',
        'passphrase',
        'unlock_methods',
        'settings',
        'backup',
        'activity',
        'accounts',
        'removed',
      ]),
    }),
  }),
])
export type TabMessage = v.InferOutput<typeof message>

/** The channel on which tabs tell each other that the list of accounts has changed. */
export const ACCOUNTS_CHANNEL = 'accounts'

/**
 * A channel between the tabs of this site: `keyhole:<address>` for an account. It carries events and times of use,
 * never a secret.
 */
export class TabChannel {
  readonly #channel: BroadcastChannel | undefined

  constructor(name: string, listener: (message: TabMessage) => void) {
    if (typeof globalThis.BroadcastChannel !== 'function') return
    this.#channel = new BroadcastChannel(`keyhole:${name}`)
    this.#channel.onmessage = (event) => {
      const parsed = v.safeParse(message, event.data)
      if (parsed.success) listener(parsed.output)
    }
    // In Node an open channel would keep the process alive, even if the vault only listens.
    const { unref } = this.#channel as BroadcastChannel & { unref?: () => void }
    if (typeof unref === 'function') unref.call(this.#channel)
  }

  post<Name extends VaultEventName>(name: Name, detail: VaultEventMap[Name]): void {
    this.#channel?.postMessage({ name, detail })
  }

  /** Tells the other tabs when a person last used the account, in milliseconds since 1970. */
  postUse(address: string, at: number): void {
    this.#channel?.postMessage({ name: 'used', detail: { address, at } })
  }

  close(): void {
    this.#channel?.close()
  }
}
