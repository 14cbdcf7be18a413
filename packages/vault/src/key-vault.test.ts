import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { VaultConfig } from './base/config.ts'
import { VaultError } from './base/errors.ts'
import type { VaultEventMap, VaultEventName } from './base/events.ts'
import { KeyVault } from './key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser, MemoryStorage, rawPut } from './test/browser.ts'
import { EnclaveWorld } from './test/enclave-world.ts'
import { givenByAnother } from './test/given.ts'
import { openedByPasskey, passkeyProof } from './test/opening.ts'
import { BOB, CAROL } from './test/people.ts'
import { expired } from './test/vectors.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const OTHER = 'staple correct horse'
const GRANT = { audience_did: BOB, command: '/msg/send' }

const NAMES: VaultEventName[] = [
  'vault:initialized',
  'vault:locked',
  'vault:unlocked',
  'vault:key_generated',
  'vault:key_deleted',
  'vault:exported',
  'vault:imported',
  'vault:error',
  'vault:changed',
]

/** Every event of a vault, in order, except those from other tabs. */
function record(vault: KeyVault) {
  const heard: (string | object)[] = []
  for (const name of NAMES) {
    vault.on(name, (detail: VaultEventMap[VaultEventName]) => {
      if (!detail.remote)
        heard.push(name === 'vault:changed' ? `${name} ${(detail as { change: string }).change}` : name)
    })
  }
  return heard
}

const vaults: KeyVault[] = []
afterEach(async () => {
  await Promise.all(vaults.splice(0).map((vault) => vault.cleanup()))
})

function make(config: VaultConfig = {}, world = new EnclaveWorld()) {
  const vault = new KeyVault(config, world)
  vaults.push(vault)
  return vault
}

async function ready(config: VaultConfig = {}, world = new EnclaveWorld()) {
  const vault = make(config, world)
  await vault.initialize()
  return { vault, world }
}

async function unlocked(config: VaultConfig = {}, world = new EnclaveWorld()) {
  const { vault } = await ready(config, world)
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  return { vault, world, address }
}

/** The same with a passphrase, for tests about that. */
async function withPassphrase() {
  const { vault, world } = await ready()
  await vault.create({ passphrase: PASSPHRASE, label: 'Alice' })
  return { vault, world }
}

const given = (request: object = {}) => givenByAnother({ ...GRANT, ...request })

/** Expects a refusal with that code, a `vault:error` with it, and an unchanged snapshot apart from the log. */
async function expectRefusal(vault: KeyVault, work: () => Promise<unknown>, code: string) {
  const before = vault.getSnapshot()
  const errors: unknown[] = []
  const off = vault.on('vault:error', (detail) => errors.push(detail.code))
  await expect(work()).rejects.toMatchObject({ name: 'VaultError', code })
  off()
  expect(errors).toEqual([code])
  expect(vault.getSnapshot()).toEqual(before)
}

