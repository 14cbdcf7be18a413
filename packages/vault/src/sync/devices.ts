import type { Enclave, EnclaveAnswer } from '@keyhole/enclave'
import type { ActivityAbout } from '../base/act.ts'
import { didWebOf } from '../base/did-web.ts'
import { refused } from '../base/errors.ts'
import { raise, type VaultChange } from '../base/events.ts'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import { readStatus } from '../enclave/open-sealed.ts'
import type { CallExport, Change, ChangingExport } from '../session/changes.ts'
import type { BehindVault } from '../session/vault-parts.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { DEVICE_LINK, isLeaving, LIMITED_LINK, type Named } from '../storage/devices/device-marks.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { asUnlockProof, type UnlockProof } from '../unlock/unlock-proof.ts'
import { callDevice, type DeviceAnswer, type DeviceStatus, FAILURE, type HeadChange } from './device-calls.ts'
import { type DeviceLink, linkRecord, parseLink } from './device-link.ts'
import { deviceRefused, namingFailures, relayUrlOrRefuse } from './device-refusals.ts'
import { DeviceSession } from './device-session.ts'
import { DEVICES_OFF, type DevicesState, type KnownDevice } from './devices-state.ts'
import { answerOf, headChangeOf, isForAll } from './head-changes.ts'
import { namedDevices, nameThing, PRESENCE_EVERY, presenceThing } from './named-devices.ts'
import { keepsRecords, Relay } from './relay.ts'
import { RelayFailure } from './relay-failure.ts'
import type { RelayPlace } from './relay-http.ts'
import { withDevicesPlugin } from './reopen.ts'
import { toStore } from './stored/stored-records.ts'
import { withSyncLock } from './sync-lock.ts'
import { SyncLoop } from './sync-loop.ts'

/** A change that this device has proposed. */
interface OwnChange {
  readonly act: string
  readonly about: (adopted: Adopted) => ActivityAbout
  readonly prepare: (adopted: Adopted) => Promise<StateBatch | undefined>
  readonly done: (adopted: Adopted) => void
}
type Adopted = EnclaveAnswer<'adopt_head'>

/** What is announced once something was named. */
const RENAMED = { account: 'account_label', key: 'key_label', method: 'unlock_methods' } as const

/** How often a change of the head is tried again if another device was faster. */
const MOST_TRIES = 3

/** The account that is kept in step now, in this tab or another one. */
interface Running {
  readonly enclave: Enclave
  readonly link: DeviceLink
  readonly ender: AbortController
  /** Missing while another tab does it. */
  work?: { readonly session: DeviceSession; readonly loop: SyncLoop; readonly relay: Relay }
}

/** The account's devices, without those of recovery codes. */
async function devicesIn(
  enclave: Enclave,
  { status, codes }: DeviceSession,
): Promise<readonly KnownDevice[]> {
  const all = status ? await namedDevices(enclave, status) : []
  return all.filter(({ id }) => !codes.devices.has(id))
}

/** Keeps the open account in step with its other devices, while it's unlocked. */
export class Devices {
  readonly #behind: BehindVault
  readonly #parts: BehindVault['parts']
  #running: Running | undefined
  #state: DevicesState = DEVICES_OFF
  #isTelling = false
  /** What this device proposes now: its log line and its records are written with its head, if the relay shows that one. */
  #own: OwnChange | undefined
  /** What this device is to be called, until it was said. */
  #nameToSay = ''
  #beginning: Promise<unknown> = Promise.resolve()
  /** One thing at a time: the loop, and what the owner asks for. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(behind: BehindVault) {
    const { parts } = behind
    this.#behind = behind
    this.#parts = parts
    parts.context.events.on('vault:changed', ({ change }) => {
      if (change !== 'devices' && !this.#isTelling) this.#running?.work?.loop.nudge()
    })
    parts.context.events.on('vault:locked', () => this.end())
    parts.changes.byHead = (change) =>
      this.#running && isForAll(change.name) ? this.#throughHead(change) : undefined
    // The network is back, or the page is.
    const page = parts.page ?? new EventTarget()
    for (const name of ['online', 'focus', 'pageshow']) {
      page.addEventListener(name, () => this.#running?.work?.loop.retry())
    }
  }

  /** How far the devices are, as far as this tab knows. */
  get state(): DevicesState {
    return this.#state
  }

