import { VaultError } from '../base/errors.ts'
import type { KeyVault } from '../key-vault.ts'
import { ACTS } from '../session/acts.ts'
import { publicPart } from '../session/public-part.ts'
import { behindVaults } from '../session/vault-parts.ts'
import { Devices } from './devices.ts'
import { DevicesPart } from './devices-part.ts'
import { LimitedDevice } from './limited/limited-device.ts'
import { Pairing } from './pairing/pairing.ts'
import { Recovery } from './recovery/recovery.ts'

export type { DeviceRefusal } from './device-refusals.ts'
export type {
  AddDeviceRequest,
  BeginLimitedRequest,
  RecoverRequest,
  RemoveDeviceRequest,
  StartDevicesRequest,
} from './devices-part.ts'
export type { DevicesState, DevicesWaitFor, KnownDevice, LimitedState } from './devices-state.ts'
export type { DeviceRole } from './pairing/pairing.ts'
export type { PairingCode } from './pairing/pairing-code.ts'
export type { PairingRefusal } from './pairing/pairing-refusals.ts'
export { type PairingText, readPairingText } from './pairing/pairing-text.ts'

/** The devices that a vault's open account is on, kept in step over a relay. */
export interface VaultDevices
  extends Pick<
    DevicesPart,
    | 'state'
    | 'start'
    | 'remove'
    | 'rename'
    | 'retry'
    | 'beginJoining'
    | 'joiningDigits'
    | 'join'
    | 'readPairingCode'
    | 'add'
    | 'beginLimited'
    | 'joinLimited'
    | 'leaveLimited'
    | 'cancelPairing'
    | 'recover'
  > {}

const parts = new WeakMap<KeyVault, VaultDevices>()

/**
 * The devices of a vault's accounts. From the first call on, an account that is on several devices is kept in step while
 * it's unlocked, so an app whose accounts may be on several devices calls it once it has the vault.
 * @returns the same for the same vault
 * @throws VaultError OPERATION_FAILED if the vault was made by another copy of this package
 */
export function devicesOf(vault: KeyVault): VaultDevices {
  const known = parts.get(vault)
  if (known) return known
  const behind = behindVaults.get(vault)
  if (!behind) {
    const name = 'VaultOfOtherCopy'
    throw new VaultError('OPERATION_FAILED', 'This vault was made by another copy of @keyhole/vault.', {
      name,
    })
  }
  // The log has them too.
  for (const act of ['startDevices', 'addDevice', 'removeDevice', 'joinAsLimited', 'leaveLimited'])
    ACTS.add(act)
  const { context } = behind.parts
  const devices = new Devices(behind)
  const limited = new LimitedDevice(behind)
  const pairing = new Pairing(behind, devices, limited)
  const made = new DevicesPart(context, devices, { pairing, recovery: new Recovery(behind), limited })
  const part = publicPart(context, made, {
    state: 'devices',
    start: 'startDevices',
    remove: 'removeDevice',
    rename: 'renameDevice',
    retry: 'devices',
    beginJoining: 'joinDevices',
    joiningDigits: 'joinDevices',
    join: 'joinDevices',
    readPairingCode: 'pairDevices',
    add: 'addDevice',
    beginLimited: 'pairDevices',
    joinLimited: 'joinAsLimited',
    leaveLimited: 'leaveLimited',
    cancelPairing: 'devices',
    recover: 'recoverAccount',
  })
  parts.set(vault, part)
  return part
}
