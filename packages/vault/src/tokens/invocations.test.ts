import { afterEach, describe, expect, it, vi } from 'vitest'
import type { VaultConfig } from '../base/config.ts'
import { KeyVault } from '../key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser, rawAll, rawPut } from '../test/browser.ts'
import { FakeWorld } from '../test/fake-enclave.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'staple correct horse'
const SEND = { command: '/msg/send', args: { to: 'bob' }, subject_did: 'did:key:zBob' }

const vaults: KeyVault[] = []
afterEach(async () => {
  await Promise.all(vaults.splice(0).map((vault) => vault.cleanup()))
})

async function ready(config: VaultConfig = {}, world = new FakeWorld()): Promise<KeyVault> {
  const vault = new KeyVault(config, world)
  vaults.push(vault)
  await vault.initialize()
  return vault
}

async function unlocked(config: VaultConfig = {}, world = new FakeWorld()): Promise<KeyVault> {
  const vault = await ready(config, world)
  await vault.create({ passphrase: PASSPHRASE })
  return vault
}

const expiresIn = (ms: number) => vi.setSystemTime(Date.now() + ms)

it.each<[string, (vault: KeyVault) => Promise<unknown>]>([
  ['invoke', (vault) => vault.tokens.invoke(SEND)],
  ['revoke', (vault) => vault.tokens.revoke({ cid: 'bafyone' })],
  ['issue_receipt', (vault) => vault.tokens.issueReceipt({ task: 'bafytask', ok: null })],
])('what %s signs is read no second time', async (signs, sign) => {
  const world = new FakeWorld()
  const vault = await unlocked({}, world)
  const before = world.calls.length
  await sign(vault)
  const names = world.calls.slice(before).map(({ name }) => name)
  // It is signed; where it lasts it is sealed; its line is logged. Revoking a mandate would end it.
  const first = signs === 'revoke' ? ['list_mandates'] : []
  const lasts = signs === 'invoke' ? [] : ['seal_records']
  expect(names).toEqual([...first, signs, ...lasts, 'log_activity'])
})

describe('an invocation', () => {
  it('is signed and kept with its task, for whom it is, and a label that is sealed', async () => {
    const vault = await unlocked()
    const changed: unknown[] = []
    vault.on('vault:changed', ({ change }) => changed.push(change))
    const stored = await vault.tokens.invoke({
      ...SEND,
      audience_did: 'did:web:service.example',
      label: ' To Bob ',
    })
    const [key] = vault.getSnapshot().keys
    expect(stored).toMatchObject({
      type: 'invocation',
      issuer: key?.did,
      keyId: key?.key_id,
      audience: 'did:web:service.example',
      audienceDid: 'did:web:service.example',
      subject: 'did:key:zBob',
      command: '/msg/send',
      policy: [],
      task: `task-of-${stored.cid}`,
      label: 'To Bob',
    })
    expect(stored.expiresAt).toBeGreaterThan(Date.now())
    expect(await vault.tokens.list()).toEqual([stored])
    expect(changed).toEqual(['tokens'])
    expect(await dumpDisk()).not.toContain('To Bob')
  })

  it('without an audience is for its subject', async () => {
    const vault = await unlocked()
    expect(await vault.tokens.invoke(SEND)).toMatchObject({ audienceDid: 'did:key:zBob' })
  })

  it('is deleted once it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const vault = await unlocked()
    await vault.tokens.invoke(SEND)
    expiresIn(301_000)
    await vault.client.removeExpiredTokens()
    expect(await vault.tokens.list()).toEqual([])
  })

  it('is not kept where the plugin gives another token than it says', async () => {
    const world = new FakeWorld()
    const vault = await unlocked({}, world)
    const { token, cid } = await vault.tokens.grant({ audience_did: 'did:key:zBob', command: '/a' })
    const payload = (await vault.tokens.inspect(token)).tokens[0]?.payload
    world.plan('invoke', () => ({ token, cid, payload, task: 't', issuer: 'did:key:zA', expires_at: null }))
    await expect(vault.tokens.invoke(SEND)).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { cid },
    })
  })
})

