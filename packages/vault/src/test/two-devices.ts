// Devices of one account for tests: the real enclave with its exports for devices, storage of their own, and a relay.
import { createHash } from 'node:crypto'

import type { AnyExport, Enclave } from '@keyhole/enclave'
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach } from 'vitest'
import { createThreadless } from '../../../enclave/src/test/in-this-thread.ts'
import type { World } from '../../../relay/src/test/relay.ts'
import { readActivity } from '../activity/activity-reader.ts'
import { systemClock } from '../base/clock.ts'
import type { VaultChange } from '../base/events.ts'
import { VaultClient } from '../client/vault-client.ts'
import type { KeyVault } from '../key-vault.ts'
import { AccountStorage } from '../storage/account/account-storage.ts'
import { DEVICE_LINK, type Named, nameMark } from '../storage/devices/device-marks.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { parseLink } from '../sync/device-link.ts'
import { DeviceSession } from '../sync/device-session.ts'
import { Relay, type RelayCall } from '../sync/relay.ts'
import { pageToStore, recordIdOf, toStore } from '../sync/stored/stored-records.ts'
import { type UnlockProof, unlockProofInput } from '../unlock/unlock-proof.ts'
import { TestClock } from './clock.ts'

const proof = () => ({ passkey: { credential: 'AQIDBA', prf: Buffer.alloc(64, 7).toString('base64url') } })

/** Thrown at every step of a device that was killed. */
class Killed extends Error {}

/** A device, as far as it goes on after it was killed: its storage. */
export class TestDevice {
  relayWorld: World
  factory = new IDBFactory()
  readonly changed: VaultChange[] = []
  clock = new TestClock()
  address = ''
  root = ''
  pseudonym = ''
  /** For the relay, until it has joined. */
  permission: string | undefined
  fetch: typeof globalThis.fetch
  storage!: AccountStorage
  enclave!: Enclave
  session!: DeviceSession
  #stopped = false
  /** Steps until it dies: each before or after something is stored, or sent. */
  #stepsLeft = Number.POSITIVE_INFINITY

  constructor(relayWorld: World) {
    this.relayWorld = relayWorld
    this.fetch = async (url, init) =>
      await this.relayWorld.relay.fetch(new Request(url, init), { address: '192.0.2.1' })
  }

  async start(): Promise<void> {
    this.enclave = await createThreadless({ devices: true })
  }

  async call(name: string, input: unknown): Promise<Record<string, unknown>> {
    const answer = Object(await this.enclave.callByName(name as AnyExport, input))
    if ('error' in answer) throw new Error(`${name}: ${answer.error}`)
    return answer
  }

  /** A new account with its first device. */
  async found(): Promise<void> {
    await this.start()
    const made = await this.call('create_vault', {
      passkey: {
        ...proof().passkey,
        relying_party: 'localhost',
        salt: Buffer.alloc(64, 1).toString('base64url'),
      },
      recovery_code: true,
    })
    this.address = String(Object(made.status).address)
    const started = await this.call('start_devices', { proof: proof() })
    this.root = String(started.root)
    this.pseudonym = String(started.account)
    await this.#keep(started)
    await this.begin()
  }

  /** Adds another device to the account. */
  async add(other: TestDevice): Promise<void> {
    await other.start()
    const made = await other.call('make_device', {})
    await this.session.meet()
    const head = await this.call('propose_head', { change: { add: made }, proof: proof() })
    await this.#append(head)
    await this.session.meet()
    await other.#join(this.address, { account: this.pseudonym, root: this.root }, head.permission)
  }

