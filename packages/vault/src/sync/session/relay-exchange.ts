import { callDevice, type DeviceAnswer, type DeviceStatus } from '../device-calls.ts'
import { lastWritten } from '../lines/outgoing-lines.ts'
import { noteSelf } from '../mandates/tell-mandates.ts'
import { CodeRecords } from '../recovery/code-records.ts'
import { RelayFailure } from '../relay-failure.ts'
import { openStored } from '../stored/open-stored.ts'
import {
  isHead,
  isHeadNaming,
  keepPage,
  names,
  recordIdOf,
  toStore,
  wasNamed,
} from '../stored/stored-records.ts'
import type { SessionParts } from './session-parts.ts'

/** The most pages, and characters in them, that are read at once: more than a relay stores of one account (docs/relay.md). */
const MOST_PAGES = 400
const MOST_READ = 128 << 20
/** How often a relay may make a device read from the beginning at once. */
const MOST_RESTARTS = 8

/** A head that was proposed, until it's known whether it is in force. */
export interface Proposed {
  /** In base64url. */
  readonly head: string
  readonly id: string
  /** Whether the relay has shown it as the last one, and the account has what it says. */
  isInForce: boolean
}

/** The records that a device and the relay exchange, unread. */
export abstract class RelayExchange {
  /** What lets recovery codes open the account from the relay. */
  readonly codes: CodeRecords
  protected readonly parts: SessionParts
  /** Things that were read and may not be here yet; undefined: any. */
  protected news: Map<string, Set<string>> | undefined
  /** The last line of this device's log that it had written when it was opened. */
  protected linesThrough = 0
  /** Whether what was stored is the relay's list as it was last read. */
  protected placesFit = false
  protected proposed: Proposed | undefined
  #status: DeviceStatus | undefined
  /** Whether a head that it has read names it: if it isn't one of the account's devices now, it was removed. */
  #wasNamed = false
  /**
   * Whether the relay says when there is something new; how often it did; and how often it had when it was last read to its
   * end, less than 0 if that isn't known.
   */
  #isListening = false
  #hints = 0
  #followed = -1

  constructor(parts: SessionParts) {
    this.parts = parts
    this.codes = new CodeRecords(parts)
  }

  /** How far it is; undefined before it was opened. */
  get status(): DeviceStatus | undefined {
    return this.#status
  }

  protected set status(status: DeviceStatus | undefined) {
    this.#status = status
  }

  /** Whether another device has removed this one. Until it has read the head that adds it, it doesn't know yet. */
  get isRemoved(): boolean {
    if (!this.#wasNamed || !this.status) return false
    return !this.status.is_member && this.status.members.length > 0
  }

  /** Whether it has read no head yet that names it. The relay may have ended its list before that. */
  get isUnnamed(): boolean {
    return this.status?.is_member === false && !this.isRemoved
  }

  /** Whether the relay would have said if it had anything that was not read. An honest one, that is. */
  protected get isCurrent(): boolean {
    return this.#isListening && this.#followed === this.#hints
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

  /**
   * Opens the device from what is stored: at first, and after anything failed, because the enclave may have more than
   * the storage.
   * @throws VaultError
   */
  async open(): Promise<void> {
    const { enclave, storage } = this.parts
    this.news = undefined
    this.#followed = -1
    this.linesThrough = await lastWritten(storage)
    const { status, fits } = await openStored(enclave, storage)
    this.status = status
    this.placesFit = fits
    this.#wasNamed = status.is_member || (await wasNamed(storage, status.device))
    await this.notePlace()
    await this.codes.look()
  }

  /** Notes that this device is one of the account's, or was removed. A payment counts on it, so it comes before all that follows. */
  protected async notePlace(): Promise<void> {
    const { device = '', is_member: isMember = false } = this.status ?? {}
    if (this.isRemoved) await noteSelf(this.parts, { device, isRemoved: true })
    if (!isMember) return
    await noteSelf(this.parts, { device, isRemoved: false })
    this.#wasNamed = true
  }

  /** Reads what the relay has. @param each done after each page with anything new */
  protected async read(each: () => Promise<void> = async () => {}): Promise<boolean> {
    let [pages, length, restarts, isNew] = [0, 0, 0, false]
    this.#followed = -1
    for (;;) {
      const from = this.status?.next ?? 1
      const hints = this.#hints
      const page = await this.parts.relay.read(from)
      const { before } = page
      // Up to a head that was proposed here: it is taken in before those that follow it.
      const own = this.proposed ? page.records.indexOf(this.proposed.head) : -1
      const records = own < 0 ? page.records : page.records.slice(0, own + 1)
      pages += 1
      length += records.reduce((sum, record) => sum + record.length, 0)
      const taken = await this.#take(before, records, from)
      if (taken.page === 'goes_on' && records.length === 0) {
        this.#followed = hints
        break
      }
      if (taken.page !== 'goes_on') restarts += 1
      else {
        isNew = true
        await each()
      }
      if (own >= 0 && taken.page === 'goes_on') await this.takeOwn()
      if (pages > MOST_PAGES || length > MOST_READ || restarts > MOST_RESTARTS)
        throw new RelayFailure('nonsense')
      if (this.parts.isStopped()) break
    }
    return isNew
  }

  async #take(
    before: string | null,
    records: readonly string[],
    from: number,
  ): Promise<DeviceAnswer<'take_records'>> {
    const { enclave, storage, now } = this.parts
    const input = { ...(before !== null && { before }), records }
    const taken = await callDevice(enclave, 'take_records', input)
    // Also if it can't be stored: the enclave says it once.
    this.note(taken.changed)
    if (taken.page === 'goes_on' && before !== null && records.length > 0)
      await keepPage(storage, { before, records }, from, taken.stored, now())
    this.status = taken.device
    if (this.isUnnamed) this.#wasNamed ||= await this.#isNamedIn(records, taken.stored)
    await this.notePlace()
    return taken
  }

  /** Whether a head names this device, among records of which these are stored. */
  async #isNamedIn(records: readonly string[], stored: readonly string[]): Promise<boolean> {
    const heads = records.filter((record) => isHeadNaming(record, this.status?.device ?? ''))
    return (await Promise.all(heads.map(recordIdOf))).some((id) => stored.includes(id))
  }