describe('transitions', () => {
  it('uninitialized, created and unlocked, locked, unlocked, removed', async () => {
    const vault = make({}, new EnclaveWorld())
    const heard = record(vault)
    expect(vault.getSnapshot().phase).toBe('uninitialized')
    await vault.initialize()
    expect(vault.getSnapshot()).toMatchObject({
      phase: 'empty',
      chainId: 'keyhole-1',
      keys: [],
      accounts: [],
    })
    const account = await vault.create({ passphrase: PASSPHRASE, label: ' Alice ' })
    expect(account).toMatchObject({ address: expect.stringMatching(/^kh1/), active: true, label: 'Alice' })
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address: account.address, label: 'Alice' })
    await vault.lock()
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address: account.address })
    expect(vault.getSnapshot().label).toBeUndefined()
    await vault.unlock(PASSPHRASE)
    expect(vault.getSnapshot().phase).toBe('unlocked')
    await vault.accounts.remove(account.address)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [] })
    expect(vault.getSnapshot().address).toBeUndefined()
    expect(heard).toEqual([
      'vault:initialized',
      'vault:unlocked',
      'vault:initialized',
      'vault:key_generated',
      'vault:changed accounts',
      'vault:locked',
      'vault:unlocked',
      'vault:changed removed',
      'vault:locked',
      'vault:changed accounts',
    ])
  })

  it('a second initialise is VAULT_ALREADY_INITIALIZED', async () => {
    const { vault } = await unlocked()
    await expectRefusal(vault, () => vault.initialize(), 'VAULT_ALREADY_INITIALIZED')
    const starting = make({}, new EnclaveWorld())
    const [first, second] = await Promise.allSettled([starting.initialize(), starting.initialize()])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'VAULT_ALREADY_INITIALIZED' } })
  })

  it('uninitialized after cleanup, and can be initialized again', async () => {
    const { vault, address } = await unlocked()
    await vault.cleanup()
    expect(vault.getSnapshot().phase).toBe('uninitialized')
    await vault.initialize()
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address })
  })

  it('locking a locked vault does nothing', async () => {
    const { vault } = await unlocked()
    await vault.lock()
    const heard = record(vault)
    await vault.lock()
    expect(heard).toEqual([])
  })

  it('failed if the plugin does not load, with the reason, and can be tried again', async () => {
    const world = new EnclaveWorld()
    const late = Object.assign(new Error('WASM loading timed out after 30000ms'), { code: 'TIMEOUT' })
    world.plan('createEnclave', () => Promise.reject(late))
    const vault = make({}, world)
    await expect(vault.initialize()).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'WASM loading timed out after 30000ms',
    })
    expect(vault.getSnapshot()).toMatchObject({ phase: 'failed', error: { code: 'TIMEOUT' } })
    await vault.initialize()
    expect(vault.getSnapshot().phase).toBe('empty')
    expect(vault.getSnapshot().error).toBeUndefined()
  })
})

