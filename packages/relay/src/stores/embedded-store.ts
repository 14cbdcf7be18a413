// LMDB in a folder, for one machine. A transaction is stored completely or not at all, even after a kill
// (docs/decisions/051).
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import { BOUNDS, type Bounds } from '../bounds.ts'
import { Hints } from './hints.ts'
import { revokersOf } from './link.ts'
import { quotaLimit, quotaName } from './quota.ts'
import { type AccountRecords, NO_RECORDS, page, recordId, refusal, withRecord } from './record-limits.ts'
import {
  type Appended,
  type Mailbox,
  type RelayStore,
  type Report,
  type Revocation,
  StoreError,
} from './store.ts'

interface StoredRevocation extends Revocation {
  readonly id: string | undefined
  readonly quota: string
  readonly isReserved: boolean
}

interface StoredReport extends Report {
  readonly isReserved: boolean
}

/** Sorts after every `seq`. */
const LAST = Number.MAX_SAFE_INTEGER
/** Expired entries deleted per transaction, so that others get a turn in between. */
const DELETE_AT_ONCE = 500

/** LMDB limits the length of keys, so DIDs and CIDs are hashed. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * A store in a folder, which is created if missing. Processes on the same machine can share it.
 *
 * @throws StoreError if the folder can't be opened
 */
