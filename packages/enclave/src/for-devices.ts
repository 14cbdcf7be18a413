import { DEVICE_EXPORTS } from './generated/exports.ts'
import type { DeviceExport } from './types.ts'

const forDevices = new Set<string>(DEVICE_EXPORTS satisfies readonly DeviceExport[])

/** Whether only the build with devices has it. */
export function isForDevices(name: string): name is DeviceExport {
  return forDevices.has(name)
}