describe('refusals', () => {
  let parent: string
  beforeAll(async () => {
    parent = await given()
  })
  const operations: [string, (vault: KeyVault) => Promise<unknown>][] = [
    ['grant', (vault) => vault.tokens.grant(GRANT)],
    ['narrow', async (vault) => await vault.tokens.narrow({ ...GRANT, parent_token: parent })],
    ['invoke', (vault) => vault.tokens.invoke({ command: '/a', args: {}, subject_did: BOB })],
    ['revoke', (vault) => vault.tokens.revoke({ cid: 'bafy1' })],
    ['issueReceipt', (vault) => vault.tokens.issueReceipt({ task: 'bafy1', ok: {} })],
    ['revocations', (vault) => vault.tokens.revocations()],
    ['receipts', (vault) => vault.tokens.receipts()],
    ['sign', (vault) => vault.sign(Uint8Array.of(1))],
    ['generateKey', (vault) => vault.generateKey()],
    ['deleteKey', (vault) => vault.deleteKey('key-9')],
    ['setDefaultKey', (vault) => vault.keys.setDefault('key-9')],
    ['labelKey', (vault) => vault.keys.label('key-9', 'x')],
    ['labelAccount', (vault) => vault.accounts.label('x')],
    ['changePassphrase', (vault) => vault.changePassphrase(PASSPHRASE, OTHER)],
    [
      'exportVault',
      (vault) => vault.exportVault({ proof: { passphrase: PASSPHRASE }, exportPassphrase: OTHER }),
    ],
  ]

  it.each(operations)('%s before initializing is VAULT_NOT_INITIALIZED', async (_, work) => {
    const vault = make({}, new EnclaveWorld())
    await expectRefusal(vault, () => work(vault), 'VAULT_NOT_INITIALIZED')
  })

  it.each([...operations, ['unlock', (vault: KeyVault) => vault.unlock(PASSPHRASE)] as const])(
    '%s without an account is VAULT_NOT_INITIALIZED',
    async (_, work) => {
      const { vault } = await ready()
      await expectRefusal(vault, () => work(vault), 'VAULT_NOT_INITIALIZED')
    },
  )

  it.each(operations)('%s on a locked vault is VAULT_LOCKED', async (_, work) => {
    const { vault } = await unlocked()
    await vault.lock()
    const disk = await dumpDisk()
    await expectRefusal(vault, () => work(vault), 'VAULT_LOCKED')
    expect(await dumpDisk()).toBe(disk)
  })

  it('a wrong passphrase is INVALID_PASSPHRASE', async () => {
    const { vault } = await withPassphrase()
    await expectRefusal(vault, () => vault.changePassphrase('not the one it is', OTHER), 'INVALID_PASSPHRASE')
    const request = { proof: { passphrase: 'not the one it is' }, exportPassphrase: OTHER }
    await expectRefusal(vault, () => vault.exportVault(request), 'INVALID_PASSPHRASE')
    await vault.lock()
    await expectRefusal(vault, () => vault.unlock('not the one it is'), 'INVALID_PASSPHRASE')
  })

  it('an unknown key is KEY_NOT_FOUND, and the first one cannot be deleted', async () => {
    const { vault } = await unlocked()
    await expectRefusal(vault, () => vault.deleteKey('nope'), 'KEY_NOT_FOUND')
    await expectRefusal(vault, () => vault.keys.setDefault('nope'), 'KEY_NOT_FOUND')
    await expectRefusal(vault, () => vault.tokens.grant({ ...GRANT, key_id: 'nope' }), 'KEY_NOT_FOUND')
    const first = vault.getSnapshot().keys[0]?.key_id ?? ''
    await expectRefusal(vault, () => vault.deleteKey(first), 'OPERATION_FAILED')
  })

  it('an invalid key type is INVALID_KEY_TYPE, from the plugin', async () => {
    const { vault, world } = await unlocked()
    world.plan('generate_key', () => ({ error: 'no such key type', code: 'INVALID_KEY_TYPE' }))
    await expectRefusal(vault, () => vault.generateKey({ keyType: 'p256' }), 'INVALID_KEY_TYPE')
  })

  it('a refused create leaves no account, and the next one succeeds', async () => {
    const { vault, world } = await ready()
    await expectRefusal(vault, () => vault.create({ passphrase: 'short' }), 'INVALID_PASSPHRASE')
    const free = fillDisk('state')
    await expectRefusal(vault, () => vault.create(openedByPasskey()), 'OPERATION_FAILED')
    free()
    expect(await indexedDB.databases()).toEqual([])
    world.plan('adopt', () => Promise.reject(new Error('another tab was faster')))
    await expectRefusal(vault, () => vault.create(openedByPasskey()), 'OPERATION_FAILED')
    expect(await indexedDB.databases()).toEqual([])
    await vault.create(openedByPasskey())
    expect(vault.getSnapshot().phase).toBe('unlocked')
  })

  it("a caller's own abort rejects with its reason, and is not an error of the vault", async () => {
    const { vault, world } = await unlocked()
    const heard = record(vault)
    const controller = new AbortController()
    const reason = new Error('never mind')
    world.plan('new_origin_token', () => {
      controller.abort(reason)
      throw reason
    })
    await expect(vault.tokens.grant(GRANT, { signal: controller.signal })).rejects.toBe(reason)
    expect(heard).toEqual([])
  })
})

