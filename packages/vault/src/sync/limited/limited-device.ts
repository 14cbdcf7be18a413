import type { Enclave } from '@keyhole/enclave'
import { raise } from '../../base/events.ts'
import type { BehindVault } from '../../session/vault-parts.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { isLeaving, LIMITED_LINK } from '../../storage/devices/device-marks.ts'
import { readOnlyError } from '../../storage/read-only.ts'
import { callDevice, type DeviceStatus, isRefused, writeThings } from '../device-calls.ts'
import { deviceRefused } from '../device-refusals.ts'
import type { DevicesWaitFor, LimitedState } from '../devices-state.ts'
import { hasSaidSo, limitedPresenceThing } from '../named-devices.ts'
import { Relay } from '../relay.ts'
import { RelayFailure } from '../relay-failure.ts'
import { openStored } from '../stored/open-stored.ts'
import {
  isHead,
  names,
  pageToStore,
  recordIdOf,
  type StoredPage,
  toStore,
  wasNamed,
} from '../stored/stored-records.ts'
import { withSyncLock } from '../sync-lock.ts'
import { REVOKED, WAITS } from '../sync-loop.ts'
import { leaveLimited } from './leave-limited.ts'
import { type LimitedLink, parseLimitedLink, storeAsLimited } from './limited-link.ts'

/** How often the relay is asked, in milliseconds. Nothing that this device does depends on it. */
const POLL = 300_000
/** The most pages, and characters in them, that are read at once: more than a relay stores of one account. */
const MOST_PAGES = 400
const MOST_READ = 128 << 20

/** The account that is read for now. */
interface Running {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  readonly link: LimitedLink
  readonly ender: AbortController
  /** Undefined before it was opened, and after it failed. */
  status: DeviceStatus | undefined
}

/**
 * An account whose vault is a limited device of another account: it has keys of its own, and learns from the relay who the
 * devices are, and whether it still is one. It says once that it is there, and reads and sends nothing else.
 */
export class LimitedDevice {
  readonly #parts: BehindVault['parts']
  #running: Running | undefined
  #state: LimitedState | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #cancel = () => {}

