import { refused } from '../../base/errors.ts'
import { NAME_MARK } from '../../storage/devices/device-marks.ts'
import { callDevice, FAILURE, isRefused, writeThings } from '../device-calls.ts'
import { takeIn } from '../incoming.ts'
import { takeInLines } from '../lines/incoming-lines.ts'
import { linesToWrite, unwrittenLines } from '../lines/outgoing-lines.ts'
import { noteOwnMandates, tellMandates } from '../mandates/tell-mandates.ts'
import { exchangeNames } from '../names/account-names.ts'
import { type Mark, markUnknown, readMarks, writeMarked } from '../outgoing.ts'
import type { Thing } from '../things.ts'
import { RelayExchange } from './relay-exchange.ts'

/** Changes that are written and not sent: then further ones stay marked, and are written later. */
const MOST_UNSENT = 2_000

/** Writes what was changed here as operations, and what other devices have written as records of the account. */
export abstract class DeviceChanges extends RelayExchange {
  #tooLong: ReadonlySet<string> = new Set()
  #headsDiffer = false

  /** Whether it waits for branches of heads to be joined before it writes. */
  get headsDiffer(): boolean {
    return this.#headsDiffer
  }

  /** Changes that are too long to be sent to other devices. */
  get tooLong(): number {
    return this.#tooLong.size
  }

  /** Changes that the relay doesn't have yet. */
  async waiting(): Promise<number> {
    const { storage } = this.parts
    const marks = [...(await readMarks(storage)), ...(await storage.readMetadataUnder(NAME_MARK))]
    const lines = await unwrittenLines(this.parts)
    return marks.length - this.#tooLong.size + lines + (this.status?.unsent ?? 0)
  }

  /**
   * Marks what no device has written. For an account that is new to its devices.
   * @returns whether that was all of it: not if it was stopped
   * @throws VaultError
   */
  async markUnknown(): Promise<boolean> {
    const { isStopped } = this.parts
    await noteOwnMandates(this.parts)
    const { known } = await takeIn(this.parts, 'all')
    if (isStopped()) return false
    return await markUnknown(this.parts, ({ kind, id }) => known.has(`${kind}:${id}`), isStopped)
  }

  /** Writes what was changed here as operations, and takes in what is new. Needs no relay. @throws VaultError */
  async settle(): Promise<void> {
    await this.#write()
    if (this.isRemoved) await this.notePlace()
    await this.takeIn()
  }

  /** Writes one thing that is about devices. @throws VaultError */
  async say(thing: Thing): Promise<void> {
    const { records, refused: never, device } = await writeThings(this.parts.enclave, [thing])
    if (never.length > 0) throw refused('CallFailed', { failure: FAILURE })
    try {
      await this.store(records)
    } catch (error) {
      // The enclave has it and the storage hasn't: what it writes next would follow on something that no one has.
      await this.open().catch(() => undefined)
      throw error
    }
    this.status = device
  }

  /** Writes again what perhaps only a removed device can read. */
  protected async writeAgain(): Promise<void> {
    if (!this.status?.has_to_write_again) return
    const { records } = await callDevice(this.parts.enclave, 'write_again', {})
    await this.store(records)
  }

  /** Takes in and writes names of the account, its keys and its unlock methods. */
  protected async exchangeNames(): Promise<void> {
    if (!this.status?.is_member || this.parts.isStopped()) return
    try {
      this.status = (await exchangeNames(this.parts)) ?? this.status
    } catch (error) {
      // They are told once the branches are joined. The next reading of the relay says more.
      if (!isRefused(error, 'HeadsDiffer') && !isRefused(error, 'NotMember')) throw error
    }
  }

  /** Writes what others have to know of this device's mandates. */
  protected async tellMandates(): Promise<void> {
    // What others have told has to be here first.
    if (!this.status?.is_member || this.parts.isStopped() || this.news?.size !== 0) return
    await tellMandates(this.parts, this.status.device)
  }

  /** Some at a time, because no more than so many may wait to be sent. */
  protected async writeAndSend(): Promise<void> {
    let isLeft = true
    while (isLeft && !this.parts.isStopped()) {
      isLeft = await this.#write()
      await this.send()
    }
  }

  /** @returns whether something was written, and there is more */
  async #write(): Promise<boolean> {
    const { storage, isStopped } = this.parts
    if (!this.status?.is_member) return false
    const marks = await readMarks(storage)
    const isTooLong = ({ sealed }: Mark) => this.#tooLong.has(sealed)
    const unwritten = marks.filter((each) => !isTooLong(each))
    const space = Math.max(MOST_UNSENT - this.status.unsent, 0)
    const now = unwritten.slice(0, space)
    const old = new Set(marks.filter(isTooLong).map(({ sealed }) => sealed))
    this.#headsDiffer = false
    try {
      const lines = await linesToWrite(this.parts, this.status.device, space - now.length)
      const { tooLong, back, status } = await writeMarked(this.parts, now, lines, isStopped)
      this.note(back.map(({ kind, id }) => ({ thing: kind, id })))
      this.status = status ?? this.status
      this.#tooLong = new Set([...old, ...tooLong.map(({ sealed }) => sealed)])
      return (now.length > 0 && unwritten.length > now.length) || (lines?.isMore ?? false)
    } catch (error) {
      if (isRefused(error, 'NotMember') && this.status) {
        // The next reading of the relay says more.
        this.status = { ...this.status, is_member: false }
        return false
      }
      if (!isRefused(error, 'HeadsDiffer')) throw error
      // Someone who was removed on another branch could read it. It stays marked until the branches are joined.
      await this.open()
      this.#headsDiffer = true
      return false
    }
  }

  /** Makes the account's records what was read. */
  protected async takeIn(): Promise<void> {
    if (this.news?.size === 0) return
    const news = this.news ?? 'all'
    const { changed } = await takeIn(this.parts, news)
    const log = { device: this.status?.device ?? '', through: this.linesThrough }
    const hasLines = await takeInLines(this.parts, news, log)
    if (hasLines) this.parts.changed(new Set(['activity']))
    if (this.parts.isStopped()) return
    this.news = new Map()
    if (changed.size > 0) this.parts.changed(changed)
  }

  /** Takes in what a page has brought, before the relay says that it was the last one. */
  protected async takeNews(): Promise<void> {
    // If anything may be new, all pages are compared at once.
    if (this.news) await this.takeIn()
  }
}