describe('keys', () => {
  it('are generated, labelled, chosen and deleted, each stored with a higher revision', async () => {
    const { vault } = await unlocked()
    const heard = record(vault)
    const key = await vault.generateKey({ keyType: 'p256', label: 'Phone' })
    expect(key).toMatchObject({ key_type: 'p256', label: 'Phone', is_first: false, is_default: false })
    await vault.keys.label(key.key_id, ' Tablet ')
    const { revision } = vault.getSnapshot()
    await vault.keys.setDefault(key.key_id)
    expect(vault.getSnapshot().defaultKey).toBe(key.key_id)
    expect(vault.getSnapshot().revision).toBeGreaterThan(revision)
    expect(vault.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'Tablet'])
    await vault.deleteKey(key.key_id)
    expect(heard).toEqual([
      'vault:key_generated',
      'vault:changed key_label',
      'vault:changed default_key',
      'vault:key_deleted',
    ])
    expect(JSON.parse((await vault.client.loadPersistedState())?.enclave ?? '{}')).toMatchObject({
      revision: vault.getSnapshot().revision,
    })
    await vault.cleanup()
    await vault.initialize()
    await vault.unlock(passkeyProof())
    expect(vault.getSnapshot().keys).toHaveLength(1)
  })

  it('the account can be renamed', async () => {
    const { vault } = await unlocked()
    const heard = record(vault)
    await vault.accounts.label(' Alice at home ')
    expect(vault.getSnapshot().label).toBe('Alice at home')
    expect(heard).toEqual(['vault:changed account_label'])
    expect(await dumpDisk()).not.toContain('at home')
  })

  it('the passphrase can be changed, and the old one no longer works', async () => {
    const { vault } = await withPassphrase()
    await vault.changePassphrase(PASSPHRASE, OTHER)
    await vault.cleanup()
    await vault.initialize()
    await expect(vault.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock(OTHER)
  })
})

describe('a change that cannot be saved', () => {
  it.each<[string, (vault: KeyVault) => Promise<unknown>]>([
    ['generateKey', (vault) => vault.generateKey({ label: 'lost?' })],
    ['labelKey', (vault) => vault.keys.label(vault.getSnapshot().keys[0]?.key_id ?? '', 'lost?')],
    ['changePassphrase', (vault) => vault.changePassphrase(PASSPHRASE, OTHER)],
  ])('%s is rolled back: enclave and disk agree', async (name, work) => {
    const isPassphrase = name === 'changePassphrase'
    const { vault } = await (isPassphrase ? withPassphrase() : unlocked())
    const before = vault.getSnapshot()
    const free = fillDisk('state')
    await expect(work(vault)).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { name: 'StorageFull', quota: true },
    })
    expect(vault.getSnapshot()).toEqual(before)
    free()
    await vault.generateKey({ label: 'next' })
    // The new key, and log lines for it and the refusal. Nothing remains of the rollback.
    expect(vault.getSnapshot().revision).toBe(before.revision + 2)
    await vault.cleanup()
    await vault.initialize()
    await vault.unlock(isPassphrase ? PASSPHRASE : passkeyProof())
    expect(vault.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'next'])
  })

  it('locks the account at its stored state if the rollback fails too', async () => {
    const { vault, world } = await unlocked()
    const { revision } = vault.getSnapshot()
    const free = fillDisk('state')
    world.plan('rollback_vault', () => Promise.reject(new Error('gone')))
    await expect(vault.generateKey()).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', revision })
    await vault.unlock(passkeyProof())
    expect(vault.getSnapshot().keys).toHaveLength(1)
    await vault.generateKey({ label: 'next' })
    expect(vault.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'next'])
  })
})

