import * as v from 'valibot'
import { DEVICE_LINK } from '../storage/devices/device-marks.ts'
import { type MetadataRecord, metadataRecord } from '../storage/schema.ts'

const bytes32 = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

const deviceLink = v.looseObject({
  ...metadataRecord.entries,
  /** The relay's base URL. */
  relay: v.pipe(v.string(), v.url()),
  /** The account's pseudonym at relays, and the id of its first head. */
  account: bytes32,
  root: bytes32,
  /** Whether everything that the account had before was passed on. */
  isComplete: v.optional(v.boolean()),
})

/** How an account is on several devices. It isn't secret: the relay knows the account and the first head. */
export interface DeviceLink {
  readonly relay: string
  readonly account: string
  readonly root: string
  readonly isComplete: boolean
}

/** Nothing in it is sealed, because it's needed before the account is unlocked. */
const NOTHING_SEALED = '-'

export function linkRecord(address: string, link: DeviceLink, now: number): MetadataRecord {
  return {
    id: DEVICE_LINK,
    accountAddress: address,
    key: DEVICE_LINK,
    updatedAt: now,
    sealed: NOTHING_SEALED,
    ...link,
  }
}

/** Undefined if it doesn't parse. */
export function parseLink(record: MetadataRecord | undefined): DeviceLink | undefined {
  const parsed = v.safeParse(deviceLink, record)
  if (!parsed.success) return undefined
  const { relay, account, root, isComplete = false } = parsed.output
  return { relay, account, root, isComplete }
}

/** A relay's base URL, without a slash at its end; undefined if it can't be one: it must be HTTPS, except on this machine. */
export function relayUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, origin, pathname, search, hash, username, password } = new URL(text)
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal)
  if (!isSafe || search !== '' || hash !== '' || username !== '' || password !== '') return undefined
  return origin + pathname.replace(/\/+$/, '')
}
