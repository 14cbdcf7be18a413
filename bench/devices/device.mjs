// One device in a process of its own: a vault with the real enclave, and the storage of a browser in memory. Its parent sends it calls.
import 'fake-indexeddb/auto'
import { KeyVault } from '@keyhole/vault'
import { devicesOf } from '@keyhole/vault/devices'
import { TokenReader } from '@keyhole/vault/token-reader'

const PASSPHRASE = 'violet anvil harbour thirty'
const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

const items = new Map()
globalThis.localStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ key) => items.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => void items.set(key, value),
  removeItem: (/** @type {string} */ key) => void items.delete(key),
})

/** The network that it is in, for the relay's limits. */
let address = '192.0.2.1'
/** @type {{isOn: boolean, texts: string[]}} */
const wire = { isOn: false, texts: [] }
const { fetch } = globalThis
globalThis.fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers)
  headers.set('x-forwarded-for', address)
  const response = await fetch(input, { ...init, headers })
  if (wire.isOn) {
    const sent = `${init.method ?? 'GET'} ${input}\n${[...headers].join('\n')}\n\n${init.body ?? ''}`
    wire.texts.push(sent)
    // A stream of hints has no end.
    if (!String(response.headers.get('content-type')).includes('event-stream'))
      wire.texts.push(`${[...response.headers].join('\n')}\n\n${await response.clone().text()}`)
  }
  return response
}

/** By the clock that all processes of this machine share, in milliseconds. */
const now = () => performance.timeOrigin + performance.now()
const passkey = () => ({ passkey: { credential: 'AQIDBA', prf: new Uint8Array(64).fill(7) } })
const proofOf = (/** @type {string} */ kind) => (kind === 'passphrase' ? PASSPHRASE : passkey())

const vault = new KeyVault({ wasmSource: 'bundled', assessPassphrase: async () => ({ score: 4 }) })
await vault.initialize()
const devices = devicesOf(vault)

/**
 * Waits for a change of the vault's, after which something is so.
 * @template T @param {string} kind @param {() => Promise<T | undefined>} look @returns {Promise<T>}
 */
async function once(kind, look) {
  for (;;) {
    let stop = () => {}
    const changed = new Promise((resolve) => {
      stop = vault.on('vault:changed', ({ change }) => change === kind && resolve(undefined))
    })
    try {
      const found = await look()
      if (found !== undefined) return found
      await changed
    } finally {
      stop()
    }
  }
}

/** @param {(state: import('@keyhole/vault/devices').DevicesState) => boolean} is */
const until = async (is) =>
  await once('devices', async () => {
    const state = await devices.state()
    return is(state) ? state : undefined
  })
const isInStep = (/** @type {import('@keyhole/vault/devices').DevicesState} */ state) =>
  state.lastRead !== undefined && state.toSend === 0 && state.missing === 0 && state.waitsFor === undefined

/** Waits for a token by its label. @param {string} label */
const tokenWith = async (label) =>
  await once('tokens', async () => (await vault.tokens.list()).find((token) => token.label === label))

/** Work, with the time and the processor time of all threads that it took. @param {() => Promise<unknown>} work */
async function measured(work) {
  const [start, used] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(used)
  return { wall: performance.now() - start, processor: (user + system) / 1_000 }
}

/** When the relay had been read before the grant that was measured last; 0 if all of it was sent. */
let readBefore = 0

/** @param {string} label */
const grant = async (label) =>
  await vault.tokens.grant({ audience_did: STRANGER, command: '/msg/send', label })