  constructor(behind: BehindVault) {
    const { parts } = behind
    this.#parts = parts
    const page = parts.page ?? new EventTarget()
    for (const name of ['online', 'focus', 'pageshow']) page.addEventListener(name, () => this.retry())
    const { events } = parts.context
    events.on('vault:locked', () => this.#end())
    events.on('vault:changed', ({ remote }) => {
      if (remote) void this.#lookAgain().catch(() => undefined)
    })
  }

  /** How it is, as far as this tab knows; undefined if the account is no limited device. */
  get state(): LimitedState | undefined {
    return this.#state
  }

  /** Begins for the open account, if it's unlocked and a limited device. Does nothing if it has begun. */
  async begin(): Promise<void> {
    const { client, snapshot } = this.#parts.context
    if (!client.isInitialized || client.isCopy) return
    const { enclave, openStorage: storage } = client
    if (this.#running?.enclave === enclave) return
    const link = storage && (await linkIn(storage))
    if (this.#running?.enclave === enclave || !client.holds(enclave)) return
    this.#end()
    if (!link || !storage) return this.#show(undefined)
    const { relay } = link
    const isUnlocked = snapshot.phase === 'unlocked'
    this.#show({ relay, isRemoved: false, ...(!isUnlocked && { waitsFor: 'unlock' }) })
    if (!isUnlocked) return
    const running: Running = { enclave, storage, link, ender: new AbortController(), status: undefined }
    this.#running = running
    const { signal } = running.ender
    const waits = () => this.#show({ relay, isRemoved: false, waitsFor: 'tab' })
    const untilEnded = async () => {
      const ended = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      void this.#ask(running)
      await ended
    }
    void withSyncLock(storage.address, signal, waits, untilEnded).catch(() => undefined)
  }

  /** Asks the relay now. */
  retry(): void {
    const running = this.#running
    if (running && this.#state?.waitsFor !== 'tab') void this.#ask(running)
  }

  /**
   * Makes the account an ordinary one. It needs no relay. Other tabs notice.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED `DeviceNotLimited`, `DevicesNotReady`, `OpenFromCopy`
   */
  async leave(): Promise<void> {
    const { context } = this.#parts
    const { client } = context
    context.requireUnlocked()
    if (client.isCopy) throw readOnlyError()
    const { storage } = client
    if ((await storage.readMetadataOf(LIMITED_LINK)) === undefined) throw deviceRefused('DeviceNotLimited')
    // The next unlock does it.
    if (await isLeaving(storage)) throw deviceRefused('DevicesNotReady')
    await this.begin()
    // Nothing is read as that device any more. Until it has left, `begin` finds that it has begun.
    const running = this.#running
    this.#cancel()
    running?.ender.abort()
    await this.#tail
    try {
      await leaveLimited(this.#parts, storage)
    } finally {
      if (this.#running === running) this.#running = undefined
      await this.begin().catch(() => undefined)
    }
    // The enclave has suspended them. Other tabs hear of it, and look whether it is a limited device.
    context.changed('mandates')
  }

  /** Another tab has changed the account. It may have made it an ordinary one. */
  async #lookAgain(): Promise<void> {
    const running = this.#running
    // A tab that is leaving has ended what runs, and begins again itself.
    if (!running || running.ender.signal.aborted || (await linkIn(running.storage))) return
    if (this.#running !== running) return
    this.#cancel()
    running.ender.abort()
    this.#running = undefined
    await this.begin()
  }

  #end(): void {
    this.#cancel()
    this.#running?.ender.abort()
    this.#running = undefined
    if (this.#state) this.#show({ ...this.#state, waitsFor: 'unlock' })
  }

  /** Reads the relay, one reading at a time, and once more later. Never rejects. */
  async #ask(running: Running): Promise<void> {
    const mine = this.#tail.then(() => this.#askNow(running))
    this.#tail = mine
    await mine
  }

  async #askNow(running: Running): Promise<void> {
    const { signal } = running.ender
    const { clock } = this.#parts.context
    if (signal.aborted) return
    this.#cancel()
    const { relay } = running.link
    let waitsFor: DevicesWaitFor | undefined
    try {
      await this.#meet(running)
    } catch (error) {
      // The enclave may have more than what is stored.
      if (!(error instanceof RelayFailure)) running.status = undefined
      waitsFor = waitsForOf(error)
    }
    if (signal.aborted) return
    const { status } = running
    // Only heads that were read are certain. Before one of them has named this device, it doesn't know yet.
    const isOne = status === undefined || status.is_member
    const isRemoved =
      !isOne &&
      status.members.length > 0 &&
      (await wasNamed(running.storage, status.device).catch(() => false))
    if (signal.aborted) return
    if (!isOne && !isRemoved) waitsFor ??= 'unnamed'
    this.#show({
      ...{ relay, isRemoved },
      ...(status && { device: status.device }),
      ...(waitsFor ? { waitsFor } : { lastRead: clock.now() }),
    })
    if (!isRemoved) this.#cancel = clock.after(POLL, () => this.retry())
  }

  async #meet(running: Running): Promise<void> {
    const { enclave, storage, link, ender } = running
    const { clock } = this.#parts.context
    running.status ??= (await openStored(enclave, storage)).status
    const relay = new Relay({
      url: link.relay,
      fetch: (...given) => globalThis.fetch(...given),
      clock,
      signal: ender.signal,
      authorize: async (call, audience) =>
        (await callDevice(enclave, 'sign_relay_call', { call, relay: audience })).token,
    })
    running.status = await this.#read(running, running.status, relay)
    try {
      if (!ender.signal.aborted) await this.#say(running, running.status, relay)
    } catch (error) {
      // It says so later. What it has read counts all the same.
      if (!(error instanceof RelayFailure) && !isRefused(error, 'HeadsDiffer')) throw error
    }
  }

  /** Reads the relay's list to its end. */
  async #read(running: Running, before: DeviceStatus, relay: Relay): Promise<DeviceStatus> {
    const { enclave, ender } = running
    let status = before
    let length = 0
    for (let page = 0; page < MOST_PAGES && length <= MOST_READ; page += 1) {
      const from = status.next
      const { before, records } = await relay.read(from)
      for (const record of records) length += record.length
      const input = { ...(before !== null && { before }), records }
      const taken = await callDevice(enclave, 'take_records', input)
      if (taken.page === 'goes_on' && before !== null && records.length > 0)
        await this.#keep(running, { before, records }, from, new Set(taken.stored))
      status = taken.device
      running.status = status
      if (ender.signal.aborted || (taken.page === 'goes_on' && records.length === 0)) return status
    }
    throw new RelayFailure('nonsense')
  }

  async #keep({ storage }: Running, page: StoredPage, from: number, wanted: ReadonlySet<string>) {
    const now = this.#parts.context.clock.now()
    const metadata = await pageToStore(storage.address, page, from, (id) => wanted.has(id), now)
    if (metadata.length > 0) await storeAsLimited(storage, metadata)
  }

  /** Says that this device is there, if the relay doesn't have that yet. Until then its owner is told that it never came. */
  async #say({ enclave, storage }: Running, status: DeviceStatus, relay: Relay): Promise<void> {
    const { device, is_member: isMember, unsent } = status
    if (!isMember) return
    if (unsent === 0) {
      if (await hasSaidSo(enclave, device)) return
      const now = this.#parts.context.clock.now()
      const { records } = await writeThings(enclave, [limitedPresenceThing(device, now)])
      const metadata = await toStore(storage.address, records, now)
      if (!(await storeAsLimited(storage, metadata))) return
    }
    const { records } = await callDevice(enclave, 'records_to_send', {})
    const own = records.filter((record) => !isHead(record) && names(record, device))
    for (const record of own) await relay.append(record, await recordIdOf(record))
  }

  #show(state: LimitedState | undefined): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return
    this.#state = state
    const { snapshot, events } = this.#parts.context
    const { address } = snapshot
    raise(events, 'vault:changed', { ...(address !== undefined && { address }), change: 'devices' })
  }
}

/** Of which account this one is a limited device, unless it is leaving that. */
async function linkIn(storage: OpenStorage): Promise<LimitedLink | undefined> {
  if (await isLeaving(storage)) return undefined
  return parseLimitedLink(await storage.readMetadataOf(LIMITED_LINK))
}

function waitsForOf(error: unknown): DevicesWaitFor {
  if (!(error instanceof RelayFailure)) return 'storage'
  return (error.rule === REVOKED ? 'relay_revoked' : WAITS[error.why]) ?? 'network'
}
