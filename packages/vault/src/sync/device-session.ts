import type { Enclave } from '@keyhole/enclave'
import { refused } from '../base/errors.ts'
import type { VaultChange } from '../base/events.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import { NAME_MARK } from '../storage/devices/device-marks.ts'
import { readSelf } from '../tokens/keepers/kept-mandates.ts'
import {
  callDevice,
  type DeviceAnswer,
  type DeviceStatus,
  FAILURE,
  isRefused,
  writeThings,
} from './device-calls.ts'
import { takeIn } from './incoming.ts'
import { takeInLines } from './lines/incoming-lines.ts'
import { lastWritten, linesToWrite, unwrittenLines } from './lines/outgoing-lines.ts'
import { noteOwnMandates, noteSelf, tellMandates } from './mandates/tell-mandates.ts'
import { exchangeNames, type NamesParts } from './names/account-names.ts'
import { type Mark, markUnknown, readMarks, writeMarked } from './outgoing.ts'
import { CodeRecords } from './recovery/code-records.ts'
import type { Relay } from './relay.ts'
import { RelayFailure } from './relay-failure.ts'
import { openStored } from './stored/open-stored.ts'
import { isHead, keepPage, names, readStored, recordIdOf, toStore } from './stored/stored-records.ts'
import type { Thing } from './things.ts'

/** Changes that are written and not sent: then further ones stay marked, and are written later. */
const MOST_UNSENT = 2_000
/** The most pages, and characters in them, that are read at once: more than a relay stores of one account (docs/relay.md). */
const MOST_PAGES = 400
const MOST_READ = 128 << 20
/** How often a relay may make a device read from the beginning at once. */
const MOST_RESTARTS = 8

export interface SessionParts {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  readonly relay: Relay
  readonly now: () => number
  readonly isStopped: () => boolean
  /** Takes keys and unlock methods from the last head into the account. @param isOwn whether it is the one that was just proposed */
  readonly adopt: (isOwn: boolean) => Promise<void>
  /** Gives the account, a key or an unlock method the name that another device gave. */
  readonly rename: NamesParts['rename']
  /** Announces changes to the account. */
  readonly changed: (changes: ReadonlySet<VaultChange>) => void
}

/** A head that was proposed, until it's known whether it is in force. */
interface Proposed {
  /** In base64url. */
  readonly head: string
  readonly id: string
  /** Whether the relay has shown it as the last one, and the account has what it says. */
  isInForce: boolean
}

/** One unlocked device: its records in the enclave and in storage, and the relay. One thing at a time. */
export class DeviceSession {
  readonly #parts: SessionParts
  #status: DeviceStatus | undefined
  /** Whether it was one of the account's devices before, or has read everything: if it isn't one now, it was removed. */
  #knowsPlace = false
  #tooLong: ReadonlySet<string> = new Set()
  /** Things that were read and may not be here yet; undefined: any. */
  #news: Map<string, Set<string>> | undefined
  /** The last line of this device's log that it had written when it was opened. */
  #linesThrough = 0
  /** Whether what was stored is the relay's list as it was last read. */
  #placesFit = false
  #headsDiffer = false
  #proposed: Proposed | undefined
  /** Revocations that the relay has, and with how many heads they were looked up. */
  readonly #told = new Set<string>()
  #toldAt: number | undefined
  #untold = 0
  /**
   * Whether the relay says when there is something new; how often it did; and how often it had when it was last read to its
   * end, less than 0 if that isn't known.
   */
  #isListening = false
  #hints = 0
  #followed = -1

