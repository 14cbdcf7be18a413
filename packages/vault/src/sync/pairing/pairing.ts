import type { Enclave } from '@keyhole/enclave'
import { refused } from '../../base/errors.ts'
import { raise } from '../../base/events.ts'
import { forgetDevices, rememberDevices } from '../../enclave/needs-devices.ts'
import { discard } from '../../enclave/plugin.ts'
import type { CallExport } from '../../session/changes.ts'
import type { AccountInfo } from '../../session/snapshot.ts'
import type { BehindVault } from '../../session/vault-parts.ts'
import type { UnlockProof } from '../../unlock/unlock-proof.ts'
import { callDevice, type DeviceStatus, FAILURE } from '../device-calls.ts'
import { relayUrlOrRefuse } from '../device-refusals.ts'
import type { Devices } from '../devices.ts'
import { takeJoined } from '../joining/take-joined.ts'
import type { LimitedDevice } from '../limited/limited-device.ts'
import { limitedRecord } from '../limited/limited-link.ts'
import { withDevicesPlugin } from '../reopen.ts'
import { NewSide } from './new-side.ts'
import { OldSide } from './old-side.ts'
import type { PairingCode } from './pairing-code.ts'
import { pairingRefused } from './pairing-refusals.ts'
import { readPairingText } from './pairing-text.ts'

/** What a new device has begun. */
interface Joining {
  readonly side: NewSide
  /** Its keys are in it alone. */
  readonly enclave: Enclave
  readonly relay: string
  /** The account that is to be a limited device: the enclave is its own. */
  readonly limited?: string
  readonly code: PairingCode
}

/** What kind a device is. */
export type DeviceRole = 'full' | 'limited'

/** A device that is being added, on either side. One at a time. */
export class Pairing {
  readonly #behind: BehindVault
  readonly #devices: Devices
  readonly #limited: LimitedDevice
  #joining: Joining | undefined
  #adding: { readonly side: OldSide; readonly role: DeviceRole | undefined } | undefined
  #ender = new AbortController()

  constructor(behind: BehindVault, devices: Devices, limited: LimitedDevice) {
    this.#behind = behind
    this.#devices = devices
    this.#limited = limited
    behind.parts.context.events.on('vault:locked', () => {
      if (this.#adding || this.#joining?.limited !== undefined) this.cancel()
    })
  }

  /** The code with which this account waits to be a limited device. */
  get waitsWith(): PairingCode | undefined {
    const { limited, code } = this.#joining ?? {}
    return limited === undefined ? undefined : code
  }

  /** Ends what was begun, on this device. */
  cancel(): void {
    this.#ender.abort(pairingRefused('PairingOff'))
    this.#ender = new AbortController()
    const { enclave, limited } = this.#joining ?? {}
    this.#adding = undefined
    this.#joining = undefined
    // The account goes on with the plugin that it has, and gets the other one with the next start.
    if (limited !== undefined) {
      forgetDevices(limited)
      this.#changed()
    } else if (enclave) void discard(enclave).catch(() => undefined)
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
      const shown = { code, text, expiresAt: clock.now() + life }
      this.#joining = { side, enclave, relay: url, code: shown }
      return shown
    } catch (error) {
      await discard(enclave).catch(() => undefined)
      throw error
    }
  }

