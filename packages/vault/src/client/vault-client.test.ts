import { describe, expect, it, vi } from 'vitest'
import type { VaultConfig } from '../base/config.ts'
import { VaultError } from '../base/errors.ts'
import { freshBrowser, MemoryStorage, rawAll } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { openedByPasskey } from '../test/opening.ts'
import { BOB } from '../test/people.ts'
import { expired } from '../test/vectors.ts'
import { passkeyInput } from '../unlock/unlock-proof.ts'
import { VaultClient } from './vault-client.ts'

freshBrowser()

async function ready(config: VaultConfig = {}, world = new EnclaveWorld()) {
  const client = new VaultClient(config, world)
  await client.initialize()
  return { client, world }
}

/** A client with an account, as the key-vault layer creates one. */
async function withAccount(config: VaultConfig = {}, world = new EnclaveWorld()) {
  const { client } = await ready(config, world)
  const address = await makeAccount(client)
  return { client, world, address }
}

async function makeAccount(client: VaultClient): Promise<string> {
  const enclave = client.accountAddress === undefined ? client.enclave : await client.startEnclave()
  const { passkey } = openedByPasskey()
  if (!passkey) throw new Error('It is made without a passkey.')
  const made = await enclave.call('create_vault', { passkey: passkeyInput(passkey), recovery_code: true })
  if ('error' in made) throw new Error(made.error)
  const { address = '' } = made.status
  await client.adopt({
    enclave,
    address,
    fills: false,
    make: async () => ({ sealed: made.enclave, batch: {} }),
  })
  return address
}

const INVOKE = { command: '/msg/send', args: {}, subject_did: BOB }
const REQUEST = { audience_did: BOB, command: '/msg/send' }

describe('initializing', () => {
  it('is uninitialized until the plugin loads, then ready, then uninitialized again', async () => {
    const world = new EnclaveWorld()
    const client = new VaultClient({}, world)
    expect(client.isInitialized).toBe(false)
    await client.initialize()
    expect(client.isInitialized).toBe(true)
    await client.cleanup()
    expect(client.isInitialized).toBe(false)
    expect(world.closed).toBe(1)
  })

  it("loads /enclave.wasm in a document, a caller's URL, and the bundled asset outside a document", async () => {
    const world = new EnclaveWorld()
    const sources = async (config: VaultConfig, path?: string) => {
      await new VaultClient(config, world).initialize(path)
      return world.started.at(-1)?.source
    }
    expect(await sources({})).toBeUndefined()
    vi.stubGlobal('location', new URL('https://keyhole.example/'))
    expect(await sources({})).toEqual({ url: '/enclave.wasm' })
    expect(await sources({ wasmPath: '/mine.wasm' })).toEqual({ url: '/mine.wasm' })
    expect(await sources({ wasmPath: '/mine.wasm', wasmSha256: 'ab' }, '/yours.wasm')).toEqual({
      url: '/yours.wasm',
      sha256: 'ab',
    })
  })

  it('passes on the worker scripts and the Trusted Types hook', async () => {
    const workers = { shared: '/shared.js', dedicated: '/dedicated.js' }
    const scriptUrl = (url: string) => url
    const { world } = await ready({ workers, scriptUrl })
    expect(world.started[0]).toMatchObject({ workers, scriptUrl })
  })

  it('fails with WASM_NOT_LOADED, and can be tried again', async () => {
    const world = new EnclaveWorld()
    world.plan('createEnclave', () => {
      throw new Error('Failed to load WASM from /enclave.wasm: Failed to load WASM: 404 Not Found')
    })
    const client = new VaultClient({}, world)
    await expect(client.initialize()).rejects.toMatchObject({
      name: 'VaultError',
      code: 'WASM_NOT_LOADED',
      message:
        'Failed to initialize vault: Failed to load WASM from /enclave.wasm: Failed to load WASM: 404 Not Found',
    })
    expect(client.isInitialized).toBe(false)
    await client.initialize()
    expect(client.isInitialized).toBe(true)
  })

  it('starts one plugin for two calls at once', async () => {
    const world = new EnclaveWorld()
    const client = new VaultClient({}, world)
    await Promise.all([client.initialize(), client.initialize()])
    expect(world.started).toHaveLength(1)
  })

  it('ends uninitialized if cleaned up halfway', async () => {
    const world = new EnclaveWorld()
    const client = new VaultClient({}, world)
    const starting = client.initialize()
    const cleaned = client.cleanup()
    await expect(starting).rejects.toBeInstanceOf(VaultError)
    await cleaned
    expect(client.isInitialized).toBe(false)
  })

  it.each(['', ' '])('rejects an empty account address (%j)', async (address) => {
    const client = new VaultClient({}, new EnclaveWorld())
    await expect(client.initialize(undefined, address)).rejects.toMatchObject({
      message: 'Account address is required',
    })
  })

  it('opens a named account from storage, locked', async () => {
    const { client, address } = await withAccount()
    await client.cleanup()
    const world = new EnclaveWorld()
    const again = new VaultClient({}, world)
    await again.initialize(undefined, address)
    expect(again.accountAddress).toBe(address)
    expect(world.calls.map(({ name }) => name)).toContain('open_vault')
    expect(await again.getIssuerDid()).toMatchObject({ address, chain_id: 'keyhole-1' })
    await expect(again.signData({ data: [1] })).rejects.toMatchObject({ details: { code: 'VAULT_LOCKED' } })
    await again.cleanup()
  })

  it('opens a given sealed state instead of the stored one', async () => {
    const { client, address } = await withAccount()
    const given = client.sealedState ?? ''
    await client.cleanup()
    const other = new VaultClient({ enclave: given, enablePersistence: false }, new EnclaveWorld())
    await other.initialize()
    expect(await other.getIssuerDid()).toMatchObject({ address })
    expect(other.accountAddress).toBeUndefined()
  })
})

