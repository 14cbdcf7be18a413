import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { callDevice, type DeviceStatus, readThings } from './device-calls.ts'
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

/**
 * The same by a limited device. It may write no settings, so it is among the lines, where no log shows it. It's written
 * once: nothing replaces a line.
 */
export function limitedPresenceThing(device: string, now: number): Thing {
  return { ...presenceThing(device, now), kind: 'line' }
}

/** Whether a limited device has said that it's there, as far as this device has read. @throws VaultError */
export async function hasSaidSo(enclave: Enclave, device: string): Promise<boolean> {
  return (await readLimited(enclave, [device])).size > 0
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
  const [present, there, named] = await Promise.all([
    read(enclave, 'setting'),
    readLimited(
      enclave,
      limited.filter((id) => members.includes(id)),
    ),
    read(enclave, 'label'),
  ])
  return members.map((id) => {
    const said = v.safeParse(presence, (limited.includes(id) ? there : present).get(deviceThing(id)))
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

/** What these limited devices have said themselves, by its id. */
async function readLimited(
  enclave: Enclave,
  devices: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (devices.length === 0) return new Map()
  const { things } = await callDevice(enclave, 'read_things', {
    thing: 'line',
    ids: devices.map(deviceThing),
  })
  return new Map(
    things.flatMap(({ id, value, author }) =>
      value !== null && id === deviceThing(author) ? [[id, value] as const] : [],
    ),
  )
}