  /**
   * On a device whose own account is to be a limited device of another one: makes its keys and a code. Its plugin is
   * started again, so every other tab leaves it.
   */
  async beginLimited(relay: string, proof: UnlockProof): Promise<PairingCode> {
    const { context } = this.#behind.parts
    this.cancel()
    const { url, address } = await this.#devices.needOneDevice(relay)
    const { issuerDid } = context.snapshot
    const begun = await withDevicesPlugin(this.#behind, address, proof, async () => {
      const { enclave } = context.client
      const { signal } = this.#ender
      return { enclave, ...(await NewSide.begin(enclave, this.#place(url, signal), issuerDid)) }
    })
    const { enclave, side, code, text, life } = begun
    const shown = { code, text, expiresAt: context.clock.now() + life }
    this.#joining = { side, enclave, relay: url, limited: address, code: shown }
    this.#changed()
    return shown
  }

  /** On a limited device: joins, once a person has compared the digits and the other device has named this one. */
  async joinLimited(): Promise<void> {
    const { context, changes } = this.#behind.parts
    await this.#inJoining(async ({ side, relay, limited: address }) => {
      if (address === undefined) throw pairingRefused('PairingOff')
      await side.joinBy(async (offered) => {
        const { account, root } = offered
        return await changes.mutate({
          act: 'joinAsLimited',
          name: 'join_as_limited',
          input: offered,
          failure: FAILURE,
          by: callDevice as CallExport<'join_as_limited'>,
          prepare: async () => ({
            metadata: [limitedRecord(address, { relay, account, root }, context.clock.now())],
          }),
        })
      })
      // Whoever stopped at the last moment has it forgotten.
      rememberDevices(address)
      this.#joining = undefined
    })
    await this.#limited.begin()
    this.#changed()
  }

  /** On a new device: the digits to compare, once the old one has read the code. */
  async digits(): Promise<string> {
    return await this.#inJoining(({ side }) => side.digits())
  }

  /** On a new device: opens the account here, once a person has compared the digits and the old device has named this one. */
  async join(): Promise<AccountInfo> {
    return await this.#inJoining(async ({ side, enclave, relay, limited }, signal) => {
      if (limited !== undefined) throw pairingRefused('PairingOff')
      const joined = await side.join()
      signal.throwIfAborted()
      // From now on it is the account's, or discarded: whoever leaves now must not end it.
      this.#joining = undefined
      return await takeJoined(this.#behind, { enclave, relay, ...joined }, 'joinDevices')
    })
  }

  /** On a device of the account: reads a new device's code. @returns the digits to compare */
  async readCode(text: string): Promise<string> {
    const { code, relay, did } = readPairingText(text)
    const { enclave, relay: own } = this.#devices.needWork()
    if (relay !== undefined && relayUrlOrRefuse(relay) !== own)
      throw pairingRefused('PairingOtherRelay', { relay: own })
    this.cancel()
    const { signal } = this.#ender
    const side = await OldSide.answer(enclave, this.#place(own, signal), code)
    signal.throwIfAborted()
    // A code that was typed doesn't say.
    const role = did !== undefined ? 'limited' : relay !== undefined ? 'full' : undefined
    this.#adding = { side, role }
    return side.digits
  }

  /** On a device of the account: adds the new device, once a person has compared the digits. May be called again after a failure. */
  async add(proof: UnlockProof, name: string, role: DeviceRole): Promise<void> {
    const { side: adding, role: wanted = role } = this.#adding ?? {}
    if (!adding) throw pairingRefused('PairingOff')
    if (wanted !== role) throw pairingRefused('PairingOtherKind')
    const { device } = adding.device
    const about = { device: name.trim() || this.#devices.nameOf(device) }
    const line = this.#devices.lineOf('addDevice', about, () => {
      adding.isLogged = true
    })
    const isAdded = ({ members }: DeviceStatus) => members.includes(device)
    const add = role === 'limited' ? { ...adding.device, role } : adding.device
    await this.#devices.changeHead({ add }, proof, isAdded, line)
    // It was added by an earlier try, of which nothing was known.
    if (!adding.isLogged) await this.#behind.parts.changes.mention('addDevice', about)
    adding.isLogged = true
    if (name.trim() !== '') await this.#devices.rename(device, name)
    await adding.welcome()
    if (this.#adding?.side === adding) this.#adding = undefined
  }

  /** What this account waits with is part of the devices' state. */
  #changed(): void {
    const { snapshot, events } = this.#behind.parts.context
    const { address } = snapshot
    raise(events, 'vault:changed', { ...(address !== undefined && { address }), change: 'devices' })
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
