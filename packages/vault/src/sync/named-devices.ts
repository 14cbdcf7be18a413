import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { type DeviceStatus, readThings } from './device-calls.ts'
import type { KnownDevice } from './devices-state.ts'
import { DEVICE_SETTING, type Thing } from './things.ts'

/** How often a device says that it's there, in milliseconds. */
export const PRESENCE_EVERY = 6 * 3_600_000
/** The longest name of a device, in characters. */
const DEVICE_NAME_MAX = 60

/** What this version reads of others: 2 adds the devices of recovery codes, 3 heads whose state is sealed. */
const READS = 3

const whole = v.pipe(v.number(), v.safeInteger())
const presence = v.pipe(v.string(), v.parseJson(), v.object({ at: whole, reads: v.optional(whole) }))
const deviceName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(DEVICE_NAME_MAX))

/** The id under which a device says that it's there, and has its name. */
const deviceThing = (device: string) => DEVICE_SETTING + device

/** What a device says so that the others know that it's there, and what it reads. @param now milliseconds since 1970 */
export function presenceThing(device: string, now: number): Thing {
  return {
    kind: 'setting',
    id: deviceThing(device),
    value: JSON.stringify({ at: Math.floor(now), reads: READS }),
  }
}

/** What names a device; an empty name removes it. */
export function nameThing(device: string, name: string): Thing {
  const text = name.trim().slice(0, DEVICE_NAME_MAX)
  return { kind: 'label', id: deviceThing(device), ...(text !== '' && { value: text }) }
}

/** The account's devices, with what they and their owner say of them. @throws VaultError */
export async function namedDevices(
  enclave: Enclave,
  { members, limited, device: own }: DeviceStatus,
): Promise<readonly KnownDevice[]> {
  const [present, named] = await Promise.all([read(enclave, 'setting'), read(enclave, 'label')])
  return members.map((id) => {
    const said = v.safeParse(presence, present.get(deviceThing(id)))
    // A limited device doesn't read what the others share.
    const isOutdated = !limited.includes(id) && (said.success ? (said.output.reads ?? 1) : 0) < READS
    const name = v.safeParse(deviceName, named.get(deviceThing(id)))
    return {
      ...{ id, isThis: id === own },
      ...(limited.includes(id) && { isLimited: true }),
      ...(name.success && { name: name.output }),
      ...(said.success && { lastHeard: said.output.at }),
      ...(isOutdated && { isOutdated }),
    }
  })
}

/** The things about devices, by id. There are few. */
async function read(enclave: Enclave, thing: 'setting' | 'label'): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const things of readThings(enclave, thing, DEVICE_SETTING)) {
    for (const { id, value } of things) {
      if (!id.startsWith(DEVICE_SETTING)) return found
      if (value !== null) found.set(id, value)
    }
  }
  return found
}
