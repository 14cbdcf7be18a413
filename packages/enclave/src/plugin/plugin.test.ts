import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fetchVerified } from '../loading/source.ts'
import { standIn } from '../test/stand-in.ts'
import { type Answer, Instance } from './instance.ts'
import { Plugin } from './plugin.ts'

const OPTIONS = { allowedHosts: [] }
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const real = () => fetchVerified(undefined, { timeout: 30_000, signal: undefined })

/** The vectors' vault: its sealed state, its passphrase, and every secret in it. */
const vector: {
  state: string
  passphrase: string
  data_key: string
  keys: { private_key: string }[]
} = JSON.parse(readFileSync(new URL('../../../../vectors/keyhole/seal-v1.json', import.meta.url), 'utf8'))

const secrets = [vector.data_key, ...vector.keys.map(({ private_key }) => private_key)].map((text) =>
  Buffer.from(text, 'base64url'),
)
const passphrase = Buffer.from(vector.passphrase)

async function memoryOf(plugin: Plugin): Promise<Buffer> {
  const memory = await plugin.memory()
  if (!memory) throw new Error('no memory')
  return Buffer.from(memory.buffer)
}

const isBlank = (memory: Buffer) => memory.equals(Buffer.alloc(memory.length))

function call(instance: Instance, name: string, input: unknown): Promise<Answer> {
  return instance.enqueue(() => instance.call(name, encode(input)))
}

async function unlocked() {
  const plugin = await Plugin.create(await real(), OPTIONS)
  const instance = new Instance(plugin)
  const opened = await call(instance, 'open_vault', { enclave: vector.state })
  expect(opened.output).toContain('"locked":true')
  const { output } = await call(instance, 'unlock_vault', { proof: { passphrase: vector.passphrase } })
  expect(output).toContain('"locked":false')
  return { plugin, instance }
}

describe('a call that needs very much from the host', () => {
  it('is answered: as many records as fit are sealed, with randomness for each', async () => {
    const { plugin } = await unlocked()
    const records = Array.from({ length: 40_000 }, () => ({ context: 'a', plaintext: '' }))
    const answer = JSON.parse((await plugin.call('seal_records', encode({ records }))) ?? '')
    expect(new Set(answer.records.map(({ sealed }: { sealed: string }) => sealed)).size).toBe(records.length)
  })

  it('is refused if it is not a log, and nothing has failed', async () => {
    const { plugin } = await unlocked()
    const entries = `{"entries":[[${'{"":0},'.repeat(2_000_000)}0]]}`
    const answer = await plugin.call('log_activity', new TextEncoder().encode(entries))
    expect(answer).toContain('"name":"InvalidInput"')
    expect(await plugin.call('vault_status', encode({}))).toContain('"locked":false')
  })
})

describe('the blocks of a call', () => {
  it('are overwritten: the given input is gone', async () => {
    const plugin = await Plugin.create(standIn, OPTIONS)
    const input = encode({ passphrase: 'correct horse battery staple' })
    expect(await plugin.call('unlock_vault', input)).toContain('correct horse')
    expect(input.every((byte) => byte === 0)).toBe(true)
  })

  it('are overwritten even if the input was part of a larger buffer', async () => {
    const plugin = await Plugin.create(standIn, OPTIONS)
    const input = encode('a secret among others').subarray(1, -1)
    await plugin.call('unlock_vault', input)
    expect(Buffer.from(input.buffer).toString()).toMatch(/^"\0+"$/)
  })
})

describe('the linear memory', () => {
  it('of an unlocked vault contains its keys, and no passphrase', async () => {
    const { plugin } = await unlocked()
    const memory = await memoryOf(plugin)
    expect(memory.includes(passphrase)).toBe(false)
    expect(secrets.some((secret) => memory.includes(secret))).toBe(true)
  })

  it('of a locked vault is overwritten from the first byte to the last, and the next one has none of it', async () => {
    const { plugin, instance } = await unlocked()
    const fresh: Plugin[] = []
    const make = plugin.fresh.bind(plugin)
    plugin.fresh = async () => {
      const next = await make()
      fresh.push(next)
      return next
    }
    const before = await memoryOf(plugin)
    const { output } = await call(instance, 'lock_vault', {})
    expect(output).toContain('"enclave"')
    expect(isBlank(before)).toBe(true)
    const status = await call(instance, 'vault_status', {})
    const [next] = fresh
    if (!next) throw new Error('no plugin took its place')
    const after = await memoryOf(next)
    for (const secret of [...secrets, passphrase]) expect(after.includes(secret)).toBe(false)
    expect(status.output).toContain('"locked":true')
    expect(status.output).toContain('kh144nycp8uem45f06x7v4wnedcg7prl5rgt6xxap')
  })

  it('of a closed vault is overwritten, and nothing is opened in the next one', async () => {
    const { plugin, instance } = await unlocked()
    const before = await memoryOf(plugin)
    await call(instance, 'close_vault', {})
    expect(isBlank(before)).toBe(true)
    expect((await call(instance, 'vault_status', {})).output).toContain('"initialized":false')
  })

  it('is overwritten even if the next plugin cannot be created at first, and a later call gets one', async () => {
    const { plugin, instance } = await unlocked()
    const make = plugin.fresh.bind(plugin)
    let tries = 0
    plugin.fresh = () => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('there is no memory')) : make()
    }
    const before = await memoryOf(plugin)
    await call(instance, 'lock_vault', {})
    expect(isBlank(before)).toBe(true)
    expect((await call(instance, 'vault_status', {})).failure).toContain('there is no memory')
    expect((await call(instance, 'vault_status', {})).output).toContain('"locked":true')
  })

  it('is overwritten at the end, and no calls are made after that', async () => {
    const { plugin, instance } = await unlocked()
    const memory = await memoryOf(plugin)
    await instance.wipe()
    expect(isBlank(memory)).toBe(true)
    expect((await call(instance, 'vault_status', {})).failure).toContain('closed')
  })
})

it('opens the newest sealed state, locked, after a trap', async () => {
  const { plugin, instance } = await unlocked()
  const named = await call(instance, 'label_vault', { label: 'Renamed' })
  const { status } = JSON.parse(named.output ?? '')
  const heard: unknown[] = []
  instance.listeners.add({ notify: (change) => heard.push(change) })
  plugin.call = async () => {
    throw new WebAssembly.RuntimeError('unreachable')
  }
  expect((await call(instance, 'list_keys', {})).failure).toContain('list_keys')
  expect(heard).toEqual([{ kind: 'restarted' }])
  const { output } = await call(instance, 'vault_status', {})
  expect(output).toContain('"locked":true')
  expect(output).toContain(`"revision":${status.revision}`)
})

it('is not instantiated by Extism if the digest differs', async () => {
  const { bytes } = standIn
  await expect(Plugin.create({ bytes, sha256: 'ab'.repeat(32) }, OPTIONS)).rejects.toThrow('hash mismatch')
})