  /** Begins for the open account, if it's unlocked and on several devices. Does nothing if it has begun. */
  async begin(): Promise<void> {
    const mine = this.#beginning.then(() => this.#begin())
    this.#beginning = mine.catch(() => undefined)
    await mine
  }

  async #begin(): Promise<void> {
    const { client, snapshot } = this.#parts.context
    if (!client.isInitialized || client.isCopy) return
    const { enclave, openStorage: storage } = client
    if (this.#running?.enclave === enclave) return
    this.end()
    // Before it has left them, it would go on as another browser's device.
    const link =
      storage && !(await isLeaving(storage)) && parseLink(await storage.readMetadataOf(DEVICE_LINK))
    if (this.#running || !client.holds(enclave)) return
    if (!link) return this.#show(DEVICES_OFF)
    const isUnlocked = snapshot.phase === 'unlocked' && this.#parts.context.snapshot.phase === 'unlocked'
    this.#show({ ...DEVICES_OFF, isOn: true, relay: link.relay, ...(!isUnlocked && { waitsFor: 'unlock' }) })
    if (!isUnlocked) return
    const running: Running = { enclave, link, ender: new AbortController() }
    this.#running = running
    const { signal } = running.ender
    const waits = () => this.#show({ ...this.#state, waitsFor: 'tab' })
    void withSyncLock(storage.address, signal, waits, () => this.#run(running, storage)).catch(
      () => undefined,
    )
  }

  /** Ends: the account was locked, or left. */
  end(): void {
    this.#running?.ender.abort(refused('VaultLocked'))
    this.#running = undefined
    if (this.#state.isOn) this.#show({ ...this.#state, waitsFor: 'unlock' })
  }

  /**
   * Puts the account on several devices, with this one as the first: its plugin is started again, so every other tab
   * leaves it. Its keys stay as they are.
   * @param relay the base URL of the relay
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED `RelayAddressInvalid`, `DevicesOn`
   */
  async start(relay: string, given: string | UnlockProof, name: string): Promise<void> {
    const { context, changes } = this.#parts
    const proof = asUnlockProof(given)
    const { url, address } = await this.needOneDevice(relay)
    const start = async () =>
      await changes.mutate({
        act: 'startDevices',
        name: 'start_devices',
        input: {},
        proof,
        failure: FAILURE,
        by: callDevice as CallExport<'start_devices'>,
        prepare: async ({ account, root, records }) => {
          const now = context.clock.now()
          const link = linkRecord(address, { relay: url, account, root, isComplete: false }, now)
          return { metadata: [link, ...(await toStore(address, records, now))] }
        },
      })
    await withDevicesPlugin(this.#behind, address, proof, start)
    this.#nameToSay = name
    await this.begin()
  }

  /**
   * What is needed before an account is put on devices, or is a limited device of another one: it is unlocked, and
   * neither yet.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED `RelayAddressInvalid`, `DevicesOn`, `DeviceLimited`, `RelayWithoutDevices`
   */
  async needOneDevice(relay: string): Promise<{ readonly url: string; readonly address: string }> {
    const { context } = this.#parts
    context.requireUnlocked()
    if (!context.isPersistent) throw refused('StoresNothing')
    const url = relayUrlOrRefuse(relay)
    const { storage } = context.client
    if ((await storage.readMetadataOf(DEVICE_LINK)) !== undefined) throw deviceRefused('DevicesOn')
    if ((await storage.readMetadataOf(LIMITED_LINK)) !== undefined) throw deviceRefused('DeviceLimited')
    if (await isLeaving(storage)) throw deviceRefused('DevicesNotReady')
    if (!(await keepsRecords(this.#place(url)))) throw deviceRefused('RelayWithoutDevices')
    return { url, address: storage.address }
  }

  /**
   * Removes a device: it can read nothing that is written from now on, and keeps what it has. Needs the relay.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED
   */
  async remove(device: string, given: string | UnlockProof): Promise<void> {
    const proof = asUnlockProof(given)
    const about = { device: this.nameOf(device) }
    let isLogged = false
    const line = this.lineOf('removeDevice', about, () => {
      isLogged = true
    })
    await this.changeHead({ remove: { device } }, proof, ({ members }) => !members.includes(device), line)
    if (!isLogged) await this.#parts.changes.mention('removeDevice', about)
  }

  /** What is written with a head that is in force: a line of the log. @param done called once it's stored */
  lineOf(act: string, about: ActivityAbout, done: () => void): () => OwnChange {
    return () => ({ act, about: () => about, prepare: async () => undefined, done })
  }

  /**
   * Changes what all devices share, through a head. Needs the relay. Nothing has changed before the head comes back from
   * there; a change that another device was faster than is made again.
   * @param isDone whether it is in force already: an earlier try may have failed after the relay had it
   * @param ownOf what is written with a head of this change, once it is in force
   * @returns the head that is in force; undefined if it was done already
   * @throws RelayFailure, VaultError
   */
  async changeHead(
    change: HeadChange,
    proof: UnlockProof | undefined,
    isDone: (status: DeviceStatus) => boolean,
    ownOf: (head: DeviceAnswer<'propose_head'>) => OwnChange | undefined = () => undefined,
  ): Promise<DeviceAnswer<'propose_head'> | undefined> {
    const { context } = this.#parts
    const { enclave } = context.client
    const relay = this.#running?.link.relay ?? ''
    const propose = async (session: DeviceSession) => {
      const { address = '' } = context.snapshot
      for (let tries = MOST_TRIES; ; tries -= 1) {
        await session.withDevice(() => session.prepareHead())
        if (session.status && isDone(session.status)) return undefined
        // A device that can't read the code's device, or a sealed head, could lose what it has.
        const others = await devicesIn(enclave, session)
        const canRead = others.every(({ isThis, isOutdated = false }) => isThis || !isOutdated)
        const input = { change, ...(canRead && { relay: didWebOf(relay), may_seal: true }) }
        const call = async (more: object) => await callDevice(enclave, 'propose_head', { ...input, ...more })
        const head = await session.withDevice(() =>
          proof ? context.prove(address, proof, (input) => call({ proof: input })) : call({}),
        )
        this.#own = ownOf(head)
        try {
          await session.propose(head.records)
          return head
        } catch (error) {
          // It is in force after all: another branch has it too, or a relay that was gone has shown it.
          if (session.status && isDone(session.status)) return head
          const isConflict = error instanceof RelayFailure && error.why === 'conflict'
          if (!isConflict || tries === 0) throw error
        } finally {
          this.#own = undefined
        }
      }
    }
    return await this.#alone(async (work) => {
      try {
        return await propose(work.session)
      } finally {
        // Everything else is sent now, and what was read meanwhile is used.
        work.loop.nudge()
      }
    })
  }

  /** Changes keys or unlock methods for all devices. Nothing is in force, and no code is given, before the relay shows it. */
  async #throughHead<Name extends ChangingExport>(change: Change<Name>): Promise<EnclaveAnswer<Name>> {
    const { context } = this.#parts
    const made = await headChangeOf(change)
    if (!made) throw deviceRefused('DevicesNotReady')
    return await namingFailures(async () => {
      let answer: EnclaveAnswer<Name> | undefined
      const head = await this.changeHead(
        made.change,
        change.proof,
        () => answer !== undefined,
        (proposed) => ({
          act: change.act,
          about: (adopted) => change.about?.(answerOf(proposed, adopted)) ?? {},
          prepare: async (adopted) => await change.prepare?.(answerOf(proposed, adopted)),
          done: (adopted) => {
            answer = answerOf(proposed, adopted)
          },
        }),
      )
      // The last head had the same already, such as the same default key.
      answer ??= head && answerOf(head, await this.#unchanged())
      if (!answer) throw deviceRefused('DevicesNotReady')
      // The key is there, with or without its name.
      if (made.label && head?.key_id !== undefined) {
        await this.#labelKey(head.key_id, made.label).catch((error) => context.report(error, 'labelKey'))
      }
      return answer
    })
  }

  /** What a device is called, for the log. */
  nameOf(device: string): string {
    return this.#state.devices.find(({ id }) => id === device)?.name ?? `…${device.slice(-4)}`
  }

  /** What pairing needs. @throws VaultError VAULT_LOCKED; OPERATION_FAILED `DevicesOff`, `DevicesInOtherTab`, `DevicesNotReady` */
  needWork(): { readonly enclave: Enclave; readonly relay: string } {
    const { session } = this.#needRunning()
    const { enclave, link } = this.#running ?? {}
    if (!session.status || !enclave || !link) throw deviceRefused('DevicesNotReady')
    return { enclave, relay: link.relay }
  }

  async #unchanged(): Promise<{ readonly status: EnclaveStatus; readonly enclave: string }> {
    const { client } = this.#parts.context
    return { status: await readStatus(client.enclave), enclave: client.sealedState ?? '' }
  }

  /** Each device has the names of its keys. */
  async #labelKey(keyId: string, label: string): Promise<void> {
    const input = { key_id: keyId, label }
    const prepare = async (): Promise<StateBatch> => ({ named: { of: 'key', id: keyId } })
    await this.#parts.changes.mutate({ act: 'labelKey', name: 'label_key', input, failure: FAILURE, prepare })
  }

  /** Names a device; an empty name removes it. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  async rename(device: string, name: string): Promise<void> {
    await this.#alone(({ session }) => session.say(nameThing(device, name)))
    this.#running?.work?.loop.nudge()
  }

  /** Asks the relay now. */
  retry(): void {
    this.#running?.work?.loop.retry()
  }

  /** Does something between two steps of the loop. */
  async #alone<T>(work: (running: NonNullable<Running['work']>) => Promise<T>): Promise<T> {
    const running = this.#needRunning()
    return await this.#inTurn(() => work(running))
  }

  #needRunning(): NonNullable<Running['work']> {
    this.#parts.context.requireUnlocked()
    const { work } = this.#running ?? {}
    if (work) return work
    if (this.#running) throw deviceRefused('DevicesInOtherTab')
    throw deviceRefused(this.#state.isOn ? 'DevicesNotReady' : 'DevicesOff')
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work, work)
    this.#tail = mine.catch(() => undefined)
    return mine
  }

  async #run(running: Running, storage: OpenStorage): Promise<void> {
    const { enclave, link, ender } = running
    const { signal } = ender
    const { context } = this.#parts
    const { clock } = context
    if (signal.aborted) return
    const relay = new Relay({
      ...this.#place(link.relay, signal),
      authorize: async (call, audience) =>
        (await callDevice(enclave, 'sign_relay_call', { call, relay: audience })).token,
    })
    const session = new DeviceSession({
      enclave,
      storage,
      relay,
      now: () => clock.now(),
      isStopped: () => signal.aborted,
      adopt: (isOwn) => this.#adopt(isOwn),
      rename: (what, name, isStale) => this.#rename(what, name, isStale),
      changed: (changed) => this.#tell(changed),
    })
    const loop = new SyncLoop({
      session,
      clock,
      signal,
      inTurn: (work) => this.#inTurn(work),
      watch: (hint) => relay.watch(hint),
      ready: () => withWriteLock(storage.address, async () => undefined),
      prepare: () => this.#prepare(session, storage, link),
      devices: () => devicesIn(enclave, session),
      show: (state) => this.#show({ isOn: true, relay: link.relay, ...state }),
    })
    running.work = { session, loop, relay }
    await loop.run()
  }

