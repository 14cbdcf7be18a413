import { VaultError } from '../base/errors.ts'
import { relayUrl } from './device-link.ts'
import { RelayFailure, type RelayWhy } from './relay-failure.ts'

/** Refusals of this part. Their sentences are loaded with it. */
const REFUSALS = {
  DevicesInOtherTab:
    'Another tab keeps the devices of this account in step. Do this there, or close it and try again.',
  DevicesNotReady: 'The devices of this account are not open yet. Unlock it, and try again in a moment.',
  DeviceLimited: 'This account is a limited device of another one.',
  DeviceNotLimited: 'This account is no limited device of another one.',
  DevicesOff: 'This account is on one device only.',
  DevicesOn: 'This account is on several devices already.',
  RelayAddressInvalid: 'This is not the address of a relay: it must begin with https://.',
  RelayUnreachable: 'The relay can’t be reached.',
  RelayBusy: 'The relay is busy.',
  RelayFull: 'The relay has no room left for this account.',
  RelayRefuses: 'The relay doesn’t accept this device.',
  RelayClock: 'This device’s clock and the relay’s differ by more than a minute.',
  RelayConflict: 'Another device has changed the account’s devices at the same time.',
  RelayWithoutDevices: 'This relay keeps no records of devices.',
  ChangeUnsure: 'The relay was gone before it was known whether this was changed.',
  RelayNonsense: 'The relay’s answers break its own rules.',
}
export type DeviceRefusal = keyof typeof REFUSALS

const OF_RELAY: Readonly<Record<RelayWhy, DeviceRefusal>> = {
  network: 'RelayUnreachable',
  busy: 'RelayBusy',
  full: 'RelayFull',
  refused: 'RelayRefuses',
  clock: 'RelayClock',
  conflict: 'RelayConflict',
  unsure: 'ChangeUnsure',
  nonsense: 'RelayNonsense',
}

/** @param cause what failed */
export function deviceRefused(name: DeviceRefusal, cause?: unknown): VaultError {
  return new VaultError('OPERATION_FAILED', REFUSALS[name], { name }, { cause })
}

/** Runs work in which a relay may fail, and says so by a name. @throws VaultError */
export async function namingFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RelayFailure) throw deviceRefused(OF_RELAY[error.why], error)
    throw error
  }
}

/** A relay's base URL, without a slash at its end. @throws VaultError `RelayAddressInvalid` */
export function relayUrlOrRefuse(text: string): string {
  const url = relayUrl(text)
  if (url === undefined) throw deviceRefused('RelayAddressInvalid')
  return url
}
