import * as v from 'valibot'
import { LIMITED_LINK } from '../../storage/devices/device-marks.ts'
import { type MetadataRecord, metadataRecord } from '../../storage/schema.ts'

const bytes32 = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

const limitedLink = v.looseObject({
  ...metadataRecord.entries,
  /** The base URL of the other account's relay. */
  relay: v.pipe(v.string(), v.url()),
  /** The other account's pseudonym at relays, and the id of its first head. */
  account: bytes32,
  root: bytes32,
})

/** Of which account this one is a limited device. It isn't secret: the relay knows it. */
export interface LimitedLink {
  readonly relay: string
  readonly account: string
  readonly root: string
}

export function limitedRecord(address: string, link: LimitedLink, now: number): MetadataRecord {
  const key = LIMITED_LINK
  // Nothing in it is sealed, because it's needed before the account is unlocked.
  return { id: key, accountAddress: address, key, updatedAt: now, sealed: '-', ...link }
}

/** Undefined if it doesn't parse. */
export function parseLimitedLink(record: MetadataRecord | undefined): LimitedLink | undefined {
  const parsed = v.safeParse(limitedLink, record)
  if (!parsed.success) return undefined
  const { relay, account, root } = parsed.output
  return { relay, account, root }
}
