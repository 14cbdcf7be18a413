import type { Enclave } from '@keyhole/enclave'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { callDevice, type DeviceStatus } from '../device-calls.ts'
import { MOST_AT_ONCE, readStored } from './stored-records.ts'

/** Records for one call each, in their order. */
function inCalls(records: readonly string[]): string[][] {
  const calls: string[][] = [[]]
  let length = 0
  for (const record of records) {
    length += record.length
    if (length <= MOST_AT_ONCE) calls.at(-1)?.push(record)
    else {
      calls.push([record])
      length = record.length
    }
  }
  return calls
}

/**
 * Opens the device from what is stored: at first, and after anything failed, because the enclave may have more than the
 * storage. If the places don't fit each other, the relay once went back and was not read to its end since: then it is
 * read from the beginning.
 * @returns how far the device is, and whether the places fit each other
 * @throws VaultError
 */
export async function openStored(
  enclave: Enclave,
  storage: OpenStorage,
): Promise<{ readonly status: DeviceStatus; readonly fits: boolean }> {
  const { pages, others } = await readStored(storage)
  let status = await openFrom(enclave, others)
  for (const { before, records } of pages) {
    const taken = await callDevice(enclave, 'take_records', { before, records })
    status = taken.device
    if (taken.page === 'goes_on') continue
    const all = [...others, ...pages.flatMap((page) => page.records)]
    return { status: await openFrom(enclave, all), fits: false }
  }
  return { status, fits: true }
}

async function openFrom(enclave: Enclave, records: readonly string[]): Promise<DeviceStatus> {
  const [first = [], ...further] = inCalls(records)
  let status = await callDevice(enclave, 'open_device', { records: first })
  for (const some of further)
    status = await callDevice(enclave, 'open_device', { records: some, goes_on: true })
  return status
}