describe('before initialize()', () => {
  it.each<[string, (client: VaultClient) => Promise<unknown>]>([
    ['newOriginToken', (client) => client.newOriginToken(REQUEST)],
    ['newAttenuatedToken', (client) => client.newAttenuatedToken({ ...REQUEST, parent_token: 'C' })],
    ['signData', (client) => client.signData({ data: [1] })],
    ['verifyData', (client) => client.verifyData({ data: [1], signature: [1] })],
    ['getIssuerDid', (client) => client.getIssuerDid()],
    ['inspectToken', (client) => client.inspectToken('C')],
    ['verifyToken', (client) => client.verifyToken({ token: 'C' })],
    ['validateInvocation', (client) => client.validateInvocation({ invocation: 'C' })],
    ['validateBatch', (client) => client.validateBatch({ invocations: [] })],
    ['evaluatePolicy', (client) => client.evaluatePolicy({ command: '/', call: { command: '/', args: {} } })],
    ['invoke', (client) => client.invoke(INVOKE)],
    ['revoke', (client) => client.revoke({ cid: 'bafy1' })],
    ['issueReceipt', (client) => client.issueReceipt({ task: 'bafy1', ok: {} })],
    ['switchAccount', (client) => client.switchAccount('kh1a')],
    ['listPersistedAccounts', (client) => client.listPersistedAccounts()],
    ['removeAccount', (client) => client.removeAccount('kh1a')],
    ['getPersistedTokens', (client) => client.getPersistedTokens()],
    ['removeExpiredTokens', (client) => client.removeExpiredTokens()],
    ['persistState', (client) => client.persistState()],
    ['loadPersistedState', (client) => client.loadPersistedState()],
    ['clearPersistedState', (client) => client.clearPersistedState()],
  ])('%s is NOT_INITIALIZED', async (_, work) => {
    await expect(work(new VaultClient({}, new EnclaveWorld()))).rejects.toMatchObject({
      name: 'VaultError',
      code: 'NOT_INITIALIZED',
      message: 'Vault client not initialized. Call initialize() first.',
    })
  })
})

describe('without a storage manager', () => {
  it.each<[string, (client: VaultClient) => Promise<unknown>]>([
    ['switchAccount', (client) => client.switchAccount('kh1a')],
    ['removeAccount', (client) => client.removeAccount('kh1a')],
    ['getPersistedTokens', (client) => client.getPersistedTokens()],
    ['persistState', (client) => client.persistState()],
    ['getSessions', (client) => client.getSessions()],
  ])('%s is NOT_INITIALIZED', async (_, work) => {
    const { client } = await ready({ enablePersistence: false })
    await expect(work(client)).rejects.toMatchObject({
      code: 'NOT_INITIALIZED',
      message: 'Storage manager not initialized',
    })
  })
})

