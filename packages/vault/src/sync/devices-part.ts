import type { VaultContext } from '../session/context.ts'
import type { UnlockProof } from '../unlock/unlock-proof.ts'
import type { Devices } from './devices.ts'
import type { DevicesState } from './devices-state.ts'

export interface StartDevicesRequest {
  /** The base URL of the relay that the devices write to. It learns no name, no token and no key (docs/sync.md). */
  readonly relay: string
  /** A fresh proof, although the account is unlocked. */
  readonly proof: string | UnlockProof
}

export interface RemoveDeviceRequest {
  readonly device: string
  readonly proof: string | UnlockProof
}

/** The devices of the open account. */
export class DevicesPart {
  readonly #context: VaultContext
  readonly #devices: Devices

  constructor(context: VaultContext, devices: Devices) {
    this.#context = context
    this.#devices = devices
    for (const name of ['vault:initialized', 'vault:unlocked', 'vault:locked'] as const) {
      context.events.on(name, () => void this.#begin())
    }
    void this.#begin()
  }

  /**
   * How far the account's devices are. Raises `vault:changed` with `devices` when that changes.
   */
  async state(): Promise<DevicesState> {
    await this.#begin()
    return this.#devices.state
  }

  /**
   * Puts the open account on several devices, with this one as the first. Its plugin is started again: other tabs leave
   * the account, and it is locked in between. Everything that is stored is sent to the relay, sealed.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED `RelayAddressInvalid`, `DevicesOn`
   */
  async start({ relay, proof }: StartDevicesRequest): Promise<void> {
    await this.#devices.start(relay, proof)
  }

  /**
   * Removes a device. It can read nothing that is written from now on; what it has stays there. Needs the relay.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED `DevicesOff`, `DevicesInOtherTab`
   */
  async remove({ device, proof }: RemoveDeviceRequest): Promise<void> {
    await this.#devices.remove(device, proof)
  }

  /** Names a device, for all devices; an empty name removes it. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  async rename(device: string, name: string): Promise<void> {
    await this.#devices.rename(device, name)
  }

  /** Asks the relay now, if the devices wait for it. */
  async retry(): Promise<void> {
    this.#devices.retry()
  }

  /** Never fails: what can't be done is in the state. */
  async #begin(): Promise<void> {
    try {
      await this.#devices.begin()
    } catch (error) {
      this.#context.report(error, 'devices')
    }
  }
}