  #place(url: string, signal = new AbortController().signal): RelayPlace {
    const fetch: typeof globalThis.fetch = (...given) => globalThis.fetch(...given)
    return { url, fetch, clock: this.#parts.context.clock, signal }
  }

  /** What is done once the device is open: everything from before is passed on, and others hear that it's there. */
  async #prepare(
    session: DeviceSession,
    storage: OpenStorage,
    { isComplete, ...link }: DeviceLink,
  ): Promise<void> {
    const { clock } = this.#parts.context
    if (!isComplete) {
      // If the account was locked meanwhile, the rest is marked after the next unlock.
      if (!(await session.markUnknown())) return
      const record = linkRecord(storage.address, { ...link, isComplete: true }, clock.now())
      await storage.exchange({}, () => ({ metadata: [record] }))
    }
    const { status } = session
    if (!status?.is_member) return
    if (this.#nameToSay !== '') await session.say(nameThing(status.device, this.#nameToSay))
    this.#nameToSay = ''
    const own = (await namedDevices(this.#parts.context.client.enclave, status)).find(({ isThis }) => isThis)
    const isRecent = Math.abs(clock.now() - (own?.lastHeard ?? 0)) < PRESENCE_EVERY
    if (own && isRecent && !own.isOutdated) return
    await session.say(presenceThing(status.device, clock.now()))
  }

  /** Takes keys and unlock methods from the last head. @param isOwn whether it is the one that this device has just proposed */
  async #adopt(isOwn: boolean): Promise<void> {
    const own = isOwn ? this.#own : undefined
    const change: Change<'adopt_head'> = {
      act: own?.act ?? 'adoptDevices',
      name: 'adopt_head',
      input: {},
      failure: FAILURE,
      by: callDevice as CallExport<'adopt_head'>,
      ...(own && { about: own.about, prepare: async (made) => (await own.prepare(made)) ?? {} }),
    }
    const adopted = await this.#parts.changes.mutate(change)
    own?.done(adopted)
    this.#parts.context.changed('unlock_methods')
  }

  /** Gives a name as another device did, unless one was given here meanwhile. */
  async #rename(what: Named, label: string, isStale: () => Promise<boolean>): Promise<void> {
    const stale = new Error('It was named here meanwhile.')
    const input = async <Fields>(fields: Fields) => {
      if (await isStale()) throw stale
      return fields
    }
    const same = { act: 'adoptDevices', failure: FAILURE } as const
    const { changes } = this.#parts
    try {
      if (what.of === 'account')
        await changes.mutateHere({ ...same, name: 'label_vault', input: () => input({ label }) })
      else if (what.of === 'key') {
        const fields = { key_id: what.id, label }
        await changes.mutateHere({ ...same, name: 'label_key', input: () => input(fields) })
      } else {
        const fields = { method_id: what.id, label }
        await changes.mutateHere({ ...same, name: 'label_unlock_method', input: () => input(fields) })
      }
    } catch (error) {
      if (error !== stale) throw error
    }
    this.#tell(new Set([RENAMED[what.of]]))
  }

  #tell(changed: ReadonlySet<VaultChange>): void {
    const { context } = this.#parts
    // What came from others is not sent back to them.
    this.#isTelling = true
    for (const change of changed) {
      if (change === 'tokens') context.tokensChanged()
      else context.changed(change)
    }
    this.#isTelling = false
  }

  #show(state: DevicesState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return
    this.#state = state
    const { snapshot, events } = this.#parts.context
    const { address } = snapshot
    raise(events, 'vault:changed', { ...(address !== undefined && { address }), change: 'devices' })
  }
}