  /** What lets recovery codes open the account from the relay. */
  readonly codes: CodeRecords

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.codes = new CodeRecords(parts)
  }

  /** How far it is; undefined before it was opened. */
  get status(): DeviceStatus | undefined {
    return this.#status
  }

  /** Whether another device has removed this one. Until it has read the head that adds it, it doesn't know yet. */
  get isRemoved(): boolean {
    if (!this.#knowsPlace || !this.#status) return false
    return !this.#status.is_member && this.#status.members.length > 0
  }

  /** Whether it waits for branches of heads to be joined before it writes. */
  get headsDiffer(): boolean {
    return this.#headsDiffer
  }

  /** Changes that are too long to be sent to other devices. */
  get tooLong(): number {
    return this.#tooLong.size
  }

  /** Removed devices of whose removal the relay doesn't know yet. */
  get untold(): number {
    return this.#untold
  }

  /** Whether the relay would have said if it had anything that was not read. An honest one, that is. */
  get #isCurrent(): boolean {
    return this.#isListening && this.#followed === this.#hints
  }

  /** Whether all that the relay told of was used as well, so that another meeting now would do nothing. */
  get isInStep(): boolean {
    if (!this.#isCurrent || this.#news?.size !== 0 || !this.#status) return false
    const {
      has_to_adopt: adopt,
      has_to_join: join,
      has_to_write_again: again,
      heads_read: heads,
    } = this.#status
    return !adopt && !join && !again && heads === this.#toldAt
  }

  /** The relay says that there may be something new. It does so at first, too. */
  hinted(): void {
    this.#isListening = true
    this.#hints += 1
  }

  /** The relay says nothing any more. */
  unheard(): void {
    this.#isListening = false
  }

  /** Changes that the relay doesn't have yet. */
  async waiting(): Promise<number> {
    const { storage } = this.#parts
    const marks = [...(await readMarks(storage)), ...(await storage.readMetadataUnder(NAME_MARK))]
    const lines = await unwrittenLines(this.#parts)
    return marks.length - this.#tooLong.size + lines + (this.#status?.unsent ?? 0)
  }

  /**
   * Opens the device from what is stored: at first, and after anything failed, because the enclave may have more than
   * the storage.
   * @throws VaultError
   */
  async open(): Promise<void> {
    const { enclave, storage } = this.#parts
    this.#news = undefined
    this.#followed = -1
    this.#linesThrough = await lastWritten(storage)
    const { status, fits } = await openStored(enclave, storage)
    this.#status = status
    this.#placesFit = fits
    this.#knowsPlace = (await readSelf(storage))?.device === status.device
    await this.#notePlace()
    await this.codes.look()
  }

  /**
   * Marks what no device has written. For an account that is new to its devices.
   * @returns whether that was all of it: not if it was stopped
   * @throws VaultError
   */
  async markUnknown(): Promise<boolean> {
    const { isStopped } = this.#parts
    await noteOwnMandates(this.#parts)
    const { known } = await takeIn(this.#parts, 'all')
    if (isStopped()) return false
    return await markUnknown(this.#parts, ({ kind, id }) => known.has(`${kind}:${id}`), isStopped)
  }

  /** Writes what was changed here as operations, and takes in what is new. Needs no relay. @throws VaultError */
  async settle(): Promise<void> {
    await this.#write()
    if (this.isRemoved) await this.#notePlace()
    await this.#takeIn()
  }

  /** Notes that this device is one of the account's, or was removed. A payment counts on it, so it comes before all that follows. */
  async #notePlace(): Promise<void> {
    const { device = '', is_member: isMember = false } = this.#status ?? {}
    if (this.isRemoved) await noteSelf(this.#parts, { device, isRemoved: true })
    if (!isMember) return
    await noteSelf(this.#parts, { device, isRemoved: false })
    this.#knowsPlace = true
  }

  /**
   * Reads what the relay has, sends what it lacks, and does what follows from both. If nothing is new there, what was
   * written here goes first: others wait for it.
   * @returns whether it read anything new before it sent; false if it sent first
   * @throws RelayFailure, VaultError
   */
  async meet(): Promise<boolean> {
    const isNew = (await this.#sendOwn()) ? false : await this.#read(() => this.#takeNews())
    if (this.isRemoved) {
      await this.#takeIn()
      return isNew
    }
    await this.#adopt()
    const untold = await this.#tellRemoved()
    const unput = await this.codes.put(this.#status?.went_back ?? 0)
    await this.#writeAgain()
    await this.#writeAndSend()
    await this.#join()
    await this.#takeIn()
    await this.#exchangeNames()
    await this.#tellMandates()
    await this.#writeAndSend()
    // Only now: the others are in step, and the relay is told again as soon as it may be asked.
    if (untold ?? unput) throw untold ?? unput
    return isNew
  }

  /** Writes one thing that is about devices. @throws VaultError */
  async say(thing: Thing): Promise<void> {
    const { records, refused: never, device } = await writeThings(this.#parts.enclave, [thing])
    if (never.length > 0) throw refused('CallFailed', { failure: FAILURE })
    try {
      await this.#store(records)
    } catch (error) {
      // The enclave has it and the storage hasn't: what it writes next would follow on something that no one has.
      await this.open().catch(() => undefined)
      throw error
    }
    this.#status = device
  }

  /** Does something again if another tab has changed the account meanwhile, so that this one's enclave has opened it again. */
  async withDevice<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isRefused(error, 'NoDevice')) throw error
      await this.open()
      return await work()
    }
  }

  /**
   * Reads the relay, and sends what a head may name, before one is proposed. Changes that wait to be sent are sent later:
   * there may be thousands of them, and a lost device has to be removed now.
   * @throws RelayFailure, VaultError
   */
  async prepareHead(): Promise<void> {
    await this.#read()
    if (this.isRemoved) return await this.#takeIn()
    await this.#adopt()
    const { records, is_all: isAll } = await callDevice(this.#parts.enclave, 'records_to_send', {})
    const own = this.#status?.device ?? ''
    const isWaiting = (record: string) => !isHead(record) && names(record, own)
    const others = records.filter((record) => !isWaiting(record))
    // No head names what this device has written. Others' records are here to be sent if the relay forgot them.
    if (!others.every(isHead) || !(isAll || (await this.#isOnlyOwnUnsent(own)))) await this.#send()
    else if (others.length > 0) await this.#append(others)
  }

  /** Whether the relay lacks nothing but operations of this device. Asked if there are too many to be told all. */
  async #isOnlyOwnUnsent(own: string): Promise<boolean> {
    if (!this.#placesFit || this.#status?.went_back !== 0) return false
    const { others } = await readStored(this.#parts.storage)
    return others.every((record) => !isHead(record) && names(record, own))
  }

  /**
   * Appends a head that was just proposed, and takes it in once the relay shows it: only then it is in force. Call
   * `prepareHead` before proposing.
   * @throws RelayFailure: `conflict` if another device was faster; others if the relay itself refuses it; `unsure` if it
   *   isn't known whether the head is in force, or will be
   */
  async propose([head = '']: readonly string[]): Promise<void> {
    const { relay } = this.#parts
    const proposed: Proposed = { head, id: await recordIdOf(head), isInForce: false }
    let failure: unknown
    try {
      await relay.append(head, proposed.id, this.#status?.heads_read ?? 0)
    } catch (error) {
      if (error instanceof RelayFailure && error.isRefusal) throw error
      // It may have arrived.
      failure = error
    }
    this.#proposed = proposed
    try {
      await this.#readAgain()
    } catch (error) {
      failure = error
    } finally {
      this.#proposed = undefined
    }
    if (!proposed.isInForce) throw new RelayFailure('unsure', { cause: failure })
    // A removed device should hear of it at once. What fails here or failed above is done by the next meeting.
    await this.#tellRemoved().catch(() => undefined)
    await this.codes.put(this.#status?.went_back ?? 0).catch(() => undefined)
  }

  /** Reads the relay, which has just been there. */
  async #readAgain(): Promise<void> {
    for (let tries = 3; ; tries -= 1) {
      try {
        await this.#read()
        await this.#takeOwn()
        return await this.#adopt()
      } catch (error) {
        if (tries === 0) throw error
        // Another tab has changed the account, and this one's enclave has opened it again. What was read is stored.
        if (isRefused(error, 'NoDevice')) await this.open()
        else if (!(error instanceof RelayFailure)) throw error
      }
    }
  }

  /** @param each done after each page with anything new */
  async #read(each: () => Promise<void> = async () => {}): Promise<boolean> {
    let [pages, length, restarts, isNew] = [0, 0, 0, false]
    this.#followed = -1
    for (;;) {
      const from = this.#status?.next ?? 1
      const hints = this.#hints
      const page = await this.#parts.relay.read(from)
      const { before } = page
      // Up to a head that was proposed here: it is taken in before those that follow it.
      const own = this.#proposed ? page.records.indexOf(this.#proposed.head) : -1
      const records = own < 0 ? page.records : page.records.slice(0, own + 1)
      pages += 1
      length += records.reduce((sum, record) => sum + record.length, 0)
      const taken = await this.#take(before, records, from)
      if (taken.page === 'goes_on' && records.length === 0) {
        this.#followed = hints
        this.#knowsPlace = true
        await this.#notePlace()
        break
      }
      if (taken.page !== 'goes_on') restarts += 1
      else {
        isNew = true
        await each()
      }
      if (own >= 0 && taken.page === 'goes_on') await this.#takeOwn()
      if (pages > MOST_PAGES || length > MOST_READ || restarts > MOST_RESTARTS)
        throw new RelayFailure('nonsense')
      if (this.#parts.isStopped()) break
    }
    return isNew
  }

  async #take(
    before: string | null,
    records: readonly string[],
    from: number,
  ): Promise<DeviceAnswer<'take_records'>> {
    const { enclave, storage, now } = this.#parts
    const input = { ...(before !== null && { before }), records }
    const taken = await callDevice(enclave, 'take_records', input)
    // Also if it can't be stored: the enclave says it once.
    this.#note(taken.changed)
    if (taken.page === 'goes_on' && before !== null && records.length > 0)
      await keepPage(storage, { before, records }, from, taken.stored, now())
    this.#status = taken.device
    await this.#notePlace()
    return taken
  }

  #note(changed: DeviceAnswer<'take_records'>['changed']): void {
    if (!changed) this.#news = undefined
    for (const { thing, id } of changed ?? []) {
      const ids = this.#news?.get(thing) ?? new Set()
      this.#news?.set(thing, ids.add(id))
    }
  }

  async #adopt(isOwn = false): Promise<void> {
    if (!this.#status?.has_to_adopt) return
    await this.#parts.adopt(isOwn)
    this.#status = { ...this.#status, has_to_adopt: false }
    await this.codes.look()
  }

  /** The head that was proposed is in force if it was read as the last one, and no other is beside it. */
  async #takeOwn(): Promise<void> {
    const [proposed, status] = [this.#proposed, this.#status]
    if (!proposed || proposed.isInForce || !status?.is_member || status.has_to_join) return
    // The next head would name it. This one is thrown away.
    const { records } = await callDevice(this.#parts.enclave, 'propose_head', { change: { join: {} } })
    if (!names(records[0] ?? '', proposed.id)) return
    await this.#adopt(true)
    proposed.isInForce = true
  }

  /**
   * Tells the relay of removed devices, until it knows: whoever removed one may have been killed before. A relay that has no room for that,
   * or refuses it, still keeps the others in step: it is told at a later meeting.
   * @returns why it has to be told again soon: it is away, or busy
   */
  async #tellRemoved(): Promise<RelayFailure | undefined> {
    const heads = this.#status?.heads_read
    if (heads === this.#toldAt) return undefined
    const { enclave, relay } = this.#parts
    const { permissions } = await callDevice(enclave, 'revoked_permissions', {})
    let failure: RelayFailure | undefined
    for (const { revocation, token } of permissions) {
      if (this.#told.has(revocation)) continue
      try {
        await relay.revoke(revocation, token)
        this.#told.add(revocation)
      } catch (error) {
        if (!(error instanceof RelayFailure)) throw error
        if (error.why !== 'network' && error.why !== 'busy') continue
        failure = error
        break
      }
    }
    this.#untold = permissions.filter(({ revocation }) => !this.#told.has(revocation)).length
    if (this.#untold === 0) this.#toldAt = heads
    return failure
  }

  async #writeAgain(): Promise<void> {
    if (!this.#status?.has_to_write_again) return
    const { records } = await callDevice(this.#parts.enclave, 'write_again', {})
    await this.#store(records)
  }

  /** Stores what was written, before anything is sent. */
  async #store(records: readonly string[]): Promise<void> {
    const { storage, now } = this.#parts
    const metadata = await toStore(storage.address, records, now())
    if (metadata.length > 0) await storage.exchange({}, () => ({ metadata }))
  }

  async #exchangeNames(): Promise<void> {
    if (!this.#status?.is_member || this.#parts.isStopped()) return
    try {
      this.#status = (await exchangeNames(this.#parts)) ?? this.#status
    } catch (error) {
      // They are told once the branches are joined. The next reading of the relay says more.
      if (!isRefused(error, 'HeadsDiffer') && !isRefused(error, 'NotMember')) throw error
    }
  }

  async #tellMandates(): Promise<void> {
    // What others have told has to be here first.
    if (!this.#status?.is_member || this.#parts.isStopped() || this.#news?.size !== 0) return
    await tellMandates(this.#parts, this.#status.device)
  }

  /** Some at a time, because no more than so many may wait to be sent. */
  async #writeAndSend(): Promise<void> {
    let isLeft = true
    while (isLeft && !this.#parts.isStopped()) {
      isLeft = await this.#write()
      await this.#send()
    }
  }

  /** @returns whether something was written, and there is more */
  async #write(): Promise<boolean> {
    const { storage, isStopped } = this.#parts
    if (!this.#status?.is_member) return false
    const marks = await readMarks(storage)
    const isTooLong = ({ sealed }: Mark) => this.#tooLong.has(sealed)
    const unwritten = marks.filter((each) => !isTooLong(each))
    const space = Math.max(MOST_UNSENT - this.#status.unsent, 0)
    const now = unwritten.slice(0, space)
    const old = new Set(marks.filter(isTooLong).map(({ sealed }) => sealed))
    this.#headsDiffer = false
    try {
      const lines = await linesToWrite(this.#parts, this.#status.device, space - now.length)
      const { tooLong, back, status } = await writeMarked(this.#parts, now, lines, isStopped)
      this.#note(back.map(({ kind, id }) => ({ thing: kind, id })))
      this.#status = status ?? this.#status
      this.#tooLong = new Set([...old, ...tooLong.map(({ sealed }) => sealed)])
      return (now.length > 0 && unwritten.length > now.length) || (lines?.isMore ?? false)
    } catch (error) {
      if (isRefused(error, 'NotMember') && this.#status) {
        // The next reading of the relay says more.
        this.#status = { ...this.#status, is_member: false }
        return false
      }
      if (!isRefused(error, 'HeadsDiffer')) throw error
      // Someone who was removed on another branch could read it. It stays marked until the branches are joined.
      await this.open()
      this.#headsDiffer = true
      return false
    }
  }

  async #takeIn(): Promise<void> {
    if (this.#news?.size === 0) return
    const news = this.#news ?? 'all'
    const { changed } = await takeIn(this.#parts, news)
    const log = { device: this.#status?.device ?? '', through: this.#linesThrough }
    const hasLines = await takeInLines(this.#parts, news, log)
    if (hasLines) this.#parts.changed(new Set(['activity']))
    if (this.#parts.isStopped()) return
    this.#news = new Map()
    if (changed.size > 0) this.#parts.changed(changed)
  }

  /** Takes in what a page has brought, before the relay says that it was the last one. */
  async #takeNews(): Promise<void> {
    // If anything may be new, all pages are compared at once.
    if (this.#news) await this.#takeIn()
  }

  /**
   * Sends what was written here, and reads, if nothing else is new at the relay.
   * @returns whether it did; not if the relay refuses it, which must not keep this device from reading
   */
  async #sendOwn(): Promise<boolean> {
    if (!this.#isCurrent || !this.#status?.unsent) return false
    const { records } = await callDevice(this.#parts.enclave, 'records_to_send', {})
    if (records.length === 0) return false
    this.#followed = -1
    try {
      await this.#append(records)
      return true
    } catch (error) {
      if (!(error instanceof RelayFailure) || error.why === 'network' || error.why === 'busy') throw error
      return false
    }
  }

  /** Sends in the order in which records name each other, up to the first one that the relay refuses. */
  async #send(): Promise<void> {
    const { enclave, isStopped } = this.#parts
    for (let round = 0; round < MOST_PAGES && !isStopped(); round += 1) {
      const { records } = await callDevice(enclave, 'records_to_send', {})
      if (records.length === 0) return
      await this.#append(records)
    }
  }

  async #append(records: readonly string[]): Promise<void> {
    const { relay, isStopped } = this.#parts
    let heads = this.#status?.heads_read ?? 0
    for (const record of records) {
      if (isStopped()) return
      const isOfHeads = isHead(record)
      await relay.append(record, await recordIdOf(record), isOfHeads ? heads : undefined)
      if (isOfHeads) heads += 1
    }
    // What was sent counts as sent once the relay shows it.
    if (!(await this.#read())) throw new RelayFailure('nonsense')
  }

  async #join(): Promise<void> {
    if (!this.#status?.has_to_join) return
    const { enclave, relay } = this.#parts
    const { records } = await callDevice(enclave, 'propose_head', { change: { join: {} } })
    for (const record of records)
      await relay.append(record, await recordIdOf(record), this.#status.heads_read)
    await this.#read()
    await this.#adopt()
  }
}
