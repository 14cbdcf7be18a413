import { DEVICES_KEY } from '../base/devices-key.ts'
import { browserValues } from '../base/local-values.ts'

const keyOf = (address = '') => DEVICES_KEY + address
const values = browserValues()

/** Whether an account needs the plugin with devices. It has to be known before the account's storage is open. */
export function needsDevices(address: string | undefined): boolean {
  return values.read(keyOf(address)) !== undefined
}

/** Remembers that an account needs the plugin with devices. */
export function rememberDevices(address: string): void {
  values.write(keyOf(address), '1')
}

/** An account was removed, or is on one device. */
export function forgetDevices(address: string): void {
  values.remove(keyOf(address))
}
