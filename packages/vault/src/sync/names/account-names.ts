// Names of the account, its keys and its unlock methods: the same on all devices. They lie in the sealed state of each.
import type { Enclave } from '@keyhole/enclave'
import { readStatus } from '../../enclave/open-sealed.ts'
import { callPlugin } from '../../enclave/plugin.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { NAME_MARK, type Named, namedId } from '../../storage/devices/device-marks.ts'
import type { MetadataRecord } from '../../storage/schema.ts'
import { type DeviceStatus, FAILURE, readThings, writeThings } from '../device-calls.ts'
import { toStore } from '../stored/stored-records.ts'
import { DEVICE_SETTING, type Thing } from '../things.ts'
import { keepDeviceNames } from './device-names.ts'

/** The longest name, in characters. The plugin has the same limit. */
const NAME_MAX = 200
const DEVICE_ID = /^[\w-]{43}$/

export interface NamesParts {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  readonly now: () => number
  /**
   * Gives a name, as another device did; an empty one removes it.
   * @param isStale whether it was named here meanwhile; asked under the write lock
   */
  readonly rename: (what: Named, name: string, isStale: () => Promise<boolean>) => Promise<void>
}

interface Name {
  readonly what: Named
  readonly id: string
  /** Empty without one. */
  readonly here: string
}

/**
 * Tells the other devices what was named here, and takes the names that they gave. What was named before any device told
 * of it is told as well.
 * @returns how far the device is, if anything was written
 * @throws VaultError; then the device has to be opened again, because it may have written what was not stored
 */
export async function exchangeNames(parts: NamesParts): Promise<DeviceStatus | undefined> {
  const { enclave, storage } = parts
  // Before the names themselves: a name that is given meanwhile has another mark.
  const marks = new Map((await storage.readMetadataUnder(NAME_MARK)).map((mark) => [mark.key, mark]))
  const names = await namesHere(enclave)
  const told = await namesTold(enclave)
  await keepDeviceNames(parts, namesOfDevices(told))
  const isMarked = ({ id }: Name) => marks.has(NAME_MARK + id)
  const toTell = names.filter((name) => {
    const known = told.get(name.id)
    return isMarked(name) ? (known ?? '') !== name.here : known === undefined && name.here !== ''
  })
  const status = await tell(parts, toTell, [...marks.values()])
  for (const name of names) {
    const known = told.get(name.id)
    if (isMarked(name) || known === undefined || known === name.here) continue
    const isStale = async () => (await storage.readMetadataOf(NAME_MARK + name.id)) !== undefined
    await parts.rename(name.what, known, isStale)
  }
  return status
}

/** Writes names as operations, stores these, and deletes the marks, unless something was named again. */
async function tell(
  { enclave, storage, now }: NamesParts,
  names: readonly Name[],
  marks: readonly MetadataRecord[],
): Promise<DeviceStatus | undefined> {
  if (names.length === 0 && marks.length === 0) return undefined
  const things = names.map(
    ({ id, here }): Thing => ({ kind: 'label', id, ...(here !== '' && { value: here }) }),
  )
  const written = things.length === 0 ? undefined : await writeThings(enclave, things)
  const metadata = await toStore(storage.address, written?.records ?? [], now())
  await storage.exchange({ metadata: marks.map(({ id }) => id) }, (found) => {
    const isSame = ({ sealed }: MetadataRecord, index: number) =>
      Object(found.metadata[index]).sealed === sealed
    return { metadata, removed: { metadata: marks.filter(isSame).map(({ id }) => id) } }
  })
  return written?.device
}

/** Everything here that can be named. */
async function namesHere(enclave: Enclave): Promise<readonly Name[]> {
  const status = await readStatus(enclave)
  const { methods } = await callPlugin(enclave, 'list_unlock_methods', {}, FAILURE)
  const named = (what: Named, label: string | undefined): Name => ({
    ...{ what, id: namedId(what) },
    here: label ?? '',
  })
  return [
    named({ of: 'account' }, status.label),
    ...status.keys.map((key) => named({ of: 'key', id: key.key_id }, key.label)),
    ...methods.map((method) => named({ of: 'method', id: method.id }, method.label)),
  ]
}

function namesOfDevices(told: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const ofDevices = [...told].filter(([id]) => id.startsWith(DEVICE_SETTING))
  const named = ofDevices.map(([id, name]) => [id.slice(DEVICE_SETTING.length), name] as const)
  return new Map(named.filter(([device]) => DEVICE_ID.test(device)))
}

/** What devices have named, by id; empty for what has no name any more. What can't be a name is left out. */
async function namesTold(enclave: Enclave): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>()
  for await (const things of readThings(enclave, 'label')) {
    for (const { id, value, is_deleted: isDeleted } of things) {
      const name = isDeleted ? '' : value
      if (name !== null && (isDeleted || name !== '') && [...name].length <= NAME_MAX) told.set(id, name)
    }
  }
  return told
}