describe('tokens', () => {
  it('are granted and stored, with labels that only an unlocked vault shows', async () => {
    const { vault } = await unlocked()
    const stored = await vault.tokens.grant({ ...GRANT, label: 'The plumber', expires_at: 4_000_000_000 })
    const { keys } = vault.getSnapshot()
    expect(stored).toMatchObject({
      type: 'origin',
      label: 'The plumber',
      command: '/msg/send',
      audienceDid: BOB,
      issuer: keys[0]?.did,
      keyId: keys[0]?.key_id,
      expiresAt: 4_000_000_000_000,
    })
    expect(await vault.tokens.list()).toEqual([stored])
    expect(await dumpDisk()).not.toContain('plumber')
    await vault.lock()
    const [locked] = await vault.tokens.list()
    expect(locked?.label).toBeUndefined()
    expect(locked?.id).toBe(stored.id)
    await vault.cleanup()
    await vault.initialize()
    await vault.unlock(passkeyProof())
    expect(await vault.tokens.list()).toEqual([stored])
  })

  it('are narrowed', async () => {
    const { vault } = await unlocked()
    const token = await given({ audience_did: vault.getSnapshot().issuerDid ?? '' })
    await vault.tokens.receive(token)
    const narrowed = await vault.tokens.narrow({
      ...GRANT,
      parent_token: token,
      audience_did: CAROL,
      policy: [['<', '.amount', 5]],
    })
    expect(narrowed).toMatchObject({ type: 'attenuated', policy: [['<', '.amount', 5]] })
    expect((await vault.tokens.list()).map(({ type }) => type).sort()).toEqual(['attenuated', 'received'])
  })

  it('are received once, after verification', async () => {
    const token = await given()
    const { vault } = await unlocked()
    const received = await vault.tokens.receive(`  ${token}\n`, { label: 'From Alice' })
    expect(received).toMatchObject({ type: 'received', token, label: 'From Alice' })
    expect(received.keyId).toBeUndefined()
    const again = await vault.tokens.receive(token, { label: 'again' })
    expect(again.id).toBe(received.id)
    expect(again.label).toBe('From Alice')
    expect(await vault.tokens.list()).toHaveLength(1)
  })

  it('are received before they become valid', async () => {
    const { vault } = await unlocked()
    const { token } = await vault.tokens.grant({
      ...GRANT,
      not_before: 3_900_000_000,
      expires_at: 4_000_000_000,
    })
    const stored = await vault.tokens.list()
    await vault.tokens.remove(stored[0]?.id ?? '')
    expect(await vault.tokens.receive(token)).toMatchObject({
      type: 'received',
      notBefore: 3_900_000_000_000,
    })
  })

  it.each([
    ['expired', 'Expired', expired().token],
    ['no token at all', 'MalformedToken', 'nonsense'],
  ])('that are %s are not received', async (_what, name, text) => {
    const { vault } = await unlocked()
    await expect(vault.tokens.receive(text)).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { name },
    })
    expect(await vault.tokens.list()).toEqual([])
  })

  it('that cannot be stored change nothing', async () => {
    const { vault } = await unlocked()
    const stored = await vault.tokens.grant(GRANT)
    const free = fillDisk('tokens')
    await expect(vault.tokens.grant(GRANT)).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(await vault.tokens.list()).toEqual([stored])
  })

  it('raise tokensVersion and vault:changed', async () => {
    const { vault } = await unlocked()
    const heard = record(vault)
    const version = vault.getSnapshot().tokensVersion
    const { id } = await vault.tokens.grant(GRANT)
    await vault.tokens.remove(id)
    expect(vault.getSnapshot().tokensVersion).toBe(version + 2)
    expect(heard).toEqual(['vault:changed tokens', 'vault:changed tokens'])
  })

  it('that cannot be read are kept, reported and skipped', async () => {
    const { vault, address } = await unlocked()
    const good = await vault.tokens.grant(GRANT)
    await rawPut(address, 'tokens', { id: 'bad', createdAt: 1 })
    const reports: string[] = []
    vault.on('vault:error', ({ message }) => reports.push(message))
    expect(await vault.tokens.list()).toEqual([good])
    expect(reports).toEqual([expect.stringContaining('bad')])
  })

  it('stored without newer fields are completed from the token itself', async () => {
    const { vault, address } = await unlocked()
    const { id, token, type, issuer, audience, createdAt } = await vault.tokens.grant(GRANT)
    await rawPut(address, 'tokens', { id, token, type, issuer, audience, createdAt })
    expect(await vault.tokens.list()).toEqual([
      expect.objectContaining({ id, command: '/msg/send', policy: [] }),
    ])
  })

  it('are not stored without persistence, nor is the account', async () => {
    const storage = new MemoryStorage()
    vi.stubGlobal('localStorage', storage)
    const { vault } = await unlocked({ enablePersistence: false })
    expect([...storage.items]).toEqual([])
    expect(await vault.tokens.grant({ ...GRANT, label: 'x' })).toMatchObject({ type: 'origin', label: 'x' })
    expect(await vault.tokens.list()).toEqual([])
    expect(await indexedDB.databases()).toEqual([])
    await vault.generateKey()
    await vault.lock()
    await vault.unlock(passkeyProof())
    expect(vault.getSnapshot().keys).toHaveLength(2)
  })
})

