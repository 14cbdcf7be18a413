import { revisionOf } from '../../enclave/revision.ts'
import { breathe } from '../journal/journal.ts'
import { putLine } from '../journal/journal-lines.ts'
import type { JournaledRecords } from '../journal/journaled-records.ts'
import { hasMirror, isMissing } from '../opfs-files.ts'
import { FOLLOWING_ID, type JournalMark, type StateRecord } from '../schema.ts'
import { withMirrorLock, withStorageLock } from '../write-lock.ts'
import { AccountMirror, type WriteState } from './mirror.ts'
import { isWhole } from './whole.ts'

/** Whether the second copy of an account is complete. Times are in milliseconds since 1970. */
export interface MirrorHealth {
  /**
   * `writing`: it is being updated. `behind`: it lacks changes. `unavailable`: there is none. `alone`: the account is
   * open from it.
   */
  readonly mirror: 'whole' | 'writing' | 'behind' | 'unavailable' | 'alone'
  /** When something was last written to it. */
  readonly mirroredAt?: number
  /**
   * Why it is behind or unavailable. `full`: the disk is full. `refused`: the browser's file system failed.
   * `unsupported`: the browser has none for it. `closed`: no mirror is kept now.
   */
  readonly why?: MirrorFailure
}

export type MirrorFailure = 'full' | 'refused' | 'unsupported' | 'closed'

/** What comparing the database and the mirror found. */
export interface MirrorReport {
  /** Records that were missing or out of date in the database, and were repaired from the mirror. */
  readonly brought: number
  /** Damaged files of the mirror, which has been rewritten. */
  readonly damaged: readonly string[]
}

/** A change that the database has committed. */
export interface Committed<T> {
  readonly result: T
  /** Its number in the journal; absent if it changed no record, or the database has no mirror. */
  readonly mark: JournalMark | undefined
  readonly lines: readonly string[]
  /** The sealed state, if it was written. */
  readonly state: StateRecord | undefined
}

/** How many changes pass between checks whether to merge files. */
const MERGE_EVERY = 16

/**
 * Keeps an account's mirror in sync with its database. Every change is committed to IndexedDB first, together with its
 * number, and then written to the journal. Only then is the caller told that it is saved. So a tab that is killed
 * - before the commit has changed nothing on either side;
 * - between the two has told no one. The database has the higher number and is right, so the journal is rewritten from
 *   it, and a deleted record doesn't return from the journal;
 * - after both has lost nothing, whichever of the two is destroyed.
 * In the opposite order, a change that the database refuses (full disk, newer revision) would have to be removed from
 * the journal again, and a tab killed before that would bring in what was never saved. If the database itself went back
 * in time, it has the lower number and gets the later changes from the journal.
 */
export class MirrorWriter {
  readonly #address: string
  readonly #records: JournaledRecords
  readonly #readState: () => Promise<StateRecord | undefined>
  readonly #report: (report: MirrorReport) => void
  #mirror: AccountMirror | undefined
  #aligned: Promise<void> | undefined
  #background: Promise<unknown> = Promise.resolve()
  #settling = false
  #closed = false
  #failure: MirrorFailure | undefined
  #stated: string | undefined

  constructor(
    address: string,
    records: JournaledRecords,
    readState: () => Promise<StateRecord | undefined>,
    report: (report: MirrorReport) => void,
  ) {
    this.#address = address
    this.#records = records
    this.#readState = readState
    this.#report = report
  }

  /**
   * Starts mirroring. Writes wait until it's known which side is ahead; the rest happens in the background.
   * @param restored whether the state was just restored, and overrides the mirror's whatever its revision
   */
  async start(restored = false): Promise<void> {
    if (!this.#aligned && !this.#closed && hasMirror()) {
      this.#aligned = this.#align(restored).catch((error: unknown) => this.#failed(error))
      this.#later(() => this.#settle())
    }
    await this.#aligned
  }

  /** Resolves once no background work is left. */
  async settled(): Promise<void> {
    await this.#aligned
    let background: Promise<unknown> | undefined
    while (background !== this.#background) {
      background = this.#background
      await background
    }
  }

