import { afterEach, describe, expect, it, vi } from 'vitest'
import type { VaultConfig } from '../base/config.ts'
import { KeyVault } from '../key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser, rawAll, rawPut } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB, CID } from '../test/people.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'staple correct horse'
const SEND = { command: '/msg/send', args: { to: 'bob' } }
/** For the account's own subject. */
const sendOf = (vault: KeyVault) => ({ ...SEND, subject_did: ownOf(vault) })
const ownOf = (vault: KeyVault) => vault.getSnapshot().issuerDid ?? ''

const vaults: KeyVault[] = []
afterEach(async () => {
  await Promise.all(vaults.splice(0).map((vault) => vault.cleanup()))
})

async function ready(config: VaultConfig = {}, world = new EnclaveWorld()): Promise<KeyVault> {
  const vault = new KeyVault(config, world)
  vaults.push(vault)
  await vault.initialize()
  return vault
}

async function unlocked(config: VaultConfig = {}, world = new EnclaveWorld()): Promise<KeyVault> {
  const vault = await ready(config, world)
  await vault.create(openedByPasskey())
  return vault
}

const expiresIn = (ms: number) => vi.setSystemTime(Date.now() + ms)

it.each<[string, (vault: KeyVault) => Promise<unknown>]>([
  ['invoke', (vault) => vault.tokens.invoke(sendOf(vault))],
  ['revoke', (vault) => vault.tokens.revoke({ cid: CID })],
  ['issue_receipt', (vault) => vault.tokens.issueReceipt({ task: CID, ok: null })],
])('what %s signs is not read again', async (signs, sign) => {
  const world = new EnclaveWorld()
  const vault = await unlocked({}, world)
  const before = world.calls.length
  await sign(vault)
  const names = world.calls.slice(before).map(({ name }) => name)
  // It is signed, sealed if it lasts, and logged. Revoking first checks whether it's a mandate.
  const first = signs === 'revoke' ? ['list_mandates'] : []
  const lasts = signs === 'invoke' ? [] : ['seal_records']
  expect(names).toEqual([...first, signs, ...lasts, 'log_activity'])
})

describe('an invocation', () => {
  it('is signed and stored with its task, its audience, and a sealed label', async () => {
    const vault = await unlocked()
    const changed: unknown[] = []
    vault.on('vault:changed', ({ change }) => changed.push(change))
    const stored = await vault.tokens.invoke({
      ...sendOf(vault),
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
      subject: key?.did,
      command: '/msg/send',
      policy: [],
      task: expect.stringMatching(/^bafyrei/),
      label: 'To Bob',
    })
    expect(stored.expiresAt).toBeGreaterThan(Date.now())
    expect(await vault.tokens.list()).toEqual([stored])
    expect(changed).toEqual(['tokens'])
    expect(await dumpDisk()).not.toContain('To Bob')
  })

  it('without an audience is for its subject', async () => {
    const vault = await unlocked()
    expect(await vault.tokens.invoke(sendOf(vault))).toMatchObject({ audienceDid: ownOf(vault) })
  })

  it('is deleted once it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const vault = await unlocked()
    await vault.tokens.invoke(sendOf(vault))
    expiresIn(301_000)
    await vault.client.removeExpiredTokens()
    expect(await vault.tokens.list()).toEqual([])
  })

  it('is not stored if the plugin returns a different token than it says', async () => {
    const world = new EnclaveWorld()
    const vault = await unlocked({}, world)
    const { token, cid } = await vault.tokens.grant({ audience_did: BOB, command: '/a' })
    const payload = (await vault.tokens.inspect(token)).tokens[0]?.payload
    world.plan('invoke', () => ({ token, cid, payload, task: 't', issuer: 'did:key:zA', expires_at: null }))
    await expect(vault.tokens.invoke(sendOf(vault))).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { cid },
    })
  })
})

