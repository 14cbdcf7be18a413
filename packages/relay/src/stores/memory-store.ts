import { BOUNDS, type Bounds } from '../bounds.ts'
import { Hints } from './hints.ts'
import { revokersOf } from './link.ts'
import { memoryRecords } from './memory-records.ts'
import { memoryReports } from './memory-reports.ts'
import { quotaLimit, quotaName } from './quota.ts'
import type { Mailbox, NewRevocation, RelayStore, Revocation } from './store.ts'

interface StoredRevocation extends Revocation {
  readonly id: string
  readonly quota: string | undefined
}

interface Feed {
  readonly isReserved: boolean
  /** In order of `seq`. */
  readonly revocations: StoredRevocation[]
  /** Each revocation's own CID. */
  readonly ids: Set<string>
  /** Who revoked each delegation, by its CID. */
  readonly revokers: Map<string, Set<string>>
  /** Revocations per quota. */
  readonly counts: Map<string | undefined, number>
}

/** A store in memory, for tests and trials. When it ends, revoked grants work again. */
export function memoryStore(bounds: Bounds = BOUNDS): RelayStore {
  const epoch = crypto.randomUUID()
  const hints = new Hints()
  const mailboxes = new Map<string, Mailbox>()
  const feeds = new Map<string, Feed>()
  const { deleteOldReports, ...reports } = memoryReports(bounds)
  let messageBytes = 0
  /** Revocations that count towards `bounds.revocations`. */
  let counted = 0
  let seq = 0

  function mailboxOf(id: string, now: number): Mailbox | undefined {
    const mailbox = mailboxes.get(id)
    return mailbox && mailbox.until > now ? mailbox : undefined
  }

  function closeMailbox(id: string): void {
    messageBytes -= mailboxes.get(id)?.message?.length ?? 0
    mailboxes.delete(id)
  }

  function append(feed: Feed, revocation: StoredRevocation): void {
    const { id, cid, by = [], quota } = revocation
    feed.revocations.push(revocation)
    feed.ids.add(id)
    const revokers = feed.revokers.get(cid) ?? new Set()
    for (const did of by) revokers.add(did)
    feed.revokers.set(cid, revokers)
    feed.counts.set(quota, (feed.counts.get(quota) ?? 0) + 1)
    if (!feed.isReserved) counted += 1
  }

  function deleteExpired(now: number): void {
    deleteOldReports(now)
    for (const [id, { until }] of mailboxes) if (until <= now) closeMailbox(id)
    for (const [subject, { revocations, isReserved }] of feeds) {
      const left = revocations.filter(({ until }) => until === null || until > now)
      if (left.length === revocations.length) continue
      if (!isReserved) counted -= revocations.length
      feeds.delete(subject)
      if (left.length === 0) continue
      const feed = emptyFeed(isReserved)
      for (const revocation of left) append(feed, revocation)
      feeds.set(subject, feed)
    }
  }

  return {
    ...memoryRecords(bounds, hints),
    ...reports,
    epoch: async () => epoch,
    async openMailbox(id, now) {
      if (mailboxOf(id, now)) return 'open'
      if (mailboxes.size >= bounds.mailboxes) deleteExpired(now)
      if (mailboxes.size >= bounds.mailboxes) return 'full'
      closeMailbox(id)
      mailboxes.set(id, { until: now + bounds.mailboxLifetime, message: undefined })
      return 'open'
    },
    async putMessage(id, message, now) {
      const mailbox = mailboxOf(id, now)
      if (!mailbox) return 'unknown'
      if (mailbox.message) return 'taken'
      if (messageBytes + message.length > bounds.messageBytes) deleteExpired(now)
      if (messageBytes + message.length > bounds.messageBytes) return 'full'
      messageBytes += message.length
      mailboxes.set(id, { ...mailbox, message: Uint8Array.from(message) })
      hints.emit({ mailbox: id })
      return 'stored'
    },
    readMailbox: async (id, now) => mailboxOf(id, now),
    async addRevocation({ subject, isReserved, quota: signers, ...added }: NewRevocation) {
      const feed = feeds.get(subject) ?? emptyFeed(isReserved)
      const quota = signers && quotaName(signers)
      if (feed.ids.has(added.id)) return 'known'
      if ((feed.counts.get(quota) ?? 0) >= quotaLimit(signers, bounds)) return 'full'
      const others = feed.revocations.length - (feed.counts.get(undefined) ?? 0)
      if (signers && others >= bounds.othersRevocations) return 'full'
      if (!isReserved && counted >= bounds.revocations) return 'full'
      seq += 1
      append(feed, { seq, ...added, quota })
      feeds.set(subject, feed)
      hints.emit({ subject })
      return 'added'
    },
    async revocationsSince(subject, after, limit) {
      const revocations = feeds.get(subject)?.revocations ?? []
      const first = firstAfter(revocations, after)
      return revocations.slice(first, first + limit)
    },
    lastSeq: async (subject) => feeds.get(subject)?.revocations.at(-1)?.seq ?? 0,
    async hasRevoked(subject, chain) {
      const known = feeds.get(subject)?.revokers
      return revokersOf(chain).some(({ cid, revokers }) =>
        [...revokers].some((did) => known?.get(cid)?.has(did)),
      )
    },
    deleteExpired: async (now) => deleteExpired(now),
    watch: (changed) => hints.watch(changed),
    async close() {},
  }
}

function emptyFeed(isReserved: boolean): Feed {
  return { isReserved, revocations: [], ids: new Set(), revokers: new Map(), counts: new Map() }
}

/** Index of the first revocation after `seq`, by binary search. */
function firstAfter(revocations: readonly Revocation[], seq: number): number {
  let [low, high] = [0, revocations.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((revocations[middle]?.seq ?? 0) > seq) high = middle
    else low = middle + 1
  }
  return low
}