describe('signatures', () => {
  it('go through the plugin', async () => {
    const { vault } = await unlocked()
    const signature = await vault.sign(Uint8Array.of(1, 2))
    const { issuerDid } = vault.getSnapshot()
    const checker = await ready()
    expect(await checker.vault.verify(Uint8Array.of(1, 2), signature, issuerDid)).toBe(true)
    expect(await checker.vault.verify(Uint8Array.of(2, 1), signature, issuerDid)).toBe(false)
    expect(await checker.vault.verify(Uint8Array.of(1, 2), signature, BOB)).toBe(false)
  })

  it('are of bytes, and refuse anything that only looks like bytes', async () => {
    const { vault, world } = await unlocked()
    const { buffer } = Uint8Array.of(1, 2)
    const signing = () => Reflect.apply(vault.sign, vault, [buffer])
    await expectRefusal(vault, signing, 'OPERATION_FAILED')
    await expect(signing()).rejects.toMatchObject({ details: { name: 'NotBytes' } })
    for (const given of [
      [buffer, Uint8Array.of(1)],
      [Uint8Array.of(1), buffer],
    ])
      await expectRefusal(vault, () => Reflect.apply(vault.verify, vault, given), 'OPERATION_FAILED')
    expect(world.calls.some(({ name }) => name === 'sign_data' || name === 'verify_data')).toBe(false)
    expect(await vault.sign([1, 2])).toEqual(await vault.sign(Uint8Array.of(1, 2)))
  })

  it('are of the bytes at the time of the call', async () => {
    const { vault } = await unlocked()
    const data = Uint8Array.of(1, 2)
    const signing = vault.sign(data)
    data.fill(9)
    expect(await signing).toEqual(await vault.sign(Uint8Array.of(1, 2)))
  })
})