describe('a revocation', () => {
  it('outlives its removal from the tokens and a reload, and exists once', async () => {
    const vault = await unlocked()
    const stored = await vault.tokens.revoke({ cid: CID, label: 'The plumber' })
    expect(stored).toMatchObject({ type: 'revocation', command: '/ucan/revoke', revokes: CID })
    expect(stored.expiresAt).toBeUndefined()
    expect((await vault.tokens.revoke({ cid: CID })).id).toBe(stored.id)
    await vault.tokens.remove(stored.id)
    expect(await vault.tokens.list()).toEqual([])
    const { cid, token } = stored
    await vault.cleanup()
    await vault.initialize()
    await expect(vault.tokens.revocations()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await vault.unlock(passkeyProof())
    expect(await vault.tokens.revocations()).toEqual([
      { type: 'revocation', cid, token, revokes: CID, createdAt: expect.any(Number) },
    ])
  })

  it('outlives its expiry, if it has one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const world = new EnclaveWorld()
    const vault = await unlocked({}, world)
    const { token, cid } = await vault.tokens.invoke(sendOf(vault))
    const payload = (await vault.tokens.inspect(token)).tokens[0]?.payload
    world.plan('revoke', () => ({ token, cid, payload }))
    await vault.tokens.remove((await vault.tokens.list())[0]?.id ?? '')
    expect((await vault.tokens.revoke({ cid: CID })).expiresAt).toBeDefined()
    expiresIn(301_000)
    expect(await vault.client.removeExpiredTokens()).toBe(1)
    expect(await vault.tokens.revocations()).toMatchObject([{ token, revokes: CID }])
  })

  it('is in a backup, and in the account restored from it', async () => {
    const vault = await unlocked()
    const { address = '' } = vault.getSnapshot()
    const { id, token } = await vault.tokens.revoke({ cid: CID })
    await vault.tokens.remove(id)
    const { text } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    await vault.accounts.remove(address)
    await vault.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect(await vault.tokens.revocations()).toMatchObject([{ token }])
  })

  it('is all stored or not at all', async () => {
    const vault = await unlocked()
    const free = fillDisk('tokens')
    await expect(vault.tokens.revoke({ cid: CID })).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(await vault.tokens.revocations()).toEqual([])
    expect(JSON.stringify(await rawAll(vault.getSnapshot().address ?? '', 'metadata'))).not.toContain(CID)
  })

  it('with an unreadable record is skipped, and the others are listed', async () => {
    const vault = await unlocked()
    const { address = '' } = vault.getSnapshot()
    const { cid } = await vault.tokens.revoke({ cid: CID })
    const record = { accountAddress: address, updatedAt: 1, sealed: 'e30' }
    await rawPut(address, 'metadata', { id: 'revocation:x', key: 'revocation:x', ...record })
    await rawPut(address, 'metadata', { id: 'settings', key: 'settings', ...record })
    expect((await vault.tokens.revocations()).map((each) => each.cid)).toEqual([cid])
  })

  it('is returned but not stored without persistence', async () => {
    const vault = await unlocked({ enablePersistence: false })
    expect(await vault.tokens.revoke({ cid: CID })).toMatchObject({
      type: 'revocation',
      revokes: CID,
    })
    expect(await vault.tokens.revocations()).toEqual([])
  })
})

describe('a receipt', () => {
  it('is stored with its task, both as a token and permanently', async () => {
    const vault = await unlocked()
    const stored = await vault.tokens.issueReceipt({ task: CID, error: { name: 'TooLate' } })
    expect(stored).toMatchObject({ type: 'receipt', command: '/ucan/assert', task: CID })
    expect(await vault.tokens.receipts()).toMatchObject([{ cid: stored.cid, task: CID }])
    expect(await vault.tokens.revocations()).toEqual([])
  })
})

describe('validating', () => {
  it('needs no account, and passes on what to check against', async () => {
    const signer = await unlocked()
    const { token, cid, task } = await signer.tokens.invoke({ ...sendOf(signer), audience_did: BOB })
    const world = new EnclaveWorld()
    const vault = await ready({ enablePersistence: false }, world)
    const now = Math.floor(Date.now() / 1000)
    const checks = { audience: BOB, now, skew: 5, revoked: [], revocations: [], proofs: [] }
    expect(await vault.tokens.validate({ invocation: token, ...checks })).toMatchObject({
      valid: true,
      ...{ cid, task, command: '/msg/send', args: { to: 'bob' }, subject: ownOf(signer), chain: [] },
    })
    expect(world.calls.at(-1)).toEqual({
      name: 'validate_invocation',
      input: { invocation: token, ...checks },
    })
    const { results } = await vault.tokens.validateBatch({
      invocations: [token, 'nonsense'],
      audience: BOB,
      seen: [cid],
    })
    expect(results).toMatchObject([
      { valid: false, error: { name: 'Replayed', cid } },
      { valid: false, error: { name: 'MalformedToken', cid: null } },
    ])
  })

  it('a broken rule reports what was expected and what was found', async () => {
    const world = new EnclaveWorld()
    const vault = await ready({}, world)
    const error = { name: 'Expired', message: 'It has expired.', cid: 'bafy1', expected: 5, found: 4 }
    world.plan('validate_invocation', () => ({ valid: false, error }))
    expect(await vault.tokens.validate({ invocation: 'C' })).toEqual({ valid: false, error })
  })

  it('a refusal by the plugin is an error, with its name', async () => {
    const world = new EnclaveWorld()
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
