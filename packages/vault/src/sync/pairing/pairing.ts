import type { Enclave } from '@keyhole/enclave'
import { refused } from '../../base/errors.ts'
import { discard } from '../../enclave/plugin.ts'
import type { AccountInfo } from '../../session/snapshot.ts'
import type { BehindVault } from '../../session/vault-parts.ts'
import type { UnlockProof } from '../../unlock/unlock-proof.ts'
import type { DeviceStatus } from '../device-calls.ts'
import { relayUrlOrRefuse } from '../device-refusals.ts'
import type { Devices } from '../devices.ts'
import { takeJoined } from '../joining/take-joined.ts'
import { NewSide } from './new-side.ts'
import { OldSide } from './old-side.ts'
import { pairingRefused } from './pairing-refusals.ts'
import { readPairingText } from './pairing-text.ts'

/** What a new device shows. */
export interface PairingCode {
  /** What the QR code carries: the code, and the relay where the device waits. */
  readonly text: string
  /** To type, if the other device can't scan. */
  readonly code: string
  /** Until when it can be used: milliseconds since 1970. */
  readonly expiresAt: number
}

/** What a new device has begun. */
interface Joining {
  readonly side: NewSide
  /** Its keys are in it alone. */
  readonly enclave: Enclave
  readonly relay: string
}

/** A device that is being added, on either side. One at a time. */
export class Pairing {
  readonly #behind: BehindVault
  readonly #devices: Devices
  #joining: Joining | undefined
  #adding: OldSide | undefined
  #ender = new AbortController()

  constructor(behind: BehindVault, devices: Devices) {
    this.#behind = behind
    this.#devices = devices
    behind.parts.context.events.on('vault:locked', () => {
      if (this.#adding) this.cancel()
    })
  }

  /** Ends what was begun, on this device. */
  cancel(): void {
    this.#ender.abort(pairingRefused('PairingOff'))
    this.#ender = new AbortController()
    const enclave = this.#joining?.enclave
    this.#adding = undefined
    this.#joining = undefined
    if (enclave) void discard(enclave).catch(() => undefined)
  }

  /** On a new device: makes its keys and a code, and waits with that at a relay. */
  async begin(relay: string): Promise<PairingCode> {
    const { context } = this.#behind.parts
    const { client, clock } = context
    if (!context.isPersistent) throw refused('StoresNothing')
    const url = relayUrlOrRefuse(relay)
    this.cancel()
    const { signal } = this.#ender
    const enclave = await client.startEnclave(undefined, true)
    try {
      const { side, code, text, life } = await NewSide.begin(enclave, this.#place(url, signal))
      signal.throwIfAborted()
      this.#joining = { side, enclave, relay: url }
      return { code, text, expiresAt: clock.now() + life }
    } catch (error) {
      await discard(enclave).catch(() => undefined)
      throw error
    }
  }

  /** On a new device: the digits to compare, once the old one has read the code. */
  async digits(): Promise<string> {
    return await this.#inJoining(({ side }) => side.digits())
  }

  /** On a new device: opens the account here, once a person has compared the digits and the old device has named this one. */
  async join(): Promise<AccountInfo> {
    return await this.#inJoining(async ({ side, enclave, relay }, signal) => {
      const joined = await side.join()
      signal.throwIfAborted()
      // From now on it is the account's, or discarded: whoever leaves now must not end it.
      this.#joining = undefined
      return await takeJoined(this.#behind, { enclave, relay, ...joined }, 'joinDevices')
    })
  }

  /** On a device of the account: reads a new device's code. @returns the digits to compare */
  async readCode(text: string): Promise<string> {
    const { code, relay } = readPairingText(text)
    const { enclave, relay: own } = this.#devices.needWork()
    if (relay !== undefined && relayUrlOrRefuse(relay) !== own)
      throw pairingRefused('PairingOtherRelay', { relay: own })
    this.cancel()
    const { signal } = this.#ender
    const adding = await OldSide.answer(enclave, this.#place(own, signal), code)
    signal.throwIfAborted()
    this.#adding = adding
    return adding.digits
  }

  /** On a device of the account: adds the new device, once a person has compared the digits. May be called again after a failure. */
  async add(proof: UnlockProof, name: string): Promise<void> {
    const adding = this.#adding
    if (!adding) throw pairingRefused('PairingOff')
    const { device } = adding.device
    const about = { device: name.trim() || this.#devices.nameOf(device) }
    const line = this.#devices.lineOf('addDevice', about, () => {
      adding.isLogged = true
    })
    const isAdded = ({ members }: DeviceStatus) => members.includes(device)
    await this.#devices.changeHead({ add: adding.device }, proof, isAdded, line)
    // It was added by an earlier try, of which nothing was known.
    if (!adding.isLogged) await this.#behind.parts.changes.mention('addDevice', about)
    adding.isLogged = true
    if (name.trim() !== '') await this.#devices.rename(device, name)
    await adding.welcome()
    if (this.#adding === adding) this.#adding = undefined
  }

  async #inJoining<T>(work: (joining: Joining, signal: AbortSignal) => Promise<T>): Promise<T> {
    const joining = this.#joining
    if (!joining) throw pairingRefused('PairingOff')
    return await work(joining, this.#ender.signal)
  }

  #place(url: string, signal: AbortSignal) {
    const fetch: typeof globalThis.fetch = (...given) => globalThis.fetch(...given)
    return { url, fetch, clock: this.#behind.parts.context.clock, signal }
  }
}