  /** Notes what may have to be taken in. */
  protected note(changed: DeviceAnswer<'take_records'>['changed']): void {
    if (!changed) this.news = undefined
    for (const { thing, id } of changed ?? []) {
      const ids = this.news?.get(thing) ?? new Set()
      this.news?.set(thing, ids.add(id))
    }
  }

  /** Takes keys and unlock methods from the last head, if it has any that are not here. */
  protected async adopt(isOwn = false): Promise<void> {
    if (!this.status?.has_to_adopt) return
    await this.parts.adopt(isOwn)
    this.status = { ...this.status, has_to_adopt: false }
    await this.codes.look()
  }

  /** The head that was proposed is in force if it was read as the last one, and no other is beside it. */
  protected async takeOwn(): Promise<void> {
    const [proposed, status] = [this.proposed, this.status]
    if (!proposed || proposed.isInForce || !status?.is_member || status.has_to_join) return
    // The next head would name it. This one is thrown away.
    const { records } = await callDevice(this.parts.enclave, 'propose_head', { change: { join: {} } })
    if (!names(records[0] ?? '', proposed.id)) return
    await this.adopt(true)
    proposed.isInForce = true
  }

  /** Sends in the order in which records name each other, up to the first one that the relay refuses. */
  protected async send(): Promise<void> {
    const { enclave, isStopped } = this.parts
    for (let round = 0; round < MOST_PAGES && !isStopped(); round += 1) {
      const { records } = await callDevice(enclave, 'records_to_send', {})
      if (records.length === 0) return
      await this.append(records)
    }
  }

  /** Appends records, and reads the relay, which shows them. */
  protected async append(records: readonly string[]): Promise<void> {
    const { relay, isStopped } = this.parts
    let heads = this.status?.heads_read ?? 0
    for (const record of records) {
      if (isStopped()) return
      const isOfHeads = isHead(record)
      await relay.append(record, await recordIdOf(record), isOfHeads ? heads : undefined)
      if (isOfHeads) heads += 1
    }
    // What was sent counts as sent once the relay shows it.
    if (!(await this.read())) throw new RelayFailure('nonsense')
  }

  /** Stores what was written, before anything is sent. */
  protected async store(records: readonly string[]): Promise<void> {
    const { storage, now } = this.parts
    const metadata = await toStore(storage.address, records, now())
    if (metadata.length > 0) await storage.exchange({}, () => ({ metadata }))
  }

  /**
   * Sends what was written here, and reads, if nothing else is new at the relay.
   * @returns whether it did; not if the relay refuses it, which must not keep this device from reading
   */
  protected async sendOwn(): Promise<boolean> {
    if (!this.isCurrent || !this.status?.unsent) return false
    const { records } = await callDevice(this.parts.enclave, 'records_to_send', {})
    if (records.length === 0) return false
    this.#followed = -1
    try {
      await this.append(records)
      return true
    } catch (error) {
      if (!(error instanceof RelayFailure) || error.why === 'network' || error.why === 'busy') throw error
      return false
    }
  }
}
