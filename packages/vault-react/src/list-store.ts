import { type KeyVault, type VaultChange, VaultError } from '@keyhole/vault'

/** A list at one moment: the same reference until something changes. */
export interface ListSnapshot<T> {
  /** True until the open account's list has been read once. */
  readonly loading: boolean
  readonly items: readonly T[]
  /** Why the last read failed. `items` then comes from the read before. */
  readonly error?: VaultError
}

export interface ListSource<T> {
  /** The kind of change that makes the list read again. */
  readonly change: VaultChange
  readonly read: () => Promise<readonly T[]>
  /** What to show of an item while locked. Without this, the list is empty while locked. */
  readonly whileLocked?: (item: T) => T
}

/**
 * One of the account's lists, for `useSyncExternalStore`. Read on subscribing, and again when it changes in any tab,
 * when another account is opened, and when the vault is unlocked.
 */
export class ListStore<T> {
  readonly #vault: KeyVault
  readonly #source: ListSource<T>
  readonly #listeners = new Set<() => void>()
  #snapshot: ListSnapshot<T> = { loading: true, items: [] }
  #account: string | undefined
  /** The account, phase and change the list was last read for. */
  #shown = ''
  #changes = 0
  #unsubscribe: (() => void) | undefined

  constructor(vault: KeyVault, source: ListSource<T>) {
    this.#vault = vault
    this.#source = source
  }

  readonly getSnapshot = (): ListSnapshot<T> => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#unsubscribe ??= this.#listen()
    this.#follow()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
      this.#shown = ''
    }
  }

  #listen(): () => void {
    const changed = () => {
      this.#changes += 1
      this.#follow()
    }
    const stops = [
      this.#vault.subscribe(() => this.#follow()),
      this.#vault.on('vault:changed', ({ change }) => change === this.#source.change && changed()),
      this.#vault.on('vault:imported', changed),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  #follow(): void {
    const { phase, address, tokensVersion } = this.#vault.getSnapshot()
    const shown = `${phase} ${address} ${this.#source.change === 'tokens' ? tokensVersion : this.#changes}`
    if (shown === this.#shown) return
    this.#shown = shown
    const { whileLocked, read } = this.#source
    const isOpening = phase === 'uninitialized' || phase === 'loading'
    const isReadable = address !== undefined && (phase === 'unlocked' || (phase === 'locked' && whileLocked))
    if (isOpening || !isReadable || address !== this.#account) {
      this.#account = isReadable ? address : undefined
      this.#show({ loading: isOpening || Boolean(isReadable), items: [] })
    }
    if (isOpening || !isReadable) return
    // Hide what is sealed as soon as the vault locks, without waiting for the next read.
    if (phase === 'locked' && whileLocked)
      this.#show({ ...this.#snapshot, items: this.#snapshot.items.map(whileLocked) })
    read().then(
      (items) => shown === this.#shown && this.#show({ loading: false, items }),
      (error: unknown) => {
        if (shown === this.#shown)
          this.#show({ loading: false, items: this.#snapshot.items, error: asVaultError(error) })
      },
    )
  }

  #show(snapshot: ListSnapshot<T>): void {
    this.#snapshot = Object.freeze(snapshot)
    for (const listener of [...this.#listeners]) listener()
  }
}

function asVaultError(error: unknown): VaultError {
  return error instanceof VaultError
    ? error
    : new VaultError('OPERATION_FAILED', 'The list could not be read.', undefined, { cause: error })
}
