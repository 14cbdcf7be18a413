import { isChange } from '../declared.ts'
import { reasonOf } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { EnclaveChange, EnclaveExport, Refusal } from '../types.ts'
import type { RunningPlugin } from './running-plugin.ts'
import { letMessagesIn } from './turns.ts'

/** How every refusal begins, and no result. */
const REFUSAL = '{"error":'

/** What a call answers that has nothing to say. */
const DONE = '{}'

/** Derivations, of a few milliseconds each, after which an engine has compiled the code well: a first one takes a third longer. */
const DERIVATIONS = 8
const DERIVATION = JSON.stringify({ memory_kib: 1, derives: true })
const WARMING = '{}'

/** What a call is answered that a lock has overtaken. */
const LOCKED = JSON.stringify({
  error: 'The vault was locked meanwhile: unlock it first.',
  code: 'VAULT_LOCKED',
  name: 'VaultLocked',
} satisfies Refusal)

const CLOSED: Answer = { output: undefined, failure: 'The enclave is closed.' }

/** Who is to hear of changes. */
export interface Listener {
  notify(change: EnclaveChange): void
}

/** What a call came to: output text or nothing, or why it failed. */
export interface Answer {
  readonly output: string | undefined
  readonly failure?: string
}

/**
 * One vault's plugin: calls run one after another, and a plugin that has been locked or closed is wiped and replaced.
 */
export class Instance {
  readonly listeners = new Set<Listener>()
  #plugin: RunningPlugin
  /** Settles when the plugin that takes the place of a wiped one can be called. */
  #ready: Promise<void> = Promise.resolve()
  #ended = false
  /** The vault's newest sealed state: what the next plugin opens. */
  #sealed: string | undefined
  /** The vault's revision that was settled last, if any: a plugin that takes the place of another one is told. */
  #settled: string | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #compiled = false
  readonly #urgent: (() => Promise<void>)[] = []
  #locks = 0
  /** It is about to be wiped: what is not done by then is given up. */
  #ending = false

  constructor(plugin: RunningPlugin) {
    this.#plugin = plugin
  }

  /** Does something when all before it is done. */
  enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    const done = this.#tail.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#tail = done.catch(() => {})
    return done
  }

  /** How often it has been locked, or is about to be. */
  get locks(): number {
    return this.#locks
  }

  /** Calls an export; to be made from within `enqueue`. Tells every listener but `by` of a change. @param locks when it was asked for */
  async call(
    name: string,
    input: string | Uint8Array<ArrayBuffer>,
    by?: Listener,
    locks = this.#locks,
  ): Promise<Answer> {
    await this.#hurry()
    // It was asked for before the lock: nothing that was on its way then unlocks the vault again.
    if (name === 'unlock_vault' && locks !== this.#locks) return { output: LOCKED }
    return await this.#make(name, input, by)
  }

  /**
   * Makes a call before anything else that waits: a lock, and what is to be done ahead of it. A call that derives a key is given
   * up for it.
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
    if (!this.#plugin.has(name)) return { output: undefined, failure: `The enclave has no export ${name}.` }
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
      // Refusals are values: a trap is a defect, and leaves a plugin in no state to go on with.
      await this.#replace().catch(() => undefined)
      this.#tell({ kind: 'restarted' })
      return { output: undefined, failure: `The enclave failed in ${name}: ${reasonOf(error)}` }
    }
  }

  /** Overwrites everything. The instance cannot be used after that. */
  wipe(): Promise<void> {
    this.#ending = true
    return this.enqueue(async () => {
      this.#ended = true
      await this.#ready.catch(() => undefined)
      await this.#plugin.wipe()
    })
  }

  /** Ends the plugin at once, whatever it is doing; for one that holds no secret. */
  abandon(): Promise<void> {
    this.#ended = true
    return this.#plugin.wipe()
  }

  async #changed(name: EnclaveExport, output: string, by: Listener | undefined): Promise<void> {
    this.#remember(output)
    if (name === 'close_vault') this.#sealed = this.#settled = undefined
    if (name === 'lock_vault' || name === 'close_vault') await this.#replace()
    if (name === 'open_vault') this.#warmLater()
    this.#tell({ kind: 'changed', call: name }, by)
  }

  /** Keeps the sealed state that a call took or gave. */
  #remember(text: string): void {
    const value = parseJson(text)
    if (typeof value !== 'object' || value === null || !('enclave' in value)) return
    if (typeof value.enclave === 'string') this.#sealed = value.enclave
  }

  /** Wipes the plugin, at once; one with nothing in its memory takes its place while nobody waits for that. */
  async #replace(): Promise<void> {
    const used = this.#plugin
    await used.wipe()
    this.#ready = this.#begin(used)
    // Whoever calls next hears of it.
    this.#ready.catch(() => undefined)
  }

  /** Opens the sealed state, locked, in another plugin of the same bytes. */
  async #begin(used: RunningPlugin): Promise<void> {
    const fresh = await used.fresh()
    if (this.#ended) return await fresh.wipe()
    this.#plugin = fresh
    if (this.#sealed === undefined) return
    await fresh.call('open_vault', JSON.stringify({ enclave: this.#sealed }))
    if (this.#settled !== undefined) await fresh.call('settle_payment', this.#settled)
    this.#warmLater()
  }

  /** Makes the next unlock quick, once nobody is waiting for anything. */
  #warmLater(): void {
    const plugin = this.#plugin
    setTimeout(() => void this.#warm(plugin), 0)
  }

  /** Has the engine compile what derives a key, once, and touches the memory that the next unlock needs. */
  async #warm(plugin: RunningPlugin): Promise<void> {
    const derivations = Array.from({ length: this.#compiled ? 0 : DERIVATIONS }, () => DERIVATION)
    for (const input of [...derivations, WARMING]) {
      // Whoever comes meanwhile goes first, and does it himself.
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