export function embeddedStore(folder: string, bounds: Bounds = BOUNDS): RelayStore {
  const database = openDatabase(folder)
  const hints = new Hints()

  const count = (...key: (string | number)[]) => Number(database.get(['count', ...key]) ?? 0)
  const add = (amount: number, ...key: (string | number)[]) => {
    const sum = count(...key) + amount
    if (sum > 0) database.put(['count', ...key], sum)
    else database.remove(['count', ...key])
  }
  /** Revocations in a feed that others than its owner signed. */
  const countOthers = (feed: string) => {
    let sum = 0
    const quotas = database.getRange({ start: ['count', 'quota', feed], end: ['count', 'quota', feed, '~'] })
    for (const { key, value } of quotas) if (key[3] !== '') sum += Number(value)
    return sum
  }
  const mailboxOf = (id: string) => database.get(['mailbox', id]) as Mailbox | undefined
  const isOpen = (mailbox: Mailbox | undefined, now: number): mailbox is Mailbox =>
    mailbox !== undefined && mailbox.until > now

  function deleteMailbox(id: string, { until, message }: Mailbox): void {
    add(-1, 'mailboxes')
    add(-(message?.length ?? 0), 'message bytes')
    database.remove(['mailbox', id])
    database.remove(['end', until, 'mailbox', id])
  }

  function deleteRevocation(feed: string, seq: number): void {
    const stored = database.get(['revocation', feed, seq]) as StoredRevocation | undefined
    if (!stored) return
    add(-1, 'quota', feed, stored.quota)
    if (!stored.isReserved) add(-1, 'revocations')
    database.remove(['revocation', feed, seq])
    if (stored.id !== undefined) database.remove(['revocation id', feed, stored.id])
    for (const did of stored.by ?? []) add(-1, 'by', feed, stored.cid, digest(did))
    if (stored.by === undefined) database.remove(['cid', feed, stored.cid])
    if (stored.until !== null) database.remove(['end', stored.until, 'revocation', feed, seq])
  }

  function deleteReport(owner: string, sender: string, { until, report, isReserved }: StoredReport): void {
    add(-1, 'reports', owner)
    if (!isReserved) add(-report.length, 'report bytes')
    database.remove(['report', owner, sender])
    database.remove(['end', until, 'report', owner, sender])
  }

  const reportOf = (owner: string, sender: string) =>
    database.get(['report', owner, sender]) as StoredReport | undefined

  /** Deletes some expired entries. @returns how many */
  function deleteSome(now: number): number {
    const expired = [...database.getKeys({ start: ['end', 0], end: ['end', now + 1], limit: DELETE_AT_ONCE })]
    for (const [, until, kind, name, seq] of expired) {
      if (kind === 'mailbox') {
        const mailbox = mailboxOf(String(name))
        if (mailbox && mailbox.until === until) deleteMailbox(String(name), mailbox)
        else database.remove(['end', Number(until), 'mailbox', String(name)])
      } else if (kind === 'report') {
        const report = reportOf(String(name), String(seq))
        if (report && report.until === until) deleteReport(String(name), String(seq), report)
        else database.remove(['end', Number(until), 'report', String(name), String(seq)])
      } else deleteRevocation(String(name), Number(seq))
    }
    return expired.length
  }

  /** Runs a read. A read transaction is a snapshot, so it starts a new one to see what other processes wrote. */
  const read = <T>(work: () => T): Promise<T> =>
    orStoreError(
      (async () => {
        database.resetReadTxn()
        return work()
      })(),
    )
  /** Runs a write. What it wrote is on the disk afterwards: if a revocation is lost, the revoked grant works again. */
  const transaction = <T>(work: () => T): Promise<T> => orStoreError(database.transaction(work))

  return {
    epoch: () =>
      transaction(() => {
        const known = database.get(['epoch'])
        if (typeof known === 'string') return known
        const epoch = crypto.randomUUID()
        database.put(['epoch'], epoch)
        return epoch
      }),
    openMailbox(mailbox, now) {
      const id = digest(mailbox)
      return transaction(() => {
        const known = mailboxOf(id)
        if (isOpen(known, now)) return 'open'
        if (count('mailboxes') >= bounds.mailboxes) deleteSome(now)
        if (count('mailboxes') >= bounds.mailboxes) return 'full'
        const old = mailboxOf(id)
        if (old) deleteMailbox(id, old)
        const until = now + bounds.mailboxLifetime
        add(1, 'mailboxes')
        database.put(['mailbox', id], { until })
        database.put(['end', until, 'mailbox', id], true)
        return 'open'
      })
    },
    async putMessage(mailbox, message, now) {
      const id = digest(mailbox)
      const result = await transaction(() => {
        const known = mailboxOf(id)
        if (!isOpen(known, now)) return 'unknown'
        if (known.message) return 'taken'
        if (count('message bytes') + message.length > bounds.messageBytes) deleteSome(now)
        if (count('message bytes') + message.length > bounds.messageBytes) return 'full'
        add(message.length, 'message bytes')
        database.put(['mailbox', id], { until: known.until, message: Buffer.from(message) })
        return 'stored'
      })
      if (result === 'stored') hints.emit({ mailbox })
      return result
    },
    readMailbox: (mailbox, now) =>
      read(() => {
        const known = mailboxOf(digest(mailbox))
        if (!isOpen(known, now)) return undefined
        return { until: known.until, message: known.message && Uint8Array.from(known.message) }
      }),
    async addRevocation({ subject, quota: signers, ...added }) {
      const { id, cid, by, until, isReserved } = added
      const feed = digest(subject)
      const quota = signers ? digest(quotaName(signers)) : ''
      const result = await transaction(() => {
        if (database.doesExist(['revocation id', feed, id])) return 'known'
        if (count('quota', feed, quota) >= quotaLimit(signers, bounds)) return 'full'
        if (signers && countOthers(feed) >= bounds.othersRevocations) return 'full'
        if (!isReserved && count('revocations') >= bounds.revocations) return 'full'
        const seq = count('seq') + 1
        database.put(['count', 'seq'], seq)
        add(1, 'quota', feed, quota)
        if (!isReserved) add(1, 'revocations')
        const stored: StoredRevocation = { seq, ...added, quota }
        database.put(['revocation', feed, seq], stored)
        database.put(['revocation id', feed, id], seq)
        for (const did of by) add(1, 'by', feed, cid, digest(did))
        if (until !== null) database.put(['end', until, 'revocation', feed, seq], true)
        return 'added'
      })
      if (result === 'added') hints.emit({ subject })
      return result
    },
    revocationsSince: (subject, after, limit) =>
      read(() => {
        const feed = digest(subject)
        const range = database.getRange({
          start: ['revocation', feed, after + 1],
          end: ['revocation', feed, LAST],
          limit,
        })
        return Array.from(range, ({ value }) => {
          const { seq, cid, by, revocation, until } = value as StoredRevocation
          return { seq, cid, by, revocation, until }
        })
      }),
    lastSeq: (subject) =>
      read(() => {
        const feed = digest(subject)
        const [last] = database.getKeys({
          start: ['revocation', feed, LAST],
          end: ['revocation', feed, 0],
          reverse: true,
          limit: 1,
        })
        return Number(last?.[2] ?? 0)
      }),
    hasRevoked: (subject, chain) =>
      read(() => {
        const feed = digest(subject)
        // What an earlier version stored doesn't say whose it is.
        return revokersOf(chain).some(
          ({ cid, revokers }) =>
            database.doesExist(['cid', feed, cid]) ||
            [...revokers].some((did) => count('by', feed, cid, digest(did)) > 0),
        )
      }),
    async deleteExpired(now) {
      let deleted = DELETE_AT_ONCE
      while (deleted === DELETE_AT_ONCE) deleted = await transaction(() => deleteSome(now))
    },
    async appendRecord(added) {
      const account = digest(added.account)
      const id = recordId(added.record)
      const answer = await transaction((): Appended => {
        const there = database.get(['record id', account, id])
        if (typeof there === 'number') return { result: 'known', place: there }
        const has = (database.get(['account', account]) as AccountRecords | undefined) ?? NO_RECORDS
        const refused = refusal(added, has, count('record bytes'), bounds)
        if (refused) return refused
        const now = withRecord(has, added)
        const place = now.records
        database.put(['account', account], now)
        database.put(['record', account, place], Buffer.from(added.record))
        database.put(['record id', account, id], place)
        add(added.record.length, 'record bytes')
        return { result: 'appended', place }
      })
      if (answer.result === 'appended') hints.emit({ account: added.account })
      return answer
    },
    recordsFrom: (name, from, limit) =>
      read(() => {
        const account = digest(name)
        const range = database.getRange({
          start: ['record', account, from],
          end: ['record', account, LAST],
          limit,
        })
        const placed = range.map(({ key, value }) => ({
          place: Number(key[2]),
          record: Uint8Array.from(value as Buffer),
        }))
        return page(placed, limit)
      }),
    putReport({ owner: to, sender: from, report, isReserved }, now) {
      const [owner, sender] = [digest(to), digest(from)]
      return transaction(() => {
        const fits = () => {
          const old = reportOf(owner, sender)
          const freed = old && !old.isReserved ? old.report.length : 0
          if (!old && count('reports', owner) >= bounds.reportsPerOwner) return false
          return isReserved || count('report bytes') - freed + report.length <= bounds.reportBytes
        }
        if (!fits()) deleteSome(now)
        if (!fits()) return 'full'
        const old = reportOf(owner, sender)
        if (old) deleteReport(owner, sender, old)
        const until = now + bounds.reportLifetime
        add(1, 'reports', owner)
        if (!isReserved) add(report.length, 'report bytes')
        database.put(['report', owner, sender], { until, report: Buffer.from(report), isReserved })
        database.put(['end', until, 'report', owner, sender], true)
        return 'stored'
      })
    },
    readReport: (owner, sender, now) =>
      read(() => {
        const known = reportOf(digest(owner), digest(sender))
        if (!known || known.until <= now) return undefined
        return { until: known.until, report: Uint8Array.from(known.report) }
      }),
    watch: (changed) => hints.watch(changed),
    close: () => orStoreError(database.close()),
  }
}

function openDatabase(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // With `eventTurnBatching`, a failed commit would reject a promise that no one handles, which ends the process.
    // Without `overlappingSync`, a commit is on the disk when it resolves. With it, a flush that fails is never reported.
    const options = {
      encoding: 'msgpack',
      cache: false,
      eventTurnBatching: false,
      overlappingSync: false,
    } as const
    return open<unknown, (string | number)[]>({ path: folder, ...options })
  } catch (cause) {
    throw new StoreError(
      `The relay's store can't be opened in ${folder}. Check that the folder is writable.`,
      {
        cause,
      },
    )
  }
}

async function orStoreError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    ignoreCommitError(cause)
    throw new StoreError("The relay's store can't be read or written. Check the disk.", { cause })
  }
}

/** The error of a failed commit carries another rejected promise. If no one handled it, the process would end. */
function ignoreCommitError(error: unknown): void {
  const { commitError } = Object(error)
  if (commitError instanceof Promise) commitError.catch(() => {})
}