/** @type {Record<string, (...given: any[]) => Promise<unknown>>} */
const calls = {
  from: async (network) => {
    address = network
  },
  create: async (label) => {
    const made = await vault.create({
      ...{ label, passphrase: PASSPHRASE, recoveryCode: true },
      passkey: { ...passkey().passkey, relyingParty: 'localhost', salt: new Uint8Array(64).fill(1) },
    })
    return { code: made.recoveryCode, ...vault.getSnapshot() }
  },
  start: async (relay, name) => {
    await devices.start({ relay, proof: passkey(), name })
    return await until(isInStep)
  },
  beginJoining: async (relay) => (await devices.beginJoining({ relay })).text,
  joiningDigits: async () => await devices.joiningDigits(),
  readPairingCode: async (text) => await devices.readPairingCode(text),
  add: async (name) => await devices.add({ proof: passkey(), name }),
  join: async () => {
    await devices.join()
    return await until((state) => isInStep(state) && state.devices.length > 1)
  },
  inStep: async () => await until(isInStep),
  state: async () => await devices.state(),
  retry: async () => await devices.retry(),
  removed: async () => await until(({ isRemoved, waitsFor }) => isRemoved || waitsFor === 'relay_revoked'),
  remove: async (name) => {
    const { devices: all } = await devices.state()
    const device = all.find((each) => each.name === name)?.id
    if (device === undefined) throw new Error(`There is no ${name}.`)
    await devices.remove({ device, proof: passkey() })
    return now()
  },
  /** Asks the relay for new records without a pause, until it refuses this device. */
  refusedAt: async () => {
    const { relay = '' } = await devices.state()
    const enclave = Object(vault.client).enclave
    const to = `did:web:${new URL(relay).host.replace(':', '%3A')}`
    for (let network = 0; ; network += 1) {
      const input = { call: { read: { from: 1 } }, relay: to }
      const { token } = Object(await Object(enclave).callByName('sign_relay_call', input))
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `203.0.113.${network % 256}` }
      const { status } = await fetch(`${relay}/records/read`, { method: 'POST', headers })
      if (status === 403) return now()
      if (status !== 200) throw new Error(`The relay answered ${status}.`)
    }
  },
  grant: async (label) => {
    const begun = now()
    const { token, cid } = await grant(label)
    return { begun, saved: now(), token, cid }
  },
  grants: async (count) => {
    readBefore = (await devices.state()).lastRead ?? 0
    for (let at = 0; at < count; at += 1) await grant(`Number ${at}`)
  },
  sees: async (label) => {
    await tokenWith(label)
    return now()
  },
  labels: async () => (await vault.tokens.list()).map(({ label }) => label),
  contact: async (name, did) => await vault.contacts.save({ name, kind: 'person', dids: [did] }),
  contacts: async () => (await vault.contacts.list()).map(({ name }) => name),
  contactSeen: async (name) => {
    if (!(await vault.contacts.list()).some((contact) => contact.name === name))
      throw new Error(`No ${name}.`)
  },
  importKey: async (text, label) => (await vault.keys.import({ text }, label)).did,
  /** Nothing is left to do in the background, also of the last grant: until that is with the relay, the state is that of before. */
  settled: async () => {
    const { isOn } = await devices.state()
    if (isOn) await until((state) => isInStep(state) && (state.lastRead ?? 0) > readBefore)
    readBefore = 0
  },
  lock: async () => await vault.lock(),
  unlock: async (kind) => await measured(() => vault.unlock(proofOf(kind))),
  /** From the unlock to all devices in step, or to nothing left to do. */
  unlockAndSettle: async (kind) =>
    await measured(async () => {
      await vault.unlock(proofOf(kind))
      const { isOn } = await devices.state()
      if (isOn) await until(isInStep)
    }),
  measureGrant: async (label) => {
    readBefore = (await devices.state()).lastRead ?? 0
    return await measured(() => grant(label))
  },
  /** Several grants, one after another, while the first ones are sent. Each one's share. */
  measureGrants: async (label, count) => {
    readBefore = (await devices.state()).lastRead ?? 0
    const { wall, processor } = await measured(async () => {
      for (let at = 0; at < count; at += 1) await grant(`${label}, ${at}`)
    })
    return { wall: wall / count, processor: processor / count }
  },
  /** A grant, until it is with the relay. */
  grantAndSettle: async (label) =>
    await measured(async () => {
      const { isOn, lastRead: before = 0 } = await devices.state()
      await grant(label)
      if (isOn) await until((state) => isInStep(state) && (state.lastRead ?? 0) > before)
    }),
  /** What a search reads and opens: every token, as its worker does, and every label, as the page does. */
  measureSearch: async (text) =>
    await measured(async () => {
      const { address: account = '' } = vault.getSnapshot()
      const reader = await TokenReader.open(account)
      const found = []
      for await (const records of reader.chunks(500)) {
        const sealed = records.map(({ id, sealedLabel = '' }) => ({ id, sealedLabel }))
        const labels = await vault.tokens.openLabels(sealed)
        found.push(...labels.filter((label) => label?.includes(text)))
      }
      reader.close()
      if (found.length === 0) throw new Error(`Nothing is called ${text}.`)
    }),
  wire: async (isOn) => {
    wire.isOn = isOn
    return wire.texts.splice(0)
  },
}

process.on(
  'message',
  async (/** @type {{id: number, name: string, given: unknown[]}} */ { id, name, given }) => {
    try {
      const work = calls[name]
      if (!work) throw new Error(`A device can't ${name}.`)
      process.send?.({ id, answer: await work(...given) })
    } catch (error) {
      const { message, details } = Object(error)
      process.send?.({ id, failed: `${name}: ${message} ${JSON.stringify(details ?? {})}` })
    }
  },
)
process.send?.({ id: 0, answer: 'ready' })
