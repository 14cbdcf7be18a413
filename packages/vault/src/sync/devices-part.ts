import type { VaultContext } from '../session/context.ts'
import type { AccountInfo } from '../session/snapshot.ts'
import { asUnlockProof, type UnlockProof } from '../unlock/unlock-proof.ts'
import { namingFailures } from './device-refusals.ts'
import type { Devices } from './devices.ts'
import type { DevicesState } from './devices-state.ts'
import type { LimitedDevice } from './limited/limited-device.ts'
import type { DeviceRole, Pairing } from './pairing/pairing.ts'
import type { PairingCode } from './pairing/pairing-code.ts'
import type { Recovery } from './recovery/recovery.ts'

export interface StartDevicesRequest {
  /** The base URL of the relay that the devices write to. It learns no name, no token and no key (docs/sync.md). */
  readonly relay: string
  /** A fresh proof, although the account is unlocked. */
  readonly proof: string | UnlockProof
  /** What to call this device, on all devices. */
  readonly name?: string
}

export interface RemoveDeviceRequest {
  readonly device: string
  readonly proof: string | UnlockProof
}

export interface AddDeviceRequest {
  /** A fresh proof, although the account is unlocked. */
  readonly proof: string | UnlockProof
  /** What to call the new device, on all devices. */
  readonly name?: string
  /**
   * A full device gets the account, its keys too, and can do everything. A limited one has keys of its own, gets nothing
   * of the account, and can do only what its key is granted. Default: full.
   */
  readonly role?: DeviceRole
}

export interface BeginLimitedRequest {
  /** The base URL of the relay of the account that this one is to be a limited device of. */
  readonly relay: string
  /** A fresh proof of this account, although it is unlocked. */
  readonly proof: string | UnlockProof
}

export interface RecoverRequest {
  /** The account's recovery code, as it was typed. */
  readonly code: string
  /** The base URL of the account's relay. */
  readonly relay: string
}

/** What the devices of an account are put together from. */
export interface PartsOfDevices {
  readonly pairing: Pairing
  readonly recovery: Recovery
  readonly limited: LimitedDevice
}

/** The devices of the open account. */
export class DevicesPart {
  readonly #context: VaultContext
  readonly #devices: Devices
  readonly #pairing: Pairing
  readonly #recovery: Recovery
  readonly #limited: LimitedDevice