describe('a revocation', () => {
  it('outlives its removal from the tokens, a reload, and is there once', async () => {
    const vault = await unlocked()
    const stored = await vault.tokens.revoke({ cid: 'bafyold', label: 'The plumber' })
    expect(stored).toMatchObject({ type: 'revocation', command: '/ucan/revoke', revokes: 'bafyold' })
    expect(stored.expiresAt).toBeUndefined()
    expect((await vault.tokens.revoke({ cid: 'bafyold' })).id).toBe(stored.id)
    await vault.tokens.remove(stored.id)
    expect(await vault.tokens.list()).toEqual([])
    const { cid, token } = stored
    await vault.cleanup()
    await vault.initialize()
    await expect(vault.tokens.revocations()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await vault.unlock(PASSPHRASE)
    expect(await vault.tokens.revocations()).toEqual([
      { type: 'revocation', cid, token, revokes: 'bafyold', createdAt: expect.any(Number) },
    ])
  })

  it('outlives its expiry, where it has one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const world = new FakeWorld()
    const vault = await unlocked({}, world)
    const { token, cid } = await vault.tokens.invoke(SEND)
    const payload = (await vault.tokens.inspect(token)).tokens[0]?.payload
    world.plan('revoke', () => ({ token, cid, payload }))
    await vault.tokens.remove((await vault.tokens.list())[0]?.id ?? '')
    expect((await vault.tokens.revoke({ cid: 'bafyold' })).expiresAt).toBeDefined()
    expiresIn(301_000)
    expect(await vault.client.removeExpiredTokens()).toBe(1)
    expect(await vault.tokens.revocations()).toMatchObject([{ token, revokes: 'bafyold' }])
  })

  it('is in a backup, and in the account that is restored from it', async () => {
    const vault = await unlocked()
    const { address = '' } = vault.getSnapshot()
    const { id, token } = await vault.tokens.revoke({ cid: 'bafyold' })
    await vault.tokens.remove(id)
    const { text } = await vault.exportVault({ proof: { passphrase: PASSPHRASE }, exportPassphrase: FILE })
    await vault.accounts.remove(address)
    await vault.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect(await vault.tokens.revocations()).toMatchObject([{ token }])
  })

  it('that cannot be stored whole is not stored at all', async () => {
    const vault = await unlocked()
    const free = fillDisk('tokens')
    await expect(vault.tokens.revoke({ cid: 'bafyold' })).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(await vault.tokens.revocations()).toEqual([])
    expect(JSON.stringify(await rawAll(vault.getSnapshot().address ?? '', 'metadata'))).not.toContain(
      'bafyold',
    )
  })

  it('of which the record cannot be read is left out, and the others are there', async () => {
    const vault = await unlocked()
    const { address = '' } = vault.getSnapshot()
    const { cid } = await vault.tokens.revoke({ cid: 'bafyold' })
    const record = { accountAddress: address, updatedAt: 1, sealed: 'e30' }
    await rawPut(address, 'metadata', { id: 'revocation:x', key: 'revocation:x', ...record })
    await rawPut(address, 'metadata', { id: 'settings', key: 'settings', ...record })
    expect((await vault.tokens.revocations()).map((each) => each.cid)).toEqual([cid])
  })

  it('is nothing to keep without persistence, but is given all the same', async () => {
    const vault = await unlocked({ enablePersistence: false })
    expect(await vault.tokens.revoke({ cid: 'bafyold' })).toMatchObject({
      type: 'revocation',
      revokes: 'bafyold',
    })
    expect(await vault.tokens.revocations()).toEqual([])
  })
})

describe('a receipt', () => {
  it('is kept with its task, among the tokens and past them', async () => {
    const vault = await unlocked()
    const stored = await vault.tokens.issueReceipt({ task: 'bafytask', error: { name: 'TooLate' } })
    expect(stored).toMatchObject({ type: 'receipt', command: '/ucan/assert', task: 'bafytask' })
    expect(await vault.tokens.receipts()).toMatchObject([{ cid: stored.cid, task: 'bafytask' }])
    expect(await vault.tokens.revocations()).toEqual([])
  })
})

describe('validating', () => {
  it('needs no account, and hands on what it is to check against', async () => {
    const signer = await unlocked()
    const { token, cid, task } = await signer.tokens.invoke(SEND)
    const world = new FakeWorld()
    const vault = await ready({ enablePersistence: false }, world)
    const checks = { audience: 'did:key:zBob', now: 5, skew: 0, revoked: [], revocations: [], proofs: [] }
    expect(await vault.tokens.validate({ invocation: token, ...checks })).toMatchObject({
      valid: true,
      ...{ cid, task, command: '/msg/send', args: { to: 'bob' }, subject: 'did:key:zBob', chain: [] },
    })
    expect(world.calls.at(-1)).toEqual({
      name: 'validate_invocation',
      input: { invocation: token, ...checks },
    })
    const { results } = await vault.tokens.validateBatch({ invocations: [token, 'nonsense'], seen: [cid] })
    expect(results).toMatchObject([
      { valid: false, error: { name: 'Replayed', cid } },
      { valid: false, error: { name: 'MalformedToken', cid: null } },
    ])
  })

  it('of what breaks a rule says what was asked for and what was there', async () => {
    const world = new FakeWorld()
    const vault = await ready({}, world)
    const error = { name: 'Expired', message: 'It has expired.', cid: 'bafy1', expected: 5, found: 4 }
    world.plan('validate_invocation', () => ({ valid: false, error }))
    expect(await vault.tokens.validate({ invocation: 'C' })).toEqual({ valid: false, error })
  })

  it('that the plugin refuses is an error, with its name', async () => {
    const world = new FakeWorld()
    const vault = await ready({}, world)
    world.plan('validate_batch', () => ({
      error: 'no CID',
      code: 'OPERATION_FAILED',
      name: 'MalformedToken',
    }))
    await expect(vault.tokens.validateBatch({ invocations: [], revoked: ['x'] })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      message: 'no CID',
      details: { name: 'MalformedToken' },
    })
  })
})
