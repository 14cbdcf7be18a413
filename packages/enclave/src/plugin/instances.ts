import { EnclaveError } from '../errors.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import { holdLock, type Release } from '../locks.ts'
import { Instance, type Listener } from './instance.ts'
import type { PluginOptions, RunningPlugin } from './running-plugin.ts'

/** How long to wait for an account's lock, in milliseconds: a worker that is ending may still hold it. */
const PATIENCE = 3_000

/** How a worker claims an account. */
export interface Exclusion {
  readonly locks: LockManager
  /** `exclusive` in a SharedWorker; `shared` if each tab has its own worker. */
  readonly mode: LockMode
}

interface Entry {
  readonly started: Promise<Instance>
  readonly clients: Set<Listener>
  readonly sha256: string
  account: string | undefined
  release: Release | undefined
}

/** A client's connection to an instance. */
export interface Seat {
  readonly instance: Instance
  /** Names the instance. @throws EnclaveError OPERATION_FAILED if the account is held elsewhere */
  adopt(account: string): Promise<void>
  /** Leaves. When the last client leaves, the instance is erased. */
  leave(): Promise<void>
}

/** Starts a plugin from these bytes. */
export type BeginPlugin = (wasm: VerifiedWasm, options: PluginOptions) => Promise<RunningPlugin>

/** A worker's instances: one per account, and one for each client without an account. */
export class Instances {
  readonly #begin: BeginPlugin
  readonly #exclusion: Exclusion | undefined
  readonly #entries = new Set<Entry>()

  constructor(begin: BeginPlugin, exclusion?: Exclusion) {
    this.#begin = begin
    this.#exclusion = exclusion
  }

  /**
   * Gives a client the instance of its account, or a new one.
   * @throws EnclaveError OPERATION_FAILED if the account is held elsewhere, or here by another build of the plugin
   */
  async seat(
    client: Listener,
    account: string | undefined,
    wasm: VerifiedWasm,
    options: PluginOptions,
  ): Promise<Seat> {
    const entry = this.#find(account) ?? this.#start(account, wasm, options)
    if (entry.sha256 !== wasm.sha256) throw heldElsewhere(account)
    entry.clients.add(client)
    try {
      const instance = await entry.started
      instance.listeners.add(client)
      return {
        instance,
        adopt: (name) => this.#adopt(entry, name),
        leave: () => this.#leave(entry, client),
      }
    } catch (error) {
      await this.#leave(entry, client)
      throw error
    }
  }

  /** Ends every instance at once, whatever it is doing. For instances without secrets. */
  async abandon(): Promise<void> {
    for (const { started } of this.#entries) await (await started.catch(() => undefined))?.abandon()
    this.#entries.clear()
  }

  #find(account: string | undefined): Entry | undefined {
    if (account === undefined) return undefined
    return [...this.#entries].find((entry) => entry.account === account)
  }

  #start(account: string | undefined, wasm: VerifiedWasm, options: PluginOptions): Entry {
    const start = async () => {
      if (account !== undefined) entry.release = await this.#hold(account)
      return new Instance(await this.#begin(wasm, options))
    }
    const entry: Entry = {
      clients: new Set(),
      sha256: wasm.sha256,
      account,
      release: undefined,
      started: Promise.resolve().then(start),
    }
    this.#entries.add(entry)
    return entry
  }

  async #adopt(entry: Entry, account: string): Promise<void> {
    if (entry.account === account) return
    if (this.#find(account)) throw heldElsewhere(account)
    const before = { account: entry.account, release: entry.release }
    entry.account = account
    try {
      entry.release = await this.#hold(account)
    } catch (error) {
      entry.account = before.account
      throw error
    }
    before.release?.()
  }

  async #leave(entry: Entry, client: Listener): Promise<void> {
    entry.clients.delete(client)
    if (entry.clients.size > 0 || !this.#entries.delete(entry)) {
      const instance = await entry.started.catch(() => undefined)
      instance?.listeners.delete(client)
      return
    }
    // From now on, the account gets a new instance, which waits for this lock.
    const instance = await entry.started.catch(() => undefined)
    await instance?.wipe()
    entry.release?.()
  }

  async #hold(account: string): Promise<Release | undefined> {
    if (!this.#exclusion) return undefined
    const { locks, mode } = this.#exclusion
    const release = await holdLock(locks, `keyhole:account:${account}`, mode, PATIENCE)
    if (!release) throw heldElsewhere(account)
    return release
  }
}

function heldElsewhere(account: string | undefined): EnclaveError {
  return new EnclaveError(
    'OPERATION_FAILED',
    'This account is open in another version of Keyhole, or in another tab. Close or reload the other tabs and try again.',
    { account },
  )
}
