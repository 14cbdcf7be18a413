// The vault on the real enclave: the plugin in its worker thread, with its own cryptography.

import { createEnclave } from '@keyhole/enclave'
import { describe, expect, it, vi } from 'vitest'
import type { KeyVault } from './key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser, MemoryStorage, rawDatabase, settled } from './test/browser.ts'
import { clientOf } from './test/client-of.ts'
import { OpenVaults } from './test/open-vaults.ts'

freshBrowser()
const PASSPHRASE = 'correct horse battery staple'
const FILE = 'another passphrase for the file'

const vaults = new OpenVaults()

async function started(config = {}): Promise<KeyVault> {
  return await vaults.start(config, { createEnclave })
}

async function person(name: string): Promise<KeyVault> {
  const vault = await started({ enablePersistence: false })
  await vault.create({ passphrase: PASSPHRASE, label: name })
  return vault
}

const didOf = (vault: KeyVault) => vault.getSnapshot().issuerDid ?? ''

async function reloaded(): Promise<KeyVault> {
  await vaults.closeAll()
  return await started()
}

async function otherBrowser(): Promise<KeyVault> {
  await vaults.closeAll()
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
  vi.stubGlobal('localStorage', new MemoryStorage())
  return await started()
}

describe('a vault', () => {
  it('is created, grants, is locked after a reload, and finds everything once unlocked', async () => {
    const bob = await person('Bob')
    const vault = await started()
    const account = await vault.create({ passphrase: PASSPHRASE, label: 'Alice' })
    expect(account.address).toMatch(/^kh1[02-9ac-hj-np-z]+$/)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', label: 'Alice', chainId: 'keyhole-1' })

    const granted = await vault.tokens.grant({
      audience_did: didOf(bob),
      command: '/msg/send',
      policy: [['<', '.size', 1000]],
      label: 'The plumber',
    })
    expect(granted).toMatchObject({
      type: 'origin',
      issuer: didOf(vault),
      audience: bob.getSnapshot().address,
      audienceDid: didOf(bob),
      subject: didOf(vault),
      command: '/msg/send',
      policy: [['<', '.size', 1000]],
      keyId: vault.getSnapshot().defaultKey,
    })
    expect(granted.expiresAt).toBeGreaterThan(Date.now() + 86_300_000)
    expect(await vault.tokens.verify({ token: granted.token })).toMatchObject({ valid: true })

    const again = await reloaded()
    expect(again.getSnapshot()).toMatchObject({ phase: 'locked', address: account.address })
    const { command, policy } = granted
    const call = { command: '/msg/send', args: { size: 2n ** 60n } }
    expect(await again.tokens.evaluatePolicy({ command, policy, call })).toMatchObject({
      allowed: false,
      checks: [
        { rule: 'command', holds: true },
        { statement: [0], holds: false, found: 2n ** 60n },
      ],
    })
    await expect(again.tokens.grant({ audience_did: didOf(again), command: '/a' })).rejects.toMatchObject({
      code: 'VAULT_LOCKED',
    })
    await expect(again.unlock('correct horse battery stable')).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
    await again.unlock(PASSPHRASE)
    expect(again.getSnapshot().label).toBe('Alice')
    expect(await again.tokens.list()).toEqual([granted])
  })

  it('passes on a capability: granted, received, narrowed, received, checked', async () => {
    const [alice, carol] = [await person('Alice'), await person('Carol')]
    const bob = await started()
    await bob.create({ passphrase: PASSPHRASE })
    const root = await alice.tokens.grant({
      audience_did: didOf(bob),
      command: '/pay',
      policy: [['<', '.amount', 100]],
    })
    const received = await bob.tokens.receive(root.token, { label: 'from Alice' })
    expect(received).toMatchObject({
      type: 'received',
      cid: root.cid,
      issuer: didOf(alice),
      label: 'from Alice',
    })

    const narrowed = await bob.tokens.narrow({
      parent_token: received.token,
      audience_did: didOf(carol),
      command: '/pay/lunch',
      policy: [['<', '.amount', 20]],
    })
    expect(narrowed).toMatchObject({ type: 'attenuated', command: '/pay/lunch', subject: didOf(alice) })
    expect(narrowed.expiresAt).toBe(root.expiresAt)
    expect(await carol.tokens.verify({ token: narrowed.token })).toMatchObject({
      valid: true,
      effective: {
        command: '/pay/lunch',
        policy: [
          ['<', '.amount', 100],
          ['<', '.amount', 20],
        ],
      },
    })
    expect((await carol.tokens.inspect(narrowed.token)).tokens).toHaveLength(2)

    await expect(
      bob.tokens.narrow({ parent_token: received.token, audience_did: didOf(carol), command: '/payments' }),
    ).rejects.toMatchObject({ code: 'OPERATION_FAILED', details: { name: 'InvalidCommand' } })
    await expect(bob.tokens.receive(`${root.token.slice(0, -8)}AAAAAAAA`)).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
    expect((await bob.tokens.list()).map(({ type }) => type).sort()).toEqual(['attenuated', 'received'])
  })

  it('invokes a grant until it is revoked, and gets a receipt', async () => {
    const alice = await started()
    await alice.create({ passphrase: PASSPHRASE })
    const bob = await person('Bob')
    const request = { audience_did: didOf(bob), command: '/pay', policy: [['<', '.amount', 100]] }
    const grant = await alice.tokens.grant(request)
    const pay = (amount: number | bigint, audience_did = didOf(alice)) =>
      bob.tokens.invoke({
        ...{ command: '/pay/lunch', args: { amount }, subject_did: didOf(alice), audience_did },
        proof_token: grant.token,
      })
    const [cheap, elsewhere] = [await pay(20), await pay(20, didOf(bob))]
    await expect(pay(2n ** 60n)).rejects.toMatchObject({ details: { name: 'MatchError', cid: grant.cid } })
    expect(cheap).toMatchObject({ type: 'invocation', issuer: didOf(bob), audienceDid: didOf(alice) })
    expect(cheap.expiresAt).toBeLessThan(Date.now() + 301_000)

    const verifier = await started({ enablePersistence: false })
    const audience = didOf(alice)
    expect(await verifier.tokens.validate({ invocation: cheap.token, audience })).toMatchObject({
      ...{ valid: true, cid: cheap.cid, task: cheap.task, command: '/pay/lunch', args: { amount: 20 } },
      ...{ subject: didOf(alice), issuer: didOf(bob), chain: [{ cid: grant.cid, subject: didOf(alice) }] },
    })
    const invocations = [cheap.token, elsewhere.token, cheap.token, 'nonsense']
    expect((await verifier.tokens.validateBatch({ invocations, audience })).results).toMatchObject([
      { valid: true },
      { valid: false, error: { name: 'InvalidAudience', cid: elsewhere.cid } },
      { valid: false, error: { name: 'Replayed', cid: cheap.cid } },
      { valid: false, error: { name: 'MalformedToken', cid: null } },
    ])

    const receipt = await alice.tokens.issueReceipt({ task: cheap.task ?? '', ok: { paid: 20 } })
    expect(receipt).toMatchObject({ type: 'receipt', issuer: didOf(alice), command: '/ucan/assert' })
    expect(receipt.expiresAt).toBeUndefined()

    const revoking = { cid: grant.cid, token: grant.token }
    const revocation = await alice.tokens.revoke(revoking)
    expect(revocation).toMatchObject({ type: 'revocation', issuer: didOf(alice), revokes: grant.cid })
    expect((await alice.tokens.revoke(revoking)).id).toBe(revocation.id)
    const revocations = [revocation.token]
    const revoked = { valid: false, error: { name: 'Revoked', cid: grant.cid } }
    expect(await verifier.tokens.validate({ invocation: cheap.token, revocations })).toMatchObject(revoked)
    expect(await verifier.tokens.verify({ token: grant.token, revocations })).toMatchObject(revoked)
    expect(await verifier.tokens.verify({ token: grant.token })).toMatchObject({ valid: true })
    await expect(bob.tokens.revoke(revoking)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })

    const again = await reloaded()
    await again.unlock(PASSPHRASE)
    for (const token of await again.tokens.list()) await again.tokens.remove(token.id)
    expect(await again.tokens.revocations()).toMatchObject([{ cid: revocation.cid, revokes: grant.cid }])
    expect(await again.tokens.receipts()).toMatchObject([{ cid: receipt.cid, task: cheap.task }])
    await again.lock()
    for (const refused of [
      again.tokens.revoke(revoking),
      again.tokens.issueReceipt({ task: cheap.task ?? '', ok: {} }),
      again.tokens.invoke({ command: '/a', args: {}, subject_did: audience }),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    }
  })

  it('signs and verifies, with every kind of key', async () => {
    const vault = await started()
    await vault.create({ passphrase: PASSPHRASE })
    const data = new TextEncoder().encode('the text')
    const stranger = await started({ enablePersistence: false })
    for (const keyType of ['ed25519', 'p256', 'secp256k1'] as const) {
      const key = await vault.generateKey({ keyType, label: keyType })
      const signature = await vault.sign(data, key.key_id)
      expect(signature).toHaveLength(64)
      expect(await stranger.verify(data, signature, key.did)).toBe(true)
      expect(await stranger.verify(Uint8Array.of(1), signature, key.did)).toBe(false)
    }
    expect(await vault.verify(data, await vault.sign(data))).toBe(true)
    await expect(vault.sign(data, 'nope')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' })
    // Bypassing both layers, the plugin only accepts a list of bytes.
    for (const given of [
      data,
      data.buffer,
      new DataView(data.buffer),
      'the text',
      [1, null],
      [1.5],
      [256],
      [true],
    ])
      expect(await clientOf(vault).enclave.callByName('sign_data', { data: given })).toMatchObject({
        code: 'OPERATION_FAILED',
      })
    await vault.lock()
    await expect(vault.sign(data)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  })

  it('moves to another browser by its backup, and merges there', async () => {
    const bob = await person('Bob')
    const vault = await started()
    const { address } = await vault.create({ passphrase: PASSPHRASE, label: 'Alice' })
    const phone = await vault.generateKey({ label: 'Phone' })
    const granted = await vault.tokens.grant({
      audience_did: didOf(bob),
      command: '/a',
      label: 'The plumber',
    })
    const backup = await vault.exportVault({ proof: { passphrase: PASSPHRASE }, exportPassphrase: FILE })
    expect(backup.text).not.toContain('plumber')
    await vault.deleteKey(phone.key_id)
    await vault.tokens.remove(granted.id)
    const request = { text: backup.text, exportPassphrase: FILE }
    expect(await vault.importVault(request)).toMatchObject({ keys: 0, deletedKeys: [phone.key_id] })
    await vault.tokens.remove(granted.id)
    const merged = await vault.importVault({ ...request, deletedKeys: true })
    expect(merged).toEqual({ address, tokens: 1, keys: 1, deletedKeys: [], created: false })
    expect(vault.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'Phone'])

    const other = await otherBrowser()
    await expect(
      other.importVault({ text: backup.text, exportPassphrase: PASSPHRASE, passphrase: PASSPHRASE }),
    ).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    expect(await indexedDB.databases()).toEqual([])
    await other.importVault({
      text: backup.text,
      exportPassphrase: FILE,
      passphrase: 'a third one, for here',
    })
    expect(other.getSnapshot()).toMatchObject({ phase: 'unlocked', address, label: 'Alice' })
    expect(await other.tokens.list()).toEqual([granted])
    const back = await reloaded()
    await back.unlock('a third one, for here')
    expect(await back.tokens.list()).toEqual([granted])
  })

  it('keeps a key that was deleted elsewhere, and then does not count it as deleted', async () => {
    const vault = await started()
    await vault.create({ passphrase: PASSPHRASE, label: 'Alice' })
    const phone = await vault.generateKey({ label: 'Phone' })
    const exported = async (from: KeyVault, passphrase = PASSPHRASE) => {
      const { text } = await from.exportVault({ proof: { passphrase }, exportPassphrase: FILE })
      return { text, exportPassphrase: FILE }
    }
    const before = await exported(vault)
    await vault.deleteKey(phone.key_id)
    const after = await exported(vault)

    const here = 'a third one, for here'
    const other = await otherBrowser()
    await other.importVault({ ...before, passphrase: here })
    expect(await other.importVault(after)).toMatchObject({ keys: 0, deletedKeys: [] })
    const labels = (of: KeyVault) => of.getSnapshot().keys.map(({ label }) => label)
    expect(labels(other)).toEqual([undefined, 'Phone'])
    expect(await other.importVault(before)).toMatchObject({ keys: 0, deletedKeys: [] })
    const both = await exported(other, here)

    const third = await otherBrowser()
    await third.importVault({ ...after, passphrase: here })
    expect(await third.importVault(both)).toMatchObject({ keys: 0, deletedKeys: [phone.key_id] })
    expect(await third.importVault({ ...both, deletedKeys: true })).toMatchObject({ keys: 1 })
    expect(await third.importVault(both)).toMatchObject({ keys: 0, deletedKeys: [] })
  })

  it('rolls back what cannot be saved', async () => {
    const vault = await started()
    await vault.create({ passphrase: PASSPHRASE })
    const free = fillDisk('state')
    await expect(vault.generateKey()).rejects.toMatchObject({ details: { quota: true } })
    await expect(vault.changePassphrase(PASSPHRASE, FILE)).rejects.toMatchObject({ details: { quota: true } })
    free()
    await vault.generateKey({ label: 'kept' })
    const again = await reloaded()
    await again.unlock(PASSPHRASE)
    expect(again.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'kept'])
  })

  it('changes its passphrase', async () => {
    const vault = await started()
    await vault.create({ passphrase: PASSPHRASE })
    await vault.changePassphrase(PASSPHRASE, FILE)
    const again = await reloaded()
    await expect(again.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await again.unlock(FILE)
  })

  it('reports damage if a byte on disk was changed', async () => {
    const vault = await started()
    const { address } = await vault.create({ passphrase: PASSPHRASE })
    await vault.cleanup()
    await rawDatabase(address, async (db) => {
      const store = db.transaction('state', 'readwrite').objectStore('state')
      const state = await settled(store.get('current'))
      await settled(
        // A different letter than before.
        store.put({
          ...state,
          enclave: state.enclave.replace(/"address":"kh1(.)/, (_: string, letter: string) =>
            letter === 'x' ? '"address":"kh1q' : '"address":"kh1x',
          ),
        }),
      )
    })
    const again = await reloaded()
    expect(again.getSnapshot()).toMatchObject({ phase: 'empty', error: { code: 'OPERATION_FAILED' } })
  })

  it('opens a given sealed state instead of the stored one', async () => {
    const vault = await started()
    const { address } = await vault.create({ passphrase: PASSPHRASE })
    const enclave = (await vault.client.loadPersistedState())?.enclave ?? ''
    await otherBrowser()
    const given = await started({ enclave, enablePersistence: false })
    expect(given.getSnapshot()).toMatchObject({ phase: 'locked', address })
    await given.unlock(PASSPHRASE)
    expect(given.getSnapshot().phase).toBe('unlocked')
  })
})

it('a vault leaves no secret on the disk, in localStorage, in events or in errors', async () => {
  const told: unknown[] = []
  const storage = new MemoryStorage()
  vi.stubGlobal('localStorage', storage)
  const vault = await started()
  for (const name of [
    'vault:initialized',
    'vault:unlocked',
    'vault:changed',
    'vault:error',
    'vault:imported',
  ] as const) {
    vault.on(name, (detail) => told.push(detail))
  }
  await vault.create({ passphrase: PASSPHRASE, label: 'planted-account' })
  await vault.generateKey({ label: 'planted-key' })
  await vault.tokens.grant({ audience_did: didOf(vault), command: '/a', label: 'planted-token' })
  await vault.exportVault({ proof: { passphrase: PASSPHRASE }, exportPassphrase: FILE })
  const wrong = await vault
    .changePassphrase('planted-wrong-passphrase', FILE)
    .catch((error: unknown) => error)
  await vault.changePassphrase(PASSPHRASE, FILE)
  await vault.lock()
  const seen = [
    await dumpDisk(),
    JSON.stringify([...storage.items]),
    JSON.stringify(told),
    String(wrong),
  ].join('\n')
  expect(seen).toContain(vault.getSnapshot().address)
  for (const secret of [PASSPHRASE, FILE, 'planted-']) expect(seen).not.toContain(secret)
})