  /** Joins an account that has added it. */
  async #join(
    address: string,
    { account, root }: { readonly account: string; readonly root: string },
    permission: unknown,
  ): Promise<void> {
    this.permission = String(permission)
    const records = await this.readAll()
    const joined = await this.call('join_devices', { account, root, records })
    this.permission = undefined
    Object.assign(this, { address, root, pseudonym: account })
    const page = { before: 'A'.repeat(43), records }
    await this.#keep(joined, await pageToStore(address, page, 1, () => true, 1))
    await this.begin()
  }

  /** Everything that the relay has of the account. */
  async readAll(): Promise<string[]> {
    const records: string[] = []
    for (;;) {
      const { records: page } = await this.relay().read(records.length + 1)
      if (page.length === 0) return records
      records.push(...page)
    }
  }

  /** A vault adds this device. */
  async addedBy(vault: KeyVault, proof: UnlockProof): Promise<void> {
    await this.start()
    const made = await this.call('make_device', {})
    const { client } = vault
    if (!(client instanceof VaultClient)) throw new Error('It has no client.')
    const { enclave, storage } = client
    const link = parseLink(await storage.readMetadataOf(DEVICE_LINK))
    if (!link) throw new Error('The account is on one device.')
    const propose = { change: { add: made }, proof: unlockProofInput(proof) }
    const { records, permission } = Object(await enclave.callByName('propose_head', propose))
    this.permission = String(permission)
    const isHead = (record: string) => Buffer.from(record, 'base64url')[0] === 1
    const [head = ''] = records as string[]
    await this.relay().append(head, await recordIdOf(head), (await this.readAll()).filter(isHead).length)
    await this.#join(storage.address, link, permission)
  }

  /** Forgets what it has read of the relay: a vault that has joined has stored nothing of it. */
  async forgetRead(): Promise<void> {
    const read = await this.storage.readMetadataUnder('device-record:')
    await this.storage.writeBatch({ removed: { metadata: [...read.map(({ id }) => id), 'device-self'] } })
  }

  async remove(other: TestDevice): Promise<void> {
    const device = other.session.status?.device
    const head = await this.call('propose_head', { change: { remove: { device } }, proof: proof() })
    await this.#append(head)
    await this.session.meet()
  }

  async #append({ records }: Record<string, unknown>): Promise<void> {
    for (const record of records as string[]) {
      const id = createHash('sha256').update(Buffer.from(record, 'base64url')).digest('base64url')
      await this.relay().append(record, id, this.session.status?.heads_read)
    }
  }

  async #keep(
    { enclave, records }: Record<string, unknown>,
    read: readonly MetadataRecord[] = [],
  ): Promise<void> {
    this.storage = await this.open()
    const link = {
      id: DEVICE_LINK,
      accountAddress: this.address,
      key: DEVICE_LINK,
      updatedAt: 1,
      sealed: '-',
    }
    const metadata = [
      link,
      ...read,
      ...(await toStore(this.address, (records as string[] | undefined) ?? [], 1)),
    ]
    await this.storage.writeState(String(enclave), 1, { metadata })
  }

  async open(): Promise<AccountStorage> {
    const before = globalThis.indexedDB
    globalThis.indexedDB = this.factory
    try {
      const storage = await AccountStorage.open(this.address)
      const { exchange } = storage
      storage.exchange = (...given) => this.#inSteps(() => exchange.apply(storage, given))
      return storage
    } finally {
      globalThis.indexedDB = before
    }
  }

  relay(signal = new AbortController().signal): Relay {
    return new Relay({
      url: 'https://vault.example/relay',
      fetch: (url, init) => this.#inSteps(() => this.fetch(url, init)),
      clock: systemClock,
      authorize: (call, relay) => this.#authorize(call, relay),
      signal,
    })
  }

  /** Signed by the device, before it has joined with the permission that it was given. */
  async #authorize(call: RelayCall, relay: string): Promise<string> {
    const given = this.permission === undefined ? {} : { permission: this.permission }
    return String((await this.call('sign_relay_call', { call, relay, ...given })).token)
  }

  async begin(): Promise<void> {
    this.#stopped = false
    this.session = new DeviceSession({
      enclave: this.enclave,
      storage: this.storage,
      relay: this.relay(),
      now: () => this.clock.now(),
      isStopped: () => this.#stopped,
      adopt: async () => {
        const { enclave } = await this.call('adopt_head', {})
        await this.storage.writeState(String(enclave), 1)
      },
      rename: (what, name) => this.#rename(what, name),
      changed: (changes) => this.changed.push(...changes),
    })
    await this.session.open()
  }

  async #inSteps<T>(work: () => Promise<T>): Promise<T> {
    this.#step()
    const done = await work()
    this.#step()
    return done
  }

  #step(): void {
    this.#stepsLeft -= 1
    if (this.#stepsLeft < 0) throw new Killed('killed')
  }

  /** Does something, and is killed after so many steps of it. It is open again afterwards. @returns whether it was killed */
  async killedAfter(steps: number, work: () => Promise<unknown>): Promise<boolean> {
    this.#stepsLeft = steps
    try {
      await work()
      return false
    } catch (error) {
      if (this.#stepsLeft >= 0) throw error
      await this.kill()
      this.#stepsLeft = Number.POSITIVE_INFINITY
      await this.revive()
      return true
    } finally {
      this.#stepsLeft = Number.POSITIVE_INFINITY
    }
  }

  /** The account was locked: it does nothing more. */
  stop(): void {
    this.#stopped = true
  }

  /** Ends it at once, as if its tab had been killed. What it has stored stays. */
  async kill(): Promise<void> {
    this.#stopped = true
    this.storage.close()
    await this.enclave.close()
  }

  /** Opens it again from what it has stored. */
  async revive(): Promise<void> {
    await this.start()
    this.storage = await this.open()
    const state = await this.storage.readState()
    await this.call('unlock_vault', { enclave: state?.enclave, proof: proof() })
    await this.begin()
  }

  async #rename(what: Named, label: string, metadata: readonly MetadataRecord[] = []): Promise<void> {
    const [name, input] =
      what.of === 'account'
        ? ['label_vault', {}]
        : what.of === 'key'
          ? ['label_key', { key_id: what.id }]
          : ['label_unlock_method', { method_id: what.id }]
    const { enclave } = await this.call(name, { ...input, label })
    await this.storage.writeState(String(enclave), 1, { metadata })
  }

  /** Names something, as the vault would. @param isMarked not if it was named before the account had devices */
  async name(what: Named, label: string, isMarked = true): Promise<void> {
    await this.#rename(what, label, isMarked ? [nameMark(this.address, what)] : [])
  }

  /** Everything that has a name. */
  async names(): Promise<Record<string, string>> {
    const { status } = await this.call('vault_status', {})
    const { label, keys } = status as { label?: string; keys: { key_id: string; label?: string }[] }
    const { methods } = (await this.call('list_unlock_methods', {})) as {
      methods: { id: string; label?: string }[]
    }
    const all = [
      ['account', label] as const,
      ...keys.map((key) => [`key:${key.key_id}`, key.label] as const),
      ...methods.map((method) => [`method:${method.id}`, method.label] as const),
    ]
    return Object.fromEntries(all.flatMap(([id, name]) => (name ? [[id, name]] : [])))
  }

  /** Does things, which become lines of the log. */
  async act(...acts: string[]): Promise<void> {
    const entries = acts.map((act) => ({ at: this.clock.now(), tab: 'oak', act, outcome: 'done' }))
    await this.log(entries)
  }

  /** Writes entries into the log, as the vault would, 500 at a time. */
  async log(entries: readonly object[]): Promise<void> {
    for (let at = 0; at < entries.length; at += 500) {
      const made = await this.call('log_activity', { entries: entries.slice(at, at + 500) })
      const metadata = (made.records as { seq: number; sealed: string }[]).map(({ seq, sealed }) => {
        const key = `activity:${seq}`
        return { id: key, accountAddress: this.address, key, updatedAt: this.clock.now(), sealed }
      })
      await this.storage.writeState(String(made.enclave), 1, { metadata })
    }
  }

  /** What the log shows: what was done, and on which other device. */
  async lines(): Promise<string[]> {
    const { lines } = await readActivity(this.enclave, this.storage)
    return lines.map(({ act, device }) => (device ? `${act} on ${device.name ?? 'another'}` : act))
  }

  /** The ids of the account's keys. */
  async keyIds(): Promise<string[]> {
    const { status } = await this.call('vault_status', {})
    return (status as { keys: { key_id: string }[] }).keys.map((key) => key.key_id)
  }

  /** The ids of its unlock methods. */
  async methodIds(): Promise<string[]> {
    const { methods } = await this.call('list_unlock_methods', {})
    return (methods as { id: string }[]).map(({ id }) => id)
  }

  /** Stores a contact, as the vault would. */
  async contact(id: string, name: string): Promise<void> {
    const key = `contact:${id}`
    const { records } = await this.call('seal_records', {
      records: [{ context: `metadata:${key}`, plaintext: name }],
    })
    const [{ sealed }] = records as [{ sealed: string }]
    await this.storage.putMetadata({
      id: key,
      accountAddress: this.address,
      key,
      updatedAt: this.clock.now(),
      sealed,
    })
  }

  /** The names of the contacts, opened. */
  async contacts(): Promise<Record<string, string>> {
    const found = await this.storage.readMetadataUnder('contact:')
    const input = { records: found.map(({ key, sealed }) => ({ context: `metadata:${key}`, sealed })) }
    const { records } = await this.call('open_records', input)
    const names = (records as { plaintext?: string }[]).map(({ plaintext }) => plaintext ?? '(sealed)')
    return Object.fromEntries(
      found.map(({ key }, index) => [key.slice('contact:'.length), names[index] ?? '']),
    )
  }

  /** Everything that all devices have, without what says when. */
  async shared(): Promise<unknown> {
    const metadata = await this.storage.readMetadata()
    const isOwn = ({ key }: MetadataRecord) => key.startsWith('device-') || key.startsWith('activity')
    return {
      tokens: (await this.storage.readTokens()).sort((a, b) => (a.id < b.id ? -1 : 1)),
      sessions: (await this.storage.readSessions()).sort((a, b) => (a.id < b.id ? -1 : 1)),
      metadata: metadata.filter((each) => !isOwn(each)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    }
  }
}

/** The devices of a test: all are closed afterwards. */
export class TestDevices {
  readonly #all: TestDevice[] = []

  constructor() {
    afterEach(async () => {
      for (const device of this.#all.splice(0)) await device.kill().catch(() => undefined)
    })
  }

  make(world: World): TestDevice {
    const device = new TestDevice(world)
    this.#all.push(device)
    return device
  }

  /** Two devices of one account. */
  async two(world: World): Promise<[TestDevice, TestDevice]> {
    const [laptop, phone] = [this.make(world), this.make(world)]
    await laptop.found()
    await laptop.add(phone)
    return [laptop, phone]
  }
}
