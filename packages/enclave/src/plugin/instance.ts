import { isChange } from '../declared.ts'
import { reasonOf } from '../errors.ts'
import { isForDevices } from '../for-devices.ts'
import { parseJson } from '../json.ts'
import type { AnyExport, EnclaveChange, Refusal } from '../types.ts'
import type { RunningPlugin } from './running-plugin.ts'
import { letMessagesIn } from './turns.ts'

/** The start of every refusal, and of no result. */
const REFUSAL = '{"error":'

/** The answer of a call without a result. */
const DONE = '{}'

/**
 * How many short derivations it takes until the engine has optimized the code. Without them, the first real one takes a
 * third longer.
 */
const DERIVATIONS = 8
const DERIVATION = JSON.stringify({ memory_kib: 1, derives: true })
const WARMING = '{}'

/** The answer to a call that a lock has overtaken. */
const LOCKED = JSON.stringify({
  error: 'The vault was locked meanwhile: unlock it first.',
  code: 'VAULT_LOCKED',
  name: 'VaultLocked',
} satisfies Refusal)

/** The answer of a build without devices to a call for them. */
const DEVICES_NOT_LOADED = JSON.stringify({
  error: 'This enclave was started without devices: start it with `devices: true`.',
  code: 'OPERATION_FAILED',
  name: 'DevicesNotLoaded',
} satisfies Refusal)

const CLOSED: Answer = { output: undefined, failure: 'The enclave is closed.' }

/** Gets told about changes. */
export interface Listener {
  notify(change: EnclaveChange): void
}

/** A call's result: output text or nothing, or why it failed. */
export interface Answer {
  readonly output: string | undefined
  readonly failure?: string
}

/** One vault's plugin. Calls run one after another, and a plugin that was locked or closed is erased and replaced. */
export class Instance {
  readonly listeners = new Set<Listener>()
  #plugin: RunningPlugin
  /** Settles when the replacement for an erased plugin can be called. */
  #ready: Promise<void> = Promise.resolve()
  #ended = false
  /** The vault's newest sealed state, which the next plugin opens. */
  #sealed: string | undefined
  /** The vault's last settled revision, if any, for the next plugin. */
  #settled: string | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #compiled = false
  readonly #urgent: (() => Promise<void>)[] = []
  #locks = 0
  /** It's about to be erased, and unfinished work is cancelled. */
  #ending = false

  constructor(plugin: RunningPlugin) {
    this.#plugin = plugin
  }

