import { toKeyVaultError, type VaultError } from '../base/errors.ts'
import type { VaultChange } from '../base/events.ts'
import type { Mandate } from '../enclave/mandate.ts'
import type { PaymentRecord } from '../enclave/payment.ts'
import type { KeyVault } from '../key-vault.ts'

/** What every list says of itself. */
interface Listed {
  /** True until what the account at hand holds has been read once. */
  readonly loading: boolean
  /** Why it could not be read; what is shown is then the last that could. */
  readonly error?: VaultError
}

/** The payments at one moment, newest first: the same reference until something changes. None while locked. */
export interface PaymentListSnapshot extends Listed {
  readonly payments: readonly PaymentRecord[]
}

/** The mandates at one moment, the oldest first: the same reference until something changes. None while locked. */
export interface MandateListSnapshot extends Listed {
  readonly mandates: readonly Mandate[]
}

/** How a list is read and shown. */
interface Source<T, S> {
  /** Of `vault:changed`: after which it is read again. */
  readonly change: VaultChange
  readonly read: () => Promise<readonly T[]>
  readonly toSnapshot: (listed: Listed, items: readonly T[]) => S
}

/**
 * Something sealed in the account, as a store for `useSyncExternalStore`: read when someone subscribes while the vault is
 * unlocked, and again when it changes in any tab or another account is opened; gone with the lock.
 */
class SealedList<T, S extends Listed> {
  readonly #vault: KeyVault
  readonly #source: Source<T, S>
  readonly #listeners = new Set<() => void>()
  #items: readonly T[] = []
  #snapshot: S
  /** Of which account, and of which change to it, the snapshot is. */
  #account = ''
  #shown = ''
  #version = 0
  #unsubscribe: (() => void) | undefined

  constructor(vault: KeyVault, source: Source<T, S>) {
    this.#vault = vault
    this.#source = source
    this.#snapshot = source.toSnapshot({ loading: true }, [])
  }

  readonly getSnapshot = (): S => this.#snapshot

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
    const again = () => {
      this.#version += 1
      this.#follow()
    }
    const stops = [
      this.#vault.subscribe(() => this.#follow()),
      this.#vault.on('vault:changed', ({ change }) => change === this.#source.change && again()),
      this.#vault.on('vault:imported', again),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  #follow(): void {
    const { phase, address } = this.#vault.getSnapshot()
    const account = phase === 'unlocked' ? `${address}` : ''
    const shown = `${phase} ${account} ${this.#version}`
    if (shown === this.#shown) return
    this.#shown = shown
    if (account !== this.#account || account === '')
      this.#show({ loading: ['uninitialized', 'loading'].includes(phase) || account !== '' }, [])
    this.#account = account
    if (account === '') return
    this.#source.read().then(
      (items) => shown === this.#shown && this.#show({ loading: false }, items),
      (error: unknown) => {
        if (shown !== this.#shown) return
        this.#show({ loading: false, error: toKeyVaultError(error) }, this.#items)
      },
    )
  }

  #show(listed: Listed, items: readonly T[]): void {
    this.#items = items
    this.#snapshot = Object.freeze(this.#source.toSnapshot(listed, items))
    for (const listener of [...this.#listeners]) listener()
  }
}

/** The payments as a store. */
export class PaymentList extends SealedList<PaymentRecord, PaymentListSnapshot> {
  constructor(vault: KeyVault) {
    const toSnapshot = (listed: Listed, payments: readonly PaymentRecord[]) => ({ ...listed, payments })
    super(vault, { change: 'payments', read: () => vault.payments.list(), toSnapshot })
  }
}

/** The mandates with a budget as a store. */
export class MandateList extends SealedList<Mandate, MandateListSnapshot> {
  constructor(vault: KeyVault) {
    const toSnapshot = (listed: Listed, mandates: readonly Mandate[]) => ({ ...listed, mandates })
    super(vault, { change: 'mandates', read: () => vault.mandates.list(), toSnapshot })
  }
}
