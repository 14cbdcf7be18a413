import type { Declared } from './declared.ts'
import { DEVICE_EXPORTS } from './exports.ts'
import type { DeviceExport } from './types.ts'

const forDevices = new Set(Object.keys(DEVICE_EXPORTS satisfies Record<DeviceExport, Declared>))

/** Whether only the build with devices has it. */
export function isForDevices(name: string): name is DeviceExport {
  return forDevices.has(name)
}
