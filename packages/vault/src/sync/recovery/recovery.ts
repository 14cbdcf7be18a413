import type { Enclave } from '@keyhole/enclave'
import { refused } from '../../base/errors.ts'
import { discard } from '../../enclave/plugin.ts'
import type { AccountInfo } from '../../session/snapshot.ts'
import type { BehindVault } from '../../session/vault-parts.ts'
import { deviceRefused, relayUrlOrRefuse } from '../device-refusals.ts'
import { takeJoined } from '../joining/take-joined.ts'
import { pairingRefused } from '../pairing/pairing-refusals.ts'
import { keepsRecords } from '../relay.ts'
import { RelayFailure } from '../relay-failure.ts'
import { CodeSide } from './code-side.ts'

/** An account that was found, and couldn't be opened yet. */
interface Begun {
  readonly code: string
  readonly relay: string
  readonly enclave: Enclave
  readonly side: CodeSide
}

/** Opens an account on a new device by nothing but its recovery code and its relay. */
export class Recovery {
  readonly #behind: BehindVault
  #begun: Begun | undefined
  #ender = new AbortController()
  #tail: Promise<unknown> = Promise.resolve()

  constructor(behind: BehindVault) {
    this.#behind = behind
  }

  /** Ends what was begun: whoever leaves takes the code's keys along. */
  cancel(): void {
    this.#ender.abort(pairingRefused('PairingOff'))
    this.#ender = new AbortController()
    const enclave = this.#begun?.enclave
    this.#begun = undefined
    if (enclave) void discard(enclave).catch(() => undefined)
  }

  /** One at a time: each makes a device of its own. */
  async recover(code: string, relay: string): Promise<AccountInfo> {
    const mine = this.#tail.then(() => this.#recover(code, relay))
    this.#tail = mine.catch(() => undefined)
    return await mine
  }

  async #recover(code: string, relay: string): Promise<AccountInfo> {
    if (!this.#behind.parts.context.isPersistent) throw refused('StoresNothing')
    const url = relayUrlOrRefuse(relay)
    const { signal } = this.#ender
    const begun = await this.#find(code, url, signal)
    const { enclave, side } = begun
    try {
      signal.throwIfAborted()
      // From here on, a failure of the relay alone leaves it begun: the next try is the same device.
      this.#begun = begun
      const joined = await side.join()
      signal.throwIfAborted()
      // From now on it is the account's, or discarded.
      this.#begun = undefined
      return await takeJoined(this.#behind, { enclave, relay: url, ...joined }, 'recoverAccount')
    } catch (error) {
      if (error instanceof RelayFailure) throw error
      await this.#end(enclave)
      throw error
    }
  }

  async #find(code: string, url: string, signal: AbortSignal): Promise<Begun> {
    const before = this.#begun
    this.#begun = undefined
    if (before?.code === code && before.relay === url) return before
    if (before) await this.#end(before.enclave)
    const { client, clock } = this.#behind.parts.context
    const fetch: typeof globalThis.fetch = (...given) => globalThis.fetch(...given)
    const place = { url, fetch, clock, signal }
    if (!(await keepsRecords(place))) throw deviceRefused('RelayWithoutDevices')
    const enclave = await client.startEnclave(undefined, true)
    try {
      return { code, relay: url, enclave, side: await CodeSide.find(enclave, place, code) }
    } catch (error) {
      await this.#end(enclave)
      throw error
    }
  }

  /** Unless it is the account's by now. */
  async #end(enclave: Enclave): Promise<void> {
    if (this.#begun?.enclave === enclave) this.#begun = undefined
    if (!this.#behind.parts.context.client.holds(enclave)) await discard(enclave).catch(() => undefined)
  }
}
