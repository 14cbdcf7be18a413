import type { VaultErrorCode } from './errors.ts'

/** In every event's detail. */
interface Told {
  /** The account that the event is about, if any. */
  readonly address?: string
  /** True if another tab made the change. */
  readonly remote?: boolean
}

/** What changed in an account, for `vault:changed`. */
export type VaultChange =
  | 'tokens'
  | 'sessions'
  | 'payments'
  | 'mandates'
  | 'contacts'
  | 'templates'
  | 'handovers'
  | 'metadata'
  | 'default_key'
  | 'key_label'
  | 'account_label'
  | 'passphrase'
  | 'unlock_methods'
  | 'settings'
  | 'backup'
  /** Lines of other devices have come. A line of this device's log announces nothing. */
  | 'activity'
  | 'devices'
  | 'accounts'
  | 'removed'
  | 'ended'

/** The vault's events and what each carries. No event carries a secret, a token's text or a label. */
export interface VaultEventMap {
  /** The vault is ready, or an account has become the active one. */
  'vault:initialized': Told & { readonly locked: boolean }
  'vault:locked': Told
  'vault:unlocked': Told
  'vault:key_generated': Told & { readonly keyId: string }
  'vault:key_deleted': Told & { readonly keyId: string }
  'vault:exported': Told & { readonly tokens: number }
  'vault:imported': Told & { readonly tokens: number; readonly keys: number }
  /** An operation was refused or failed and changed nothing. */
  'vault:error': Told & {
    readonly code: VaultErrorCode
    readonly message: string
    readonly operation: string
  }
  /** Any other change to an account. */
  'vault:changed': Told & { readonly change: VaultChange }
}

export type VaultEventName = keyof VaultEventMap

/** One event of the vault: a `CustomEvent` whose `detail` belongs to its name. */
export type VaultEvent<Name extends VaultEventName> = CustomEvent<VaultEventMap[Name]>

export type VaultListener<Name extends VaultEventName> = (detail: VaultEventMap[Name]) => void

type Handler<Name extends VaultEventName> =
  | ((event: VaultEvent<Name>) => void)
  | { handleEvent(event: VaultEvent<Name>): void }

/** An `EventTarget` that knows each event's type by name. */
export interface TypedEventTarget extends EventTarget {
  addEventListener<Name extends VaultEventName>(
    type: Name,
    listener: Handler<Name> | null,
    options?: AddEventListenerOptions | boolean,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void
  removeEventListener<Name extends VaultEventName>(
    type: Name,
    listener: Handler<Name> | null,
    options?: EventListenerOptions | boolean,
  ): void
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: EventListenerOptions | boolean,
  ): void
}

const Typed: new () => TypedEventTarget = EventTarget

/**
 * A typed `EventTarget`. `addEventListener` works as usual and gets a `VaultEvent`; `on` is shorter: it passes the
 * detail and returns its own unsubscribe.
 */
export class VaultEvents extends Typed {
  on<Name extends VaultEventName>(name: Name, listener: VaultListener<Name>): () => void {
    const handle = (event: Event) => {
      if (event instanceof CustomEvent) listener(event.detail)
    }
    this.addEventListener(name, handle)
    return () => this.removeEventListener(name, handle)
  }
}

/** Raises an event of the vault. */
export function raise<Name extends VaultEventName>(
  on: VaultEvents,
  name: Name,
  detail: VaultEventMap[Name],
): void {
  on.dispatchEvent(new CustomEvent(name, { detail }))
}

const NAMES: readonly VaultEventName[] = [
  'vault:initialized',
  'vault:locked',
  'vault:unlocked',
  'vault:key_generated',
  'vault:key_deleted',
  'vault:exported',
  'vault:imported',
  'vault:error',
  'vault:changed',
]

/** Forwards all events of one layer to the other. */
export function passOn(from: VaultEvents, to: VaultEvents): void {
  for (const name of NAMES) {
    from.addEventListener(name, (event: Event) => {
      if (event instanceof CustomEvent) to.dispatchEvent(new CustomEvent(name, { detail: event.detail }))
    })
  }
}
