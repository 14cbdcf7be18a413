import { callDevice, isRefused } from './device-calls.ts'
import { RelayFailure } from './relay-failure.ts'
import { DeviceChanges } from './session/device-changes.ts'
import type { Proposed } from './session/relay-exchange.ts'
import { RemovalNotices } from './session/removal-notices.ts'
import type { SessionParts } from './session/session-parts.ts'
import { isHead, names, readStored, recordIdOf } from './stored/stored-records.ts'

/** One unlocked device: its records in the enclave and in storage, and the relay. One thing at a time. */
export class DeviceSession extends DeviceChanges {
  readonly #removals: RemovalNotices

  constructor(parts: SessionParts) {
    super(parts)
    this.#removals = new RemovalNotices(parts)
  }

  /** Removed devices of whose removal the relay doesn't know yet. */
  get untold(): number {
    return this.#removals.untold
  }

  /** Whether all that the relay told of was used as well, so that another meeting now would do nothing. */
  get isInStep(): boolean {
    if (!this.isCurrent || this.news?.size !== 0 || !this.status) return false
    const {
      has_to_adopt: adopt,
      has_to_join: join,
      has_to_write_again: again,
      heads_read: heads,
    } = this.status
    return !adopt && !join && !again && this.#removals.isTold(heads)
  }

  /**
   * Reads what the relay has, sends what it lacks, and does what follows from both. If nothing is new there, what was
   * written here goes first: others wait for it.
   * @returns whether it read anything new before it sent; false if it sent first
   * @throws RelayFailure, VaultError
   */
  async meet(): Promise<boolean> {
    const isNew = (await this.sendOwn()) ? false : await this.read(() => this.takeNews())
    if (this.isRemoved) {
      await this.takeIn()
      return isNew
    }
    // It can do nothing before the relay shows it more.
    if (this.isUnnamed) return isNew
    await this.adopt()
    const untold = await this.#removals.tell(this.status?.heads_read)
    const unput = await this.codes.put(this.status?.went_back ?? 0)
    await this.writeAgain()
    await this.writeAndSend()
    await this.#join()
    await this.takeIn()
    await this.exchangeNames()
    await this.tellMandates()
    await this.writeAndSend()
    // Only now: the others are in step, and the relay is told again as soon as it may be asked.
    if (untold ?? unput) throw untold ?? unput
    return isNew
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
    await this.read()
    if (this.isRemoved) return await this.takeIn()
    await this.adopt()
    const { records, is_all: isAll } = await callDevice(this.parts.enclave, 'records_to_send', {})
    const own = this.status?.device ?? ''
    const isWaiting = (record: string) => !isHead(record) && names(record, own)
    const others = records.filter((record) => !isWaiting(record))
    // No head names what this device has written. Others' records are here to be sent if the relay forgot them.
    if (!others.every(isHead) || !(isAll || (await this.#isOnlyOwnUnsent(own)))) await this.send()
    else if (others.length > 0) await this.append(others)
  }

  /** Whether the relay lacks nothing but operations of this device. Asked if there are too many to be told all. */
  async #isOnlyOwnUnsent(own: string): Promise<boolean> {
    if (!this.placesFit || this.status?.went_back !== 0) return false
    const { others } = await readStored(this.parts.storage)
    return others.every((record) => !isHead(record) && names(record, own))
  }

  /**
   * Appends a head that was just proposed, and takes it in once the relay shows it: only then it is in force. Call
   * `prepareHead` before proposing.
   * @throws RelayFailure: `conflict` if another device was faster; others if the relay itself refuses it; `unsure` if it
   *   isn't known whether the head is in force, or will be
   */
  async propose([head = '']: readonly string[]): Promise<void> {
    const { relay } = this.parts
    const proposed: Proposed = { head, id: await recordIdOf(head), isInForce: false }
    let failure: unknown
    try {
      await relay.append(head, proposed.id, this.status?.heads_read ?? 0)
    } catch (error) {
      if (error instanceof RelayFailure && error.isRefusal) throw error
      // It may have arrived.
      failure = error
    }
    this.proposed = proposed
    try {
      await this.#readAgain()
    } catch (error) {
      failure = error
    } finally {
      this.proposed = undefined
    }
    if (!proposed.isInForce) throw new RelayFailure('unsure', { cause: failure })
    // A removed device should hear of it at once. What fails here or failed above is done by the next meeting.
    await this.#removals.tell(this.status?.heads_read).catch(() => undefined)
    await this.codes.put(this.status?.went_back ?? 0).catch(() => undefined)
  }

  /** Reads the relay, which has just been there. */
  async #readAgain(): Promise<void> {
    for (let tries = 3; ; tries -= 1) {
      try {
        await this.read()
        await this.takeOwn()
        return await this.adopt()
      } catch (error) {
        if (tries === 0) throw error
        // Another tab has changed the account, and this one's enclave has opened it again. What was read is stored.
        if (isRefused(error, 'NoDevice')) await this.open()
        else if (!(error instanceof RelayFailure)) throw error
      }
    }
  }

  async #join(): Promise<void> {
    if (!this.status?.has_to_join) return
    const { enclave, relay } = this.parts
    const { records } = await callDevice(enclave, 'propose_head', { change: { join: {} } })
    for (const record of records) await relay.append(record, await recordIdOf(record), this.status.heads_read)
    await this.read()
    await this.adopt()
  }
}