describe('several accounts', () => {
  it('exist side by side; the one being left is locked', async () => {
    const { vault, address: first } = await unlocked()
    await vault.tokens.grant({ ...GRANT, label: 'of the first' })
    const { address: second } = await vault.create(openedByPasskey({ label: 'Work' }, 8))
    expect(vault.getSnapshot().address).toBe(second)
    expect(await vault.tokens.list()).toEqual([])
    expect(vault.getSnapshot().accounts).toEqual(await vault.accounts.list())
    expect((await vault.accounts.list()).map(({ address, active }) => [address, active])).toEqual(
      [
        [first, false],
        [second, true],
      ].sort(),
    )
    await vault.accounts.open(first)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address: first })
    await expect(vault.unlock(passkeyProof(8))).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock(passkeyProof())
    expect((await vault.tokens.list())[0]?.label).toBe('of the first')
  })

  it('the last opened one is opened at the next start', async () => {
    const { vault, world, address: first } = await unlocked()
    await vault.create(openedByPasskey({}, 8))
    await vault.accounts.open(first)
    await vault.cleanup()
    const { vault: next } = await ready({}, world)
    expect(next.getSnapshot()).toMatchObject({ phase: 'locked', address: first })
  })

  it('are found if localStorage is gone', async () => {
    const { vault, address } = await unlocked()
    await vault.cleanup()
    vi.stubGlobal('localStorage', new MemoryStorage())
    expect((await ready()).vault.getSnapshot()).toMatchObject({ phase: 'locked', address })
    vi.stubGlobal('localStorage', undefined)
    expect((await ready()).vault.getSnapshot()).toMatchObject({ phase: 'locked', address })
  })

  it('one that is not here is not opened, and creates no database', async () => {
    const { vault, address } = await unlocked()
    await expectRefusal(vault, () => vault.accounts.open('kh1nobody'), 'OPERATION_FAILED')
    await expect(vault.accounts.open('')).rejects.toThrow('Account address is required')
    expect(await vault.client.listPersistedAccounts()).toEqual([address])
  })

  it('one that has vanished does not look like a new user', async () => {
    const { vault, address } = await unlocked()
    await vault.cleanup()
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(`vault_${address}`).onsuccess = resolve
    })
    const { vault: next } = await ready()
    expect(next.getSnapshot()).toMatchObject({ phase: 'empty', error: { code: 'OPERATION_FAILED' } })
    await next.create(openedByPasskey())
    expect(next.getSnapshot().error).toBeUndefined()
  })

  it('one with an unreadable state is reported, and kept', async () => {
    const { vault, address } = await unlocked()
    await vault.cleanup()
    const damaged = { id: 'current', accountAddress: address, enclave: 5 }
    await rawPut(address, 'state', damaged)
    const { vault: next } = await ready()
    expect(next.getSnapshot()).toMatchObject({
      phase: 'empty',
      error: { details: { store: 'state' } },
      accounts: [{ address, active: false }],
    })
    expect(await dumpDisk()).toContain('"enclave":5')
    await next.accounts.remove(address)
    expect(next.getSnapshot().accounts).toEqual([])
  })

  it('removing another one does not affect the open one', async () => {
    const { vault, address: first } = await unlocked()
    const { address: second } = await vault.create(openedByPasskey({}, 8))
    await vault.accounts.remove(first)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address: second })
    expect(vault.getSnapshot().accounts.map(({ address }) => address)).toEqual([second])
  })
})

describe('the snapshot', () => {
  it('is the same object until something changes', async () => {
    const { vault } = await unlocked()
    const before = vault.getSnapshot()
    const heard = vi.fn()
    const off = vault.subscribe(heard)
    await vault.tokens.list()
    expect(vault.getSnapshot()).toBe(before)
    await vault.lock()
    expect(vault.getSnapshot()).not.toBe(before)
    expect(heard).toHaveBeenCalled()
    heard.mockClear()
    off()
    await vault.unlock(passkeyProof())
    expect(heard).not.toHaveBeenCalled()
  })
})

describe('passphrases', () => {
  it('reach the enclave in NFKC', async () => {
    const { vault, world } = await ready()
    await vault.create({ passphrase: 'ﬁne long pass phrase' })
    expect(world.calls.find(({ name }) => name === 'create_vault')?.input).toMatchObject({
      passphrase: 'fine long pass phrase',
    })
    await vault.lock()
    await vault.unlock('fine long pass phrase')
  })

  it('that are too weak are refused, with the reason', async () => {
    const { vault, world } = await ready({
      assessPassphrase: async () => ({ score: 2, feedback: 'This is a common phrase.' }),
    })
    await expect(vault.create({ passphrase: PASSPHRASE })).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
      details: { name: 'PassphraseTooEasy', args: { feedback: 'This is a common phrase.' } },
    })
    expect(world.calls.map(({ name }) => name)).not.toContain('create_vault')
  })
})

it('an enclave that lost the account gets it again, locked', async () => {
  const world = new EnclaveWorld('shared-worker')
  const { vault, address } = await unlocked({}, world)
  const heard = record(vault)
  const locked = new Promise((resolve) => vault.on('vault:locked', resolve))
  await world.restart()
  await locked
  expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address })
  expect(heard).toEqual([])
  await vault.unlock(passkeyProof())
})

it('errors are VaultErrors, with a cause and without a secret', async () => {
  const { vault } = await withPassphrase()
  const error = await vault.changePassphrase('wrong, and a secret', OTHER).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(VaultError)
  expect(JSON.stringify([error, String(error), Object.values(error as object)])).not.toContain('a secret')
})
