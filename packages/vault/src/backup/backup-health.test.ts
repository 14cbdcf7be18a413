import { describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { receivedRecord } from '../storage/devices/device-marks.ts'
import { ifWriteLockFree } from '../storage/write-lock.ts'
import { dumpDisk, freshBrowser } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { TestClock } from '../test/clock.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB, CID, FOREIGN_KEY } from '../test/people.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const GRANT = { audience_did: BOB, command: '/msg/send' }

const vaults = new OpenVaults()

async function alice() {
  const clock = new TestClock()
  // The enclave reads this clock too.
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now())
  const world = new EnclaveWorld()
  const vault = await vaults.start({}, { createEnclave: world.createEnclave, clock })
  const { address, recoveryCode = '' } = await vault.create(openedByPasskey())
  return { vault, clock, world, address, recoveryCode }
}

const exported = (vault: KeyVault) => vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })

describe('a verified backup', () => {
  it('says what it contains, opened by its passphrase or the recovery code', async () => {
    const { vault, clock, address, recoveryCode } = await alice()
    await vault.tokens.grant(GRANT)
    await vault.generateKey()
    const { text } = await exported(vault)
    const createdAt = Math.floor(clock.now() / 1000)
    const found = { address, createdAt, keys: 2, tokens: 1, missing: { keys: 0, tokens: 0 } }
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
    await vault.unlock(passkeyProof())
    expect((await vault.activity.read()).lines.map(({ act }) => act)).toContain('verifyBackup')
  })

  it.each([
    [{ exportPassphrase: 'not that of the file' }, 'INVALID_PASSPHRASE'],
    [{ recoveryCode: 'no code at all' }, 'OPERATION_FAILED'],
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

  it("is refused by another account's recovery code", async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    const other = await vaults.start({ enablePersistence: false }, new EnclaveWorld())
    const { recoveryCode = '' } = await other.create(openedByPasskey())
    await expect(vault.backups.verify({ text, recoveryCode })).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
  })

  it('is refused if it belongs to another account', async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    await vault.create(openedByPasskey())
    await expect(vault.backups.verify({ text, exportPassphrase: FILE })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
  })
})

describe('backup health', () => {
  it('says when a backup was written and verified, and keeps that sealed', async () => {
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
    await vault.unlock(passkeyProof())
    expect(await vault.backups.health()).toMatchObject({ writtenAt, changedSince: false })
  })

  it('counts the file that an account was restored from as a backup', async () => {
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
    ['revoke', true, (vault) => vault.tokens.revoke({ cid: CID })],
    ['generateKey', true, (vault) => vault.generateKey()],
    ['importKey', true, (vault) => vault.keys.import({ text: FOREIGN_KEY })],
    ['removeToken', true, async (vault) => vault.tokens.remove((await vault.tokens.list())[0]?.id ?? '')],
    [
      'a contact',
      true,
      async (vault) => {
        const contact = { name: 'Bob', dids: [BOB] }
        await vault.contacts.save(contact)
      },
    ],
    ['sign', false, (vault) => vault.sign(Uint8Array.of(1))],
    ['setAutoLock', false, (vault) => vault.settings.setAutoLock(null)],
    [
      'a refused grant',
      false,
      (vault) => vault.tokens.grant({ ...GRANT, key_id: 'nope' }).catch(() => undefined),
    ],
    ['lock and unlock', false, (vault) => vault.lock().then(() => vault.unlock(passkeyProof()))],
  ])('after %s reports changes: %s', async (_, changedSince, work) => {
    const { vault } = await alice()
    await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    await vault.backups.verify({ text, exportPassphrase: FILE })
    await work(vault)
    expect(await vault.backups.health()).toMatchObject({ changedSince })
  })

  it('counts changes between writing and verifying', async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    await vault.tokens.grant(GRANT)
    await vault.backups.verify({ text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
  })

  it('is not lowered by verifying an older file after a newer one', async () => {
    const { vault } = await alice()
    const old = await exported(vault)
    await vault.tokens.grant(GRANT)
    const next = await exported(vault)
    await vault.backups.verify({ text: next.text, exportPassphrase: FILE })
    await vault.backups.verify({ text: old.text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
  })

  it('knows that the file it was checked with lacks tokens that no line tells of', async () => {
    const { vault, clock } = await alice()
    await vault.tokens.grant(GRANT)
    const [record] = await vault.client.getPersistedTokens()
    await vault.tokens.remove(record?.id ?? '')
    const next = await exported(vault)
    clock.pass(1_000)
    // As a token arrives from another device.
    const { storage } = clientOf(vault)
    await storage.exchange({}, () => ({ tokens: record ? [record] : [], unmarked: true }))
    await vault.backups.verify({ text: next.text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
    const last = await exported(vault)
    await vault.backups.verify({ text: last.text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
  })

  it('believes no file that was written while the clock was fast', async () => {
    const { vault, clock, address } = await alice()
    const { storage } = clientOf(vault)
    await vault.settings.setAutoLock(null)
    await vault.tokens.grant(GRANT)
    const right = clock.now()
    clock.set(right + 365 * 86_400_000)
    const { text } = await exported(vault)
    await vault.backups.verify({ text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    clock.set(right + 1_000)
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    // Another device changed something.
    await storage.exchange({}, () => ({ metadata: [receivedRecord(address, clock.now())], unmarked: true }))
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
    clock.pass(1_000)
    const next = await exported(vault)
    await vault.backups.verify({ text: next.text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    // Nor does the old one take its place.
    await vault.backups.verify({ text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    await vault.tokens.grant(GRANT)
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
  })

  it('starts again after a reset by an older file', async () => {
    const { vault, clock } = await alice()
    const old = await exported(vault)
    clock.pass(1_000)
    for (let lines = 0; lines < 6; lines += 1) await vault.tokens.grant(GRANT)
    const next = await exported(vault)
    await vault.backups.verify({ text: next.text, exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    await vault.lock()
    await vault.accounts.reset({ text: old.text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect(await vault.backups.health()).toMatchObject({ verifiedAt: clock.now(), changedSince: true })
    await vault.generateKey()
    for (let lines = 0; lines < 8; lines += 1) await vault.sign(Uint8Array.of(1))
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
  })

  it('asks for a new file once the code that opened it was replaced', async () => {
    const { vault, clock, recoveryCode } = await alice()
    const proof = passkeyProof
    const { text } = await vault.exportVault({ proof: proof() })
    await vault.backups.verify({ text, recoveryCode })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    clock.pass(1_000)
    const code = await vault.unlockMethods.newRecoveryCode(proof())
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
    const next = await vault.exportVault({ proof: proof() })
    await vault.backups.verify({ text: next.text, recoveryCode: code })
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    // With a passphrase the code makes no difference.
    clock.pass(1_000)
    const { text: sealed } = await exported(vault)
    await vault.backups.verify({ text: sealed, exportPassphrase: FILE })
    await vault.unlockMethods.newRecoveryCode(proof())
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
  })

  it('remembers a check and a backup that end at the same time', async () => {
    const { vault, clock, address, world } = await alice()
    const { text } = await exported(vault)
    clock.pass(1_000)
    const held = world.holdUp('seal_records')
    const verifying = vault.backups.verify({ text, exportPassphrase: FILE })
    await held.reached
    const writtenAt = clock.now()
    const exporting = exported(vault)
    // If the check doesn't hold the lock, the backup is remembered before it.
    if (await ifWriteLockFree(address, async (free) => free)) await exporting
    held.release()
    await Promise.all([verifying, exporting])
    expect(await vault.backups.health()).toMatchObject({ writtenAt, verifiedAt: writtenAt })
  })

  it('is not remembered of another account that was opened in the meantime', async () => {
    const { vault, address, world } = await alice()
    await vault.create(openedByPasskey())
    const { text } = await exported(vault)
    const held = world.holdUp('open_backup_chunk')
    const verifying = vault.backups.verify({ text, exportPassphrase: FILE })
    const outcome = verifying.catch((error: unknown) => error)
    await held.reached
    await vault.accounts.open(address)
    await vault.unlock(passkeyProof())
    held.release()
    expect(await outcome).toMatchObject({ details: { name: 'AccountLeft' } })
    expect(await vault.backups.health()).toEqual({ changedSince: true })
    expect((await vault.activity.read()).lines.map(({ act }) => act)).not.toContain('verifyBackup')
  })
})