  /**
   * Rewrites the mirror completely from the database, or creates it if that failed before. Resolves when it is done or
   * has failed again, which `health` reports.
   */
  async renew(): Promise<void> {
    if (!hasMirror() || this.#closed) return
    await this.#aligned
    this.#failure = undefined
    this.#stated = undefined
    if (!this.#mirror) {
      this.#aligned = this.#records
        .isRestored()
        .then((restored) => this.#align(restored))
        .catch((error: unknown) => this.#failed(error))
      this.#later(() => this.#settle())
    } else this.#later(() => this.#renewAll())
    await this.settled()
  }

  async #renewAll(): Promise<void> {
    this.#settling = true
    this.#failure = undefined
    try {
      await withMirrorLock(this.#address, async () => {
        this.#requireOpen()
        // Its directory may be gone. The handle to it finds no later one.
        const mirror = await AccountMirror.make(this.#address)
        this.#mirror = mirror
        await this.#follow(mirror)
        await withStorageLock(this.#address, () => this.#alignState(mirror, false))
        await this.#rewrite(mirror)
      })
    } finally {
      this.#settling = false
    }
  }

  close(): void {
    this.#closed = true
  }

  /**
   * Commits a change and mirrors it, one at a time across all tabs. A failing mirror never fails a save.
   * @param enclave the sealed state, if the change writes it: the mirror prepares for it while the database commits
   */
  async write<T>(commit: () => PromiseLike<Committed<T>>, enclave?: string): Promise<T> {
    if (!this.#aligned) return (await commit()).result
    await this.#aligned
    return await withStorageLock(this.#address, async () => {
      const prepared = this.#prepare(enclave)
      try {
        const committed = await commit()
        await this.#take(committed, prepared)
        return committed.result
      } finally {
        // The lock is held until nothing is written any more.
        await prepared?.catch(() => undefined)
      }
    })
  }

  /** Its failure is the mirror's, once the change is committed. */
  #prepare(enclave: string | undefined): Promise<WriteState> | undefined {
    if (enclave === undefined || enclave === this.#stated) return undefined
    const prepared = this.#mirror?.prepareState(enclave)
    prepared?.catch(() => undefined)
    return prepared
  }

  async health(): Promise<MirrorHealth> {
    if (!hasMirror()) return { mirror: 'unavailable', why: 'unsupported' }
    await this.#aligned
    const mirror = this.#mirror
    if (!mirror) return { mirror: 'unavailable', why: this.#failure ?? 'closed' }
    try {
      return await withStorageLock(this.#address, () => this.#compare(mirror))
    } catch (error) {
      return { mirror: 'unavailable', why: failureOf(error) }
    }
  }

  async #compare(mirror: AccountMirror): Promise<MirrorHealth> {
    const [mark, state, listing, copy] = await Promise.all([
      this.#records.readMark(),
      this.#readState(),
      mirror.journal.list(),
      mirror.readState(),
    ])
    const times = [copy?.savedAt, ...listing.segments.map(({ modified }) => modified)]
    const written = times.filter((time) => time !== undefined)
    const about = written.length > 0 ? { mirroredAt: Math.max(...written) } : {}
    const same = state === undefined || state.enclave === copy?.enclave
    if (mark?.id === FOLLOWING_ID && this.#failure === undefined) return { mirror: 'writing', ...about }
    if (same && isWhole(listing, mark) && this.#failure === undefined) return { mirror: 'whole', ...about }
    if (this.#failure !== undefined) return { mirror: 'behind', ...about, why: this.#failure }
    return { mirror: this.#settling ? 'writing' : 'behind', ...about }
  }

  /**
   * Finds out which side is ahead, and gives the database what only the journal has. Usually takes two small reads. It
   * must finish before the next change, which could otherwise get a number that the journal has used.
   */
  async #align(restored: boolean): Promise<void> {
    const mirror = await AccountMirror.make(this.#address)
    await withStorageLock(this.#address, async () => {
      await this.#alignState(mirror, restored)
      const records = this.#records
      const mark = await records.readMark()
      if (mark?.id === FOLLOWING_ID) {
        const { publishStaged } = await import('./load-bulk.ts')
        await publishStaged(this.#address, mark.journal)
      }
      const listing = await mirror.journal.list()
      const { journal, last } = listing
      if (journal === undefined) {
        // A journal that can't be read now isn't replaced by a new one: the database may lack what it has.
        if (!mark && listing.failure) throw listing.failure
        if (!mark) await records.writeMark(newJournal(), 0)
      } else if (mark?.journal !== journal || listing.mixed) {
        const { entries } = await mirror.journal.read(listing)
        const apart = restored ? newJournal().slice(0, 8) : undefined
        const { endFollowing, takeOver } = await import('./load-bulk.ts')
        const { changed } = await takeOver(records, { entries, mode: 'join', apart })
        // Count one more change: where both had a record, the journal's may differ from the one kept.
        await records.writeMark(journal, Math.max(last, mark?.seq ?? 0) + 1)
        if (mark?.id === FOLLOWING_ID) await endFollowing(records)
        this.#brought(changed)
      } else if (last > mark.seq) {
        const { entries } = await mirror.journal.read(listing, mark.seq)
        const { takeOver } = await import('./load-bulk.ts')
        const { changed } = await takeOver(records, { entries, mode: 'follow' })
        await records.writeMark(journal, last, mark.id)
        this.#brought(changed)
      }
      // Only now: a tab that was killed before joins the two in the same way again.
      if (restored) await records.forgetRestored()
      this.#mirror = mirror
    })
  }

  async #alignState(mirror: AccountMirror, restored: boolean): Promise<void> {
    const state = await this.#readState()
    if (!state) return
    const copy = await mirror.readState()
    if (copy?.enclave === state.enclave) this.#stated = state.enclave
    else if (restored) await mirror.replaceState(toMirror(state))
    else if ((revisionOf(copy?.enclave ?? '') ?? -1) <= (revisionOf(state.enclave) ?? 0)) {
      await mirror.writeState(toMirror(state))
    }
  }

  async #take(
    { mark, lines, state }: Committed<unknown>,
    prepared: Promise<WriteState> | undefined,
  ): Promise<void> {
    const mirror = this.#mirror
    if (!mirror) return
    try {
      // The files are independent, so finish both writes even if one fails.
      const written = await Promise.allSettled([
        mark && mirror.journal.write({ journal: mark.journal, first: mark.seq, last: mark.seq }, lines),
        this.#takeState(mirror, state, prepared),
      ])
      for (const each of written) if (each.status === 'rejected') throw each.reason
      // A write succeeded again, so repair now what failed before, instead of at the next opening.
      if (this.#failure !== undefined) this.#later(() => this.#settle())
      else if (mark && mark.seq % MERGE_EVERY === 0) this.#later(() => this.#merge())
    } catch (error) {
      this.#failed(error)
      if (isMissing(error)) this.#later(() => this.#renewAll())
    }
  }

  async #takeState(
    mirror: AccountMirror,
    state: StateRecord | undefined,
    prepared: Promise<WriteState> | undefined,
  ): Promise<void> {
    if (!state || state.enclave === this.#stated) return
    this.#stated = undefined
    const write = await (prepared ?? mirror.prepareState(state.enclave))
    await write(toMirror(state))
    this.#stated = state.enclave
  }

  /**
   * Compares both sides completely, and repairs the mirror if it's behind or damaged. Blocks changes only for moments.
   */
  async #settle(): Promise<void> {
    await this.#aligned
    const mirror = this.#mirror
    if (!mirror || this.#closed) return
    this.#settling = true
    // Failures from now on are left for the next run.
    const failure = this.#failure
    this.#failure = undefined
    try {
      await withMirrorLock(this.#address, async () => {
        this.#requireOpen()
        // A database that lacks tokens must not be compared with the journal that has them.
        await this.#follow(mirror)
        const [mark, listing] = await withStorageLock(this.#address, async () => {
          if (failure !== undefined) await this.#alignState(mirror, false)
          return await Promise.all([this.#records.readMark(), mirror.journal.list()])
        })
        if (!mark) return
        if (!isWhole(listing, mark)) return await this.#rewrite(mirror)
        const { keys, damaged } = await mirror.journal.readKeys(listing)
        if (damaged.length > 0) {
          await this.#rewrite(mirror)
          this.#report({ brought: 0, damaged: damaged.map(({ name }) => name) })
          return
        }
        const { compareRecords } = await import('./load-bulk.ts')
        const side = {
          ...{ address: this.#address, records: this.#records },
          requireOpen: () => this.#requireOpen(),
          brought: (records: number) => this.#brought(records),
        }
        await compareRecords(side, mirror, listing, keys)
        await mirror.journal.merge()
      })
    } finally {
      this.#settling = false
    }
  }

  /** Gives the database the tokens that only the journal has, if any. */
  async #follow(mirror: AccountMirror): Promise<void> {
    const mark = await this.#records.readMark()
    if (mark?.id !== FOLLOWING_ID) return
    const listing = await mirror.journal.list()
    const { entries } = await mirror.journal.read(listing)
    const { followJournal } = await import('./load-bulk.ts')
    await followJournal(this.#records, entries, () => this.#requireOpen())
    // The browser has lost its files: nothing has these tokens any more.
    if (listing.journal !== mark.journal) this.#report({ brought: 0, damaged: [mark.journal] })
  }

  /**
   * Rewrites the journal from the database. It is read in portions while changes continue. Later changes are in newer
   * files, which are read after this one and override it.
   */
  async #rewrite(mirror: AccountMirror): Promise<void> {
    const mark = await withStorageLock(this.#address, () => this.#records.readMark())
    if (mark) await mirror.journal.rewrite(mark.journal, mark.seq, this.#everything())
  }

  async *#everything(): AsyncGenerator<string> {
    for await (const portion of this.#records.all()) {
      this.#requireOpen()
      for (const { key, record } of portion) {
        const line = putLine(key, record)
        if (line !== undefined) yield line
      }
      await breathe()
    }
  }

  async #merge(): Promise<void> {
    const mirror = this.#mirror
    if (mirror) await withMirrorLock(this.#address, () => mirror.journal.merge())
  }

  /** Runs background work one after another. A failure only affects the mirror. */
  #later(work: () => Promise<void>): void {
    this.#background = this.#background.then(async () => {
      if (this.#closed) return
      await work().catch((error: unknown) => this.#failed(error))
    })
  }

  #brought(brought: number): void {
    if (brought > 0) this.#report({ brought, damaged: [] })
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error('the account was closed')
  }

  #failed(error: unknown): void {
    if (!this.#closed) this.#failure = failureOf(error)
  }
}

function toMirror({ accountAddress, createdAt, enclave }: StateRecord) {
  return { address: accountAddress, createdAt, savedAt: Date.now(), enclave }
}

function newJournal(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

function failureOf(error: unknown): MirrorFailure {
  return error instanceof Error && error.name === 'QuotaExceededError' ? 'full' : 'refused'
}