  /** Runs work after everything before it has finished. */
  enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    const done = this.#tail.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#tail = done.catch(() => {})
    return done
  }

  /** How often it has been locked, including locks in the queue. */
  get locks(): number {
    return this.#locks
  }

  /**
   * Calls an export; use it inside `enqueue`. Tells every listener except `by` about a change. @param locks the count
   * when the call was requested
   */
  async call(
    name: string,
    input: string | Uint8Array<ArrayBuffer>,
    by?: Listener,
    locks = this.#locks,
  ): Promise<Answer> {
    await this.#hurry()
    // Requested before the lock, so it must not unlock the vault again.
    if (name === 'unlock_vault' && locks !== this.#locks) return { output: LOCKED }
    return await this.#make(name, input, by)
  }

  /**
   * Makes a call ahead of everything waiting: a lock, and what must run before it. Cancels a call that is deriving a
   * key.
   */
  first(name: string, input: string | Uint8Array<ArrayBuffer>, by?: Listener): Promise<Answer> {
    if (name === 'lock_vault') this.#locks += 1
    return new Promise((resolve) => {
      this.#urgent.push(async () => resolve(await this.#make(name, input, by)))
      void this.enqueue(() => this.#hurry())
    })
  }

  async #hurry(): Promise<void> {
    for (let next = this.#urgent.shift(); next; next = this.#urgent.shift()) await next()
  }

  async #make(name: string, input: string | Uint8Array<ArrayBuffer>, by?: Listener): Promise<Answer> {
    if (!this.#plugin.has(name)) return missing(name)
    if (this.#ended) return CLOSED
    try {
      await this.#ready
      let givenUp = false
      const output = await this.#plugin.call(name, input, async () => {
        await letMessagesIn()
        givenUp = this.#urgent.length > 0 || this.#ending
        return !givenUp
      })
      if (givenUp) return this.#ending ? CLOSED : { output: LOCKED }
      if (name === 'settle_payment' && output === DONE && typeof input === 'string') this.#settled = input
      if (isChange(name) && output !== undefined && !output.startsWith(REFUSAL)) {
        if (name === 'open_vault' && typeof input === 'string') this.#remember(input)
        await this.#changed(name, output, by)
      }
      return { output }
    } catch (error) {
      // Refusals are values, so a trap is a bug, and makes the plugin unusable.
      await this.#replace().catch(() => undefined)
      this.#tell({ kind: 'restarted' })
      return { output: undefined, failure: `The enclave failed in ${name}: ${reasonOf(error)}` }
    }
  }

  /** Overwrites everything. The instance can't be used afterwards. */
  wipe(): Promise<void> {
    this.#ending = true
    return this.enqueue(async () => {
      this.#ended = true
      await this.#ready.catch(() => undefined)
      await this.#plugin.wipe()
    })
  }

  /** Ends the plugin at once, whatever it is doing. For one without secrets. */
  abandon(): Promise<void> {
    this.#ended = true
    return this.#plugin.wipe()
  }

  async #changed(name: AnyExport, output: string, by: Listener | undefined): Promise<void> {
    this.#remember(output)
    if (name === 'close_vault') this.#sealed = this.#settled = undefined
    if (name === 'lock_vault' || name === 'close_vault') await this.#replace()
    if (name === 'open_vault') this.#warmLater()
    this.#tell({ kind: 'changed', call: name }, by)
  }

  /** Keeps the sealed state from a call's input or output. */
  #remember(text: string): void {
    const value = parseJson(text)
    if (typeof value !== 'object' || value === null || !('enclave' in value)) return
    if (typeof value.enclave === 'string') this.#sealed = value.enclave
  }

  /** Erases the plugin at once. Its replacement starts in the background. */
  async #replace(): Promise<void> {
    const used = this.#plugin
    await used.wipe()
    this.#ready = this.#begin(used)
    // The next call reports a failure.
    this.#ready.catch(() => undefined)
  }

  /** Opens the sealed state, locked, in a new plugin of the same build. */
  async #begin(used: RunningPlugin): Promise<void> {
    const fresh = await used.fresh()
    if (this.#ended) return await fresh.wipe()
    this.#plugin = fresh
    if (this.#sealed === undefined) return
    await fresh.call('open_vault', JSON.stringify({ enclave: this.#sealed }))
    if (this.#settled !== undefined) await fresh.call('settle_payment', this.#settled)
    this.#warmLater()
  }

  /** Prepares a fast unlock, once no calls are waiting. */
  #warmLater(): void {
    const plugin = this.#plugin
    setTimeout(() => void this.#warm(plugin), 0)
  }

  /** Makes the engine compile the key derivation, once, and touches the memory that the next unlock needs. */
  async #warm(plugin: RunningPlugin): Promise<void> {
    const derivations = Array.from({ length: this.#compiled ? 0 : DERIVATIONS }, () => DERIVATION)
    for (const input of [...derivations, WARMING]) {
      // A waiting call goes first, and warms up by running.
      await letMessagesIn()
      if (this.#waiting > 0 || plugin !== this.#plugin) return
      await this.enqueue(() => this.call('warm', input))
    }
    this.#compiled = true
  }

  #tell(change: EnclaveChange, by?: Listener): void {
    for (const listener of this.listeners) if (listener !== by) listener.notify(change)
  }
}

function missing(name: string): Answer {
  if (isForDevices(name)) return { output: DEVICES_NOT_LOADED }
  return { output: undefined, failure: `The enclave has no export ${name}.` }
}
