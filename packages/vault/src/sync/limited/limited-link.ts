import * as v from 'valibot'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { LEAVING, LIMITED_LINK } from '../../storage/devices/device-marks.ts'
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

/**
 * Stores what a limited device has read or written, unless another tab has made the account an ordinary one, or is about
 * to: nothing of the other account may come after that.
 * @returns whether it was stored
 */
export async function storeAsLimited(
  storage: Pick<OpenStorage, 'exchange'>,
  metadata: readonly MetadataRecord[],
): Promise<boolean> {
  let isLimited = false
  await storage.exchange({ metadata: [LIMITED_LINK, LEAVING] }, ({ metadata: [link, leaving] }) => {
    isLimited = link !== undefined && leaving === undefined
    return isLimited ? { metadata } : {}
  })
  return isLimited
}