describe('the calls', () => {
  const calls: [
    string,
    Parameters<EnclaveWorld['plan']>[0],
    string,
    (client: VaultClient) => Promise<unknown>,
  ][] = [
    [
      'newOriginToken',
      'new_origin_token',
      'Failed to create origin token',
      (client) => client.newOriginToken(REQUEST),
    ],
    [
      'newAttenuatedToken',
      'new_attenuated_token',
      'Failed to create attenuated token',
      (client) => client.newAttenuatedToken({ ...REQUEST, parent_token: expired().token }),
    ],
    ['signData', 'sign_data', 'Failed to sign data', (client) => client.signData({ data: [1] })],
    [
      'verifyData',
      'verify_data',
      'Failed to verify data',
      (client) => client.verifyData({ data: [1], signature: [2] }),
    ],
    ['getIssuerDid', 'get_issuer_did', 'Failed to get issuer DID', (client) => client.getIssuerDid()],
    [
      'validateInvocation',
      'validate_invocation',
      'Failed to validate the invocation',
      (client) => client.validateInvocation({ invocation: 'C' }),
    ],
    [
      'validateBatch',
      'validate_batch',
      'Failed to validate the invocations',
      (client) => client.validateBatch({ invocations: ['C'] }),
    ],
    [
      'evaluatePolicy',
      'evaluate_policy',
      'Failed to evaluate the policy',
      (client) => client.evaluatePolicy({ command: '/', call: { command: '/', args: {} } }),
    ],
    ['invoke', 'invoke', 'Failed to invoke', (client) => client.invoke(INVOKE)],
    ['revoke', 'revoke', 'Failed to revoke', (client) => client.revoke({ cid: 'bafy1' })],
    [
      'issueReceipt',
      'issue_receipt',
      'Failed to issue the receipt',
      (client) => client.issueReceipt({ task: 'bafy1', ok: {} }),
    ],
  ]

  it.each(calls)('%s reports a failure', async (_, name, message, work) => {
    const { client, world } = await withAccount()
    world.plan(name, () => Promise.reject(new Error('the worker is gone')))
    await expect(work(client)).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      message,
      details: { reason: 'the worker is gone' },
    })
    world.plan(name, () => ({ nonsense: true }))
    await expect(work(client)).rejects.toMatchObject({ code: 'OPERATION_FAILED', message })
  })

  it.each(calls)('%s reports missing output', async (_, name, _message, work) => {
    const { client, world } = await withAccount()
    world.plan(name, () => undefined)
    await expect(work(client)).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      message: 'No output from plugin',
    })
  })

  it.each(calls)(
    "%s reports a refusal with the plugin's text, and its code in details",
    async (_, name, _m, work) => {
      const { client, world } = await withAccount()
      world.plan(name, () => ({ error: 'too late', code: 'OPERATION_FAILED', name: 'Expired', cid: 'bafy1' }))
      await expect(work(client)).rejects.toMatchObject({
        code: 'OPERATION_FAILED',
        message: 'too late',
        details: { code: 'OPERATION_FAILED', name: 'Expired', cid: 'bafy1' },
      })
    },
  )

  it('send bytes as base64url', async () => {
    const { client, world } = await withAccount()
    const { signature } = await client.signData({ data: Uint8Array.of(1, 2, 3) })
    expect(world.calls.at(-1)).toEqual({ name: 'sign_data', input: { data: 'AQID' } })
    expect(signature).toHaveLength(64)
    const request = { data: new ArrayBuffer(3) }
    await expect(Reflect.apply(client.signData, client, [request])).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { name: 'NotBytes' },
    })
  })

  it("reject with the caller's own reason on abort", async () => {
    const { client, world } = await withAccount()
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    world.plan('sign_data', () => {
      controller.abort(reason)
      throw reason
    })
    await expect(client.signData({ data: [1] }, { signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('saved tokens', () => {
  it('have a generated id, the text, type origin, issuer, the address as audience, and createdAt', async () => {
    const { client } = await withAccount()
    const result = await client.newOriginToken({ ...REQUEST, expires_at: 4_000_000_000, not_before: 5 })
    const before = Date.now()
    const saved = await client.saveToken(result)
    expect(saved).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: result.token,
      type: 'origin',
      issuer: result.issuer,
      audience: result.address,
      audienceDid: BOB,
      cid: result.cid,
      command: '/msg/send',
      policy: [],
      subject: result.issuer,
      expiresAt: 4_000_000_000_000,
      notBefore: 5000,
    })
    expect(saved.createdAt).toBeGreaterThanOrEqual(before)
    expect(await client.getPersistedTokens()).toEqual([saved])
    await client.removeToken(saved.id)
    expect(await client.getPersistedTokens()).toEqual([])
  })

  it('are deleted once they expire', async () => {
    const { client } = await withAccount()
    await client.saveToken(expired())
    const live = await client.saveToken(await client.newOriginToken(REQUEST))
    await client.saveSession(Date.now() - 1)
    const session = await client.saveSession(Date.now() + 60_000)
    expect(await client.removeExpiredTokens()).toBe(2)
    expect(await client.getPersistedTokens()).toEqual([live])
    expect(await client.getSessions()).toEqual([session])
    await client.removeSession(session.id)
    expect(await client.getSessions()).toEqual([])
  })
})

describe('the hourly clean-up', () => {
  async function ticking(config: VaultConfig) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const onExpired = vi.fn()
    const world = new EnclaveWorld()
    const client = new VaultClient(config, world, { expired: onExpired })
    await client.initialize()
    await makeAccount(client)
    await client.saveToken(expired())
    return { client, expired: onExpired }
  }

  it('runs every 3,600,000 ms', async () => {
    const { client, expired } = await ticking({})
    vi.advanceTimersByTime(3_599_999)
    expect(await client.getPersistedTokens()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    await vi.waitFor(() => expect(expired).toHaveBeenCalledExactlyOnceWith(1))
    expect(await client.getPersistedTokens()).toEqual([])
    await client.cleanup()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('runs as often as configured', async () => {
    const { client, expired } = await ticking({ cleanupInterval: 1000 })
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(expired).toHaveBeenCalledOnce())
    await client.cleanup()
  })

  it('can be turned off', async () => {
    const { client } = await ticking({ autoCleanup: false })
    expect(vi.getTimerCount()).toBe(0)
    await client.cleanup()
  })

  it('only logs a failure', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { client } = await ticking({})
    vi.spyOn(client.storage, 'writeBatch').mockRejectedValue(new Error('the disk is gone'))
    vi.advanceTimersByTime(3_600_000)
    await vi.waitFor(() => expect(log).toHaveBeenCalledOnce())
    expect(client.isInitialized).toBe(true)
    await client.cleanup()
  })
})

describe('the state', () => {
  it('is stored under the id current, read and cleared', async () => {
    const { client, address } = await withAccount()
    const state = await client.loadPersistedState()
    expect(state).toMatchObject({ id: 'current', accountAddress: address, isInitialized: true })
    expect(state?.enclave).toBe(client.sealedState)
    await client.clearPersistedState()
    expect(await client.loadPersistedState()).toBeUndefined()
    await client.persistState()
    expect((await client.loadPersistedState())?.enclave).toBe(state?.enclave)
  })
})

describe('several accounts', () => {
  it('are listed, and switching saves the current one, locks it and opens the other', async () => {
    const { client, world, address: first } = await withAccount()
    const second = await makeAccount(client)
    expect(await client.listPersistedAccounts()).toEqual([first, second].sort())
    expect(client.accountAddress).toBe(second)
    const before = (await client.loadPersistedState())?.lastAccessed ?? 0
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(before))
    world.calls.length = 0
    await client.switchAccount(first)
    expect(client.accountAddress).toBe(first)
    expect(world.calls.map(({ name }) => name)).toContain('lock_vault')
    const [left] = await rawAll(second, 'state')
    expect(left).toMatchObject({
      accountAddress: second,
      lastAccessed: expect.toSatisfy((time) => time > before),
    })
  })

  it('stay as they were if the other cannot be opened', async () => {
    const { client, world, address: first } = await withAccount()
    const second = await makeAccount(client)
    world.plan('open_vault', () => ({ error: 'the record is damaged', code: 'OPERATION_FAILED' }))
    await expect(client.switchAccount(first)).rejects.toThrow('the record is damaged')
    expect(client.accountAddress).toBe(second)
    await client.signData({ data: [1] })
  })

  it('need an address', async () => {
    const { client } = await withAccount()
    await expect(client.switchAccount('')).rejects.toThrow('Account address is required')
    await expect(client.removeAccount('')).rejects.toThrow('Account address is required')
  })

  it('removing the active one clears the account and its database', async () => {
    const { client, address } = await withAccount()
    await client.removeAccount(address)
    expect(client.accountAddress).toBeUndefined()
    expect(client.sealedState).toBeUndefined()
    expect(await client.listPersistedAccounts()).toEqual([])
    await expect(client.getPersistedTokens()).rejects.toThrow('Storage manager not initialized')
    await expect(client.signData({ data: [1] })).rejects.toMatchObject({
      details: { code: 'VAULT_NOT_INITIALIZED' },
    })
  })

  it('removing another one leaves the active one', async () => {
    const { client, address: first } = await withAccount()
    const second = await makeAccount(client)
    await client.removeAccount(first)
    expect(await client.listPersistedAccounts()).toEqual([second])
    expect(client.accountAddress).toBe(second)
    await client.signData({ data: [1] })
  })
})

describe('persistent storage', () => {
  const storage = (persist: () => Promise<boolean>, persisted = false) => ({
    persist: vi.fn(persist),
    persisted: async () => persisted,
    estimate: async () => ({ usage: 5, quota: 10 }),
  })

  it('is requested when persistence is enabled, and not otherwise', async () => {
    const manager = storage(async () => true)
    vi.stubGlobal('navigator', { storage: manager })
    await ready({ enablePersistence: false })
    expect(manager.persist).not.toHaveBeenCalled()
    await ready()
    await vi.waitFor(() => expect(manager.persist).toHaveBeenCalledOnce())
  })

  it('only logs a failed request', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    vi.stubGlobal('navigator', { storage: storage(() => Promise.reject(new Error('no'))) })
    const { client } = await ready()
    expect(client.isInitialized).toBe(true)
    await vi.waitFor(() => expect(log).toHaveBeenCalledOnce())
  })

  it('does not wait for the person to answer', async () => {
    vi.stubGlobal('navigator', { storage: storage(() => new Promise(() => undefined)) })
    const { client } = await ready()
    expect(client.isInitialized).toBe(true)
  })

  it('is requested without a prompt if possible', async () => {
    const { client } = await ready()
    const state = async (manager: object | undefined, permission?: string) => {
      const permissions = permission && { query: async () => ({ state: permission }) }
      vi.stubGlobal('navigator', { storage: manager, permissions })
      return await client.tryPersistWithoutPromptingUser()
    }
    expect(await state(undefined)).toBe('never')
    expect(await state(storage(async () => true, true))).toBe('persisted')
    expect(await state(storage(async () => true))).toBe('prompt')
    expect(
      await state(
        storage(async () => true),
        'prompt',
      ),
    ).toBe('prompt')
    expect(
      await state(
        storage(async () => true),
        'granted',
      ),
    ).toBe('persisted')
    expect(
      await state(
        storage(async () => false),
        'granted',
      ),
    ).toBe('never')
    expect(
      await state(
        storage(async () => true),
        'denied',
      ),
    ).toBe('never')
  })

  it('says how much there is', async () => {
    const { client } = await ready()
    vi.stubGlobal('navigator', { storage: storage(async () => true) })
    expect(await client.getStorageEstimate()).toEqual({ usage: 5, quota: 10 })
    vi.stubGlobal('navigator', {})
    expect(await client.getStorageEstimate()).toBeUndefined()
  })
})

it('localStorage only says that the account exists', async () => {
  const storage = new MemoryStorage()
  vi.stubGlobal('localStorage', storage)
  const { address } = await withAccount()
  expect([...storage.items.keys()]).toEqual(['keyhole:accounts'])
  expect(JSON.parse(storage.items.get('keyhole:accounts') ?? '')).toEqual([
    { address, createdAt: expect.any(Number) },
  ])
})
