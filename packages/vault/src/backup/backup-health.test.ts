import { describe, expect, it } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, freshBrowser } from '../test/browser.ts'
import { TestClock } from '../test/clock.ts'
import { FakeWorld } from '../test/fake-enclave.ts'
import { OpenVaults } from '../test/open-vaults.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const GRANT = { audience_did: 'did:key:zBob', command: '/msg/send' }
const proof = { passphrase: PASSPHRASE }

const vaults = new OpenVaults()

async function alice() {
  const clock = new TestClock()
  const vault = await vaults.start({}, { createEnclave: new FakeWorld().createEnclave, clock })
  const { address, recoveryCode = '' } = await vault.create({ passphrase: PASSPHRASE, recoveryCode: true })
  return { vault, clock, address, recoveryCode }
}

const exported = (vault: KeyVault) => vault.exportVault({ proof, exportPassphrase: FILE })

describe('a backup that is verified', () => {
  it('says what it holds, by its passphrase or the recovery code', async () => {
    const { vault, address, recoveryCode } = await alice()
    await vault.tokens.grant(GRANT)
    await vault.generateKey()
    const { text } = await exported(vault)
    const found = { address, createdAt: 1_000, keys: 2, tokens: 1, missing: { keys: 0, tokens: 0 } }
    expect(await vault.backups.verify({ text, exportPassphrase: FILE })).toEqual(found)
    expect(await vault.backups.verify({ text, recoveryCode })).toEqual(found)
  })

  it('says what it lacks', async () => {
    const { vault } = await alice()
    await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    await vault.tokens.grant(GRANT)
    await vault.tokens.grant(GRANT)
    await vault.generateKey()
    expect(await vault.backups.verify({ text, exportPassphrase: FILE })).toMatchObject({
      missing: { keys: 1, tokens: 2 },
    })
  })

  it('can be compared while the account is locked', async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    await vault.lock()
    expect(await vault.backups.verify({ text, exportPassphrase: FILE })).toMatchObject({ keys: 1 })
    await vault.unlock(PASSPHRASE)
    expect((await vault.activity.read()).lines.map(({ act }) => act)).toContain('verifyBackup')
  })

  it.each([
    [{ exportPassphrase: 'not that of the file' }, 'INVALID_PASSPHRASE'],
    [{ recoveryCode: 'not the code' }, 'INVALID_PASSPHRASE'],
    [{}, 'OPERATION_FAILED'],
    [{ exportPassphrase: FILE, recoveryCode: 'both' }, 'OPERATION_FAILED'],
  ])('is refused by %j: %s', async (opener, code) => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    const disk = await dumpDisk()
    await expect(vault.backups.verify({ text, ...opener })).rejects.toMatchObject({ code })
    expect(await dumpDisk()).toBe(disk)
    expect((await vault.backups.health()).verifiedAt).toBeUndefined()
  })

  it("is refused where it is another account's", async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    await vault.create({ passphrase: PASSPHRASE })
    await expect(vault.backups.verify({ text, exportPassphrase: FILE })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
  })
})

describe('the health of the backups', () => {
  it('says when one was written and verified, and keeps that sealed', async () => {
    const { vault, clock } = await alice()
    expect(await vault.backups.health()).toEqual({ changedSince: true })
    clock.pass(1_000)
    const writtenAt = clock.now()
    const { text } = await exported(vault)
    expect(await vault.backups.health()).toEqual({ writtenAt, changedSince: true })
    clock.pass(1_000)
    await vault.backups.verify({ text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toEqual({ writtenAt, verifiedAt: clock.now(), changedSince: false })
    expect(await dumpDisk()).not.toContain('verifiedAt')
    await vault.cleanup()
    await vault.initialize()
    await expect(vault.backups.health()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await vault.unlock(PASSPHRASE)
    expect(await vault.backups.health()).toMatchObject({ writtenAt, changedSince: false })
  })

  it('an account that was brought back from a file is backed up by it', async () => {
    const { vault, clock, address } = await alice()
    await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    await vault.accounts.remove(address)
    await vault.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect(await vault.backups.health()).toMatchObject({ verifiedAt: clock.now(), changedSince: false })
    await vault.tokens.grant(GRANT)
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
  })

  it.each<[string, boolean, (vault: KeyVault) => Promise<unknown>]>([
    ['grant', true, (vault) => vault.tokens.grant(GRANT)],
    ['revoke', true, (vault) => vault.tokens.revoke({ cid: 'bafyold' })],
    ['generateKey', true, (vault) => vault.generateKey()],
    ['importKey', true, (vault) => vault.keys.import({ text: 'a key' })],
    ['removeToken', true, async (vault) => vault.tokens.remove((await vault.tokens.list())[0]?.id ?? '')],
    ['sign', false, (vault) => vault.sign(Uint8Array.of(1))],
    ['setAutoLock', false, (vault) => vault.settings.setAutoLock(null)],
    [
      'a refused grant',
      false,
      (vault) => vault.tokens.grant({ ...GRANT, key_id: 'nope' }).catch(() => undefined),
    ],
    ['lock and unlock', false, (vault) => vault.lock().then(() => vault.unlock(PASSPHRASE))],
  ])('after %s it has changed since: %s', async (_, changedSince, work) => {
    const { vault } = await alice()
    await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    await vault.backups.verify({ text, exportPassphrase: FILE })
    await work(vault)
    expect(await vault.backups.health()).toMatchObject({ changedSince })
  })

  it('what changed between writing and verifying counts', async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    await vault.tokens.grant(GRANT)
    await vault.backups.verify({ text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
  })

  it('an older file, verified after a newer one, takes nothing back', async () => {
    const { vault } = await alice()
    const old = await exported(vault)
    await vault.tokens.grant(GRANT)
    const next = await exported(vault)
    await vault.backups.verify({ text: next.text, exportPassphrase: FILE })
    await vault.backups.verify({ text: old.text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
  })
})