  constructor(context: VaultContext, devices: Devices, { pairing, recovery, limited }: PartsOfDevices) {
    this.#context = context
    this.#devices = devices
    this.#pairing = pairing
    this.#recovery = recovery
    this.#limited = limited
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
    const [{ state: limited }, { waitsWith }] = [this.#limited, this.#pairing]
    return { ...this.#devices.state, ...(limited && { limited }), ...(waitsWith && { waitsWith }) }
  }

  /**
   * Puts the open account on several devices, with this one as the first. Its plugin is started again: other tabs leave
   * the account, and it is locked in between. Everything that is stored is sent to the relay, sealed.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED `RelayAddressInvalid`, `RelayUnreachable`,
   *   `RelayWithoutDevices` if it keeps no records of devices, `DevicesOn`. Nothing was changed
   */
  async start({ relay, proof, name = '' }: StartDevicesRequest): Promise<void> {
    await namingFailures(() => this.#devices.start(relay, proof, name))
  }

  /**
   * Removes a device. It can read nothing that is written from now on; what it has stays there. Needs the relay.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED `DevicesOff`, `DevicesInOtherTab`
   */
  async remove({ device, proof }: RemoveDeviceRequest): Promise<void> {
    await namingFailures(() => this.#devices.remove(device, proof))
  }

  /** Names a device, for all devices; an empty name removes it. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  async rename(device: string, name: string): Promise<void> {
    await namingFailures(() => this.#devices.rename(device, name))
  }

  /** Asks the relay now, if the devices wait for it. */
  async retry(): Promise<void> {
    this.#devices.retry()
    this.#limited.retry()
  }

  /**
   * On a new device: makes its keys and a code that a device of the account reads within ten minutes. Whatever was begun
   * before is ended.
   * @param request.relay the base URL of the account's relay
   * @throws VaultError OPERATION_FAILED `RelayAddressInvalid`, `RelayUnreachable` and the like, `StoresNothing`
   */
  async beginJoining({ relay }: { readonly relay: string }): Promise<PairingCode> {
    return await namingFailures(() => this.#pairing.begin(relay))
  }

  /**
   * On a new device: waits until the other one has read the code.
   * @returns six digits, which a person compares with those on the other device
   * @throws VaultError OPERATION_FAILED `PairingExpired`, `PairingRefused`, `PairingOff`, `RelayUnreachable` and the like
   */
  async joiningDigits(): Promise<string> {
    return await namingFailures(() => this.#pairing.digits())
  }

  /**
   * On a new device, once a person has seen the same digits on both: waits until the other one has added it, and opens
   * the account here, unlocked. The previous account is saved and locked. It may be called again after a failure; until
   * it resolves nothing is stored here.
   * @throws VaultError OPERATION_FAILED as `joiningDigits`; `AccountHere` if this browser has the account already
   */
  async join(): Promise<AccountInfo> {
    return await namingFailures(() => this.#pairing.join())
  }

  /**
   * On a device of the account: reads the code that a new one shows, and waits for it.
   * @param text what was scanned, pasted or typed
   * @returns six digits, which a person compares with those on the new device
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED `PairingCode`, `PairingNotFound`, `PairingCodeUsed`,
   *   `PairingOtherRelay`, `PairingRefused`, `PairingExpired`, `DevicesOff`, `DevicesInOtherTab`, `RelayUnreachable` and
   *   the like. Nothing was changed
   */
  async readPairingCode(text: string): Promise<string> {
    return await namingFailures(() => this.#pairing.readCode(text))
  }

  /**
   * On a device of the account, once a person has seen the same digits on both: adds the new device. A full one can then
   * read and do everything. It may be called again after a failure.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED `PairingOff`, `PairingOtherKind` if the new
   *   device waits as the other kind, `RelayUnreachable` and the like
   */
  async add({ proof, name = '', role = 'full' }: AddDeviceRequest): Promise<void> {
    await namingFailures(() => this.#pairing.add(asUnlockProof(proof), name, role))
  }

  /**
   * On a device whose own account is to be a limited device of another one: makes keys and a code that a device of the
   * other account reads within ten minutes. The account's plugin is started again: other tabs leave the account, and it
   * is locked in between. Then `joiningDigits` and `joinLimited` follow.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED `DevicesOn` if it is on several devices,
   *   `DeviceLimited` if it is a limited device already, `RelayAddressInvalid`, `RelayUnreachable` and the like
   */
  async beginLimited({ relay, proof }: BeginLimitedRequest): Promise<PairingCode> {
    return await namingFailures(() => this.#pairing.beginLimited(relay, asUnlockProof(proof)))
  }

  /**
   * On a limited device, once a person has seen the same digits on both: waits until the other one has added it. The
   * account here keeps its keys, and gets none of the other's. It may be called again after a failure.
   * @throws VaultError OPERATION_FAILED as `joiningDigits`
   */
  async joinLimited(): Promise<void> {
    await namingFailures(() => this.#pairing.joinLimited())
  }

  /**
   * Makes an account that is a limited device of another one an ordinary account again. Its keys, grants, contacts and log
   * stay. The device's keys go, and what was read of the other account's devices. Its mandates are suspended until they
   * are confirmed. It needs no relay and no proof, and other tabs notice.
   *
   * The other account isn't told: it lists the device until it removes it, and what it granted to a key of this account
   * holds until it expires or is revoked. Afterwards this account can be put on several devices, or be a limited device
   * again. If the tab is killed meanwhile, the account is still a limited device, or the next unlock finishes this.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED `DeviceNotLimited`, `OpenFromCopy`, `DevicesNotReady` if it has begun
   *   to leave and the next unlock finishes that. Nothing was changed
   */
  async leaveLimited(): Promise<void> {
    await this.#limited.leave()
  }

  /**
   * On a new device: opens the account of a recovery code that was made while its account was on devices, unlocked. The
   * code names this device as one of the account's, and stays what it is. It may be called again after a failure; until it
   * resolves nothing is stored here.
   * @throws VaultError OPERATION_FAILED `RecoveryCodeLength`, `RecoveryCodeMistyped`, `RecoveryNotFound` if the relay has
   *   nothing for it, `RecoveryCodeReplaced`, `RelayAddressInvalid`, `RelayUnreachable` and the like, `StoresNothing`;
   *   `AccountHere` if this browser has the account already; INVALID_PASSPHRASE `WrongRecoveryCode`
   */
  async recover({ code, relay }: RecoverRequest): Promise<AccountInfo> {
    return await namingFailures(() => this.#recovery.recover(code, relay))
  }

  /**
   * Ends what `beginJoining`, `readPairingCode` or `recover` began, on this device. A device that was named already stays
   * so.
   */
  async cancelPairing(): Promise<void> {
    this.#pairing.cancel()
    this.#recovery.cancel()
  }

  /** Never fails: what can't be done is in the state. */
  async #begin(): Promise<void> {
    try {
      await this.#devices.begin()
      await this.#limited.begin()
    } catch (error) {
      this.#context.report(error, 'devices')
    }
  }
}
