import type { JournaledStore } from '../journal/journal-lines.ts'
import type { MetadataRecord } from '../schema.ts'

/** Metadata of an account that several devices use. It belongs to this device: no backup has it, no other device gets it. */
export const DEVICE_PREFIX = 'device-'

/** The account has this metadata once it's on several devices. From then on, every change is marked. */
export const DEVICE_LINK = `${DEVICE_PREFIX}link`

/** An account that is a limited device of another one has this metadata. Its own changes are not marked: no one gets them. */
export const LIMITED_LINK = `${DEVICE_PREFIX}limited`

/**
 * The account has this metadata if it came from the file of a second copy, which may be of one of its devices. That device goes on, so its
 * keys must not be used here: the next unlock drops them, and removes this.
 */
export const LEAVING = `${DEVICE_PREFIX}leaving`

/** Says when other devices last changed something here. Only its time counts. */
export const DEVICE_RECEIVED = `${DEVICE_PREFIX}received`

/** A mark: this record was changed here, and the other devices have to get it. */
export const MARK_PREFIX = `${DEVICE_PREFIX}change:`

/** A mark: this was named here, and the other devices have to learn of it. */
export const NAME_MARK = `${DEVICE_PREFIX}name:`

/** What can be named. */
export type Named =
  | { readonly of: 'account' }
  | { readonly of: 'key'; readonly id: string }
  | { readonly of: 'method'; readonly id: string }

/** Metadata with these keys is the same on all devices. Reports and ended tokens aren't: each device has its own. Log lines are counted instead (`sync/lines`). It fetches reports itself, with the key that all have. */
const SHARED = [
  'contact:',
  'revocation:',
  'receipt:',
  'payment:',
  'deleted-key:',
  'template:',
  'handover:',
  'service:',
  'report-key:',
  'mandate:',
  'mandate-use:',
]
const SHARED_KEYS: ReadonlySet<string> = new Set(['settings', 'recovery-code'])

/** Whether all devices of an account have a record. */
export function isShared(store: JournaledStore, id: string): boolean {
  return store !== 'metadata' || SHARED_KEYS.has(id) || SHARED.some((prefix) => id.startsWith(prefix))
}

/** The id of the mark of a record. */
export function markId(store: JournaledStore, id: string): string {
  return `${MARK_PREFIX}${store}:${id}`
}

/** A mark, with a name of its own: the same record may be changed again while the last change is being sent. */
export function markOf(accountAddress: string, store: JournaledStore, id: string): MetadataRecord {
  const key = markId(store, id)
  const change = crypto.randomUUID()
  return { id: key, accountAddress, key, updatedAt: Date.now(), sealed: change, store, of: id }
}

/** What is named, as devices tell each other. */
export function namedId(what: Named): string {
  return what.of === 'account' ? 'account' : `${what.of}:${what.id}`
}

/** The mark of a name. It has a value of its own: the name may change again while this one is sent. */
export function nameMark(accountAddress: string, what: Named): MetadataRecord {
  const key = NAME_MARK + namedId(what)
  return { id: key, accountAddress, key, updatedAt: Date.now(), sealed: crypto.randomUUID() }
}

/** The record that says when other devices last changed something here. @param now milliseconds since 1970 */
export function receivedRecord(accountAddress: string, now: number): MetadataRecord {
  return plainRecord(accountAddress, DEVICE_RECEIVED, now)
}

/** The record that says that the account came from a file. @param now milliseconds since 1970 */
export function leavingRecord(accountAddress: string, now: number): MetadataRecord {
  return plainRecord(accountAddress, LEAVING, now)
}

/** Whether an account still has to drop the keys of the device whose file it came from. */
export async function isLeaving(storage: {
  readMetadataOf(key: string): Promise<MetadataRecord | undefined>
}): Promise<boolean> {
  return (await storage.readMetadataOf(LEAVING)) !== undefined
}

/** What is stored of an account's devices, but for the mark that it is leaving them. That one goes last. */
export async function leftBehind(storage: {
  metadataKeysUnder(prefix: string): Promise<string[]>
}): Promise<string[]> {
  return (await storage.metadataKeysUnder(DEVICE_PREFIX)).filter((key) => key !== LEAVING)
}

/** Removes the mark that an account is leaving its devices. */
export const LEFT = { removed: { metadata: [LEAVING] }, unmarked: true } as const

/** Nothing in it is sealed. */
function plainRecord(accountAddress: string, key: string, updatedAt: number): MetadataRecord {
  return { id: key, accountAddress, key, updatedAt, sealed: '-' }
}
