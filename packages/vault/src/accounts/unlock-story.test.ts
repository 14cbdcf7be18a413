// Unlock methods, backups, the log and several tabs with the real enclave and its own cryptography.
import { createEnclave } from '@keyhole/enclave'
import { describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import {
  dumpDisk,
  fillDisk,
  freshBrowser,
  MemoryStorage,
  rawAll,
  rawDatabase,
  rawPut,
  settled,
} from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import type { NewPasskey } from '../unlock/passkey.ts'

freshBrowser()
const PASSPHRASE = 'correct horse battery staple'
const FILE = 'another passphrase for the file'
const proof = { passphrase: PASSPHRASE }

const vaults = new OpenVaults()

async function started(config = {}): Promise<KeyVault> {
  return await vaults.start(config, { createEnclave })
}

async function otherBrowser(): Promise<KeyVault> {
  await vaults.closeAll()
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
  vi.stubGlobal('localStorage', new MemoryStorage())
  return await started()
}

const newPasskey = (byte: number): NewPasskey => ({
  credential: Buffer.from(`credential ${byte}`).toString('base64url'),
  relyingParty: 'localhost',
  salt: new Uint8Array(64).fill(byte),
  prf: new Uint8Array(64).fill(byte + 1),
  label: 'Laptop',
})
const answer = (byte: number) => {
  const { credential, prf } = newPasskey(byte)
  return { passkey: { credential, prf } }
}
const lockedOf = (vault: KeyVault) =>
  new Promise<void>((resolve) => {
    vault.subscribe(() => vault.getSnapshot().phase === 'locked' && resolve())
  })
const grantOf = (vault: KeyVault) => ({ audience_did: vault.getSnapshot().issuerDid ?? '', command: '/msg' })

describe('an account without a passphrase', () => {
  it('is unlocked by its passkey and its recovery code, and gets a passphrase with the code', async () => {
    const vault = await started()
    const { recoveryCode = '' } = await vault.create({ passkey: newPasskey(1), recoveryCode: true })
    const methods = await vault.unlockMethods.list()
    expect(methods.map(({ kind }) => kind).sort()).toEqual(['passkey', 'recovery_code'])
    const passkey = methods.find(({ kind }) => kind === 'passkey')
    expect(passkey).toMatchObject({ relyingParty: 'localhost', label: 'Laptop', salt: newPasskey(1).salt })
    expect(passkey?.credential).toBe(newPasskey(1).credential)

    await vault.lock()
    expect((await vault.unlockMethods.list()).every(({ label }) => label === undefined)).toBe(true)
    await expect(vault.unlock(answer(2))).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock(answer(1))
    await vault.lock()
    await vault.unlock({ recoveryCode: recoveryCode.toLowerCase().replaceAll('-', ' ') })
    await expect(
      vault.unlockMethods.setPassphrase({ recoveryCode: 'nothing like a code' }, PASSPHRASE),
    ).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
    await vault.unlockMethods.setPassphrase({ recoveryCode }, PASSPHRASE)
    await vault.lock()
    await vault.unlock(PASSPHRASE)

    const newer = await vault.unlockMethods.newRecoveryCode(answer(1))
    await vault.lock()
    await expect(vault.unlock({ recoveryCode })).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock({ recoveryCode: newer })
    await vault.unlockMethods.remove(proof, passkey?.id ?? '')
    await vault.lock()
    await expect(vault.unlock(answer(1))).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock({ recoveryCode: newer })

    const stored = [await dumpDisk(), JSON.stringify([...(localStorage as unknown as MemoryStorage).items])]
    for (const secret of [recoveryCode, newer, PASSPHRASE, 'Laptop']) {
      for (const text of stored) expect(text).not.toContain(secret)
    }
  })
})

describe('a backup', () => {
  it('is checked and restored with the recovery code, continues its log, and reports its health', async () => {
    const vault = await started()
    const { recoveryCode = '', address } = await vault.create({
      ...{ passkey: newPasskey(1), recoveryCode: true, label: 'Alice' },
    })
    const granted = await vault.tokens.grant({ ...grantOf(vault), label: 'The plumber' })
    const { text } = await vault.exportVault({ proof: answer(1), exportPassphrase: FILE })
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })
    const found = { address, keys: 1, tokens: 1, missing: { keys: 0, tokens: 0 } }
    expect(await vault.backups.verify({ text, recoveryCode })).toMatchObject(found)
    expect(await vault.backups.verify({ text, exportPassphrase: FILE })).toMatchObject(found)
    expect(await vault.backups.health()).toMatchObject({ changedSince: false })
    await vault.generateKey()
    expect(await vault.backups.health()).toMatchObject({ changedSince: true })

    const other = await otherBrowser()
    await other.importVault({ text, recoveryCode, passphrase: PASSPHRASE })
    expect(await other.tokens.list()).toEqual([granted])
    await other.tokens.grant(grantOf(other))
    const { lines, missing, rewritten } = await other.activity.read()
    expect(lines.map(({ act }) => act)).toEqual(['create', 'grant', 'restore', 'verifyBackup', 'grant'])
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
  })

  it('with a different log is merged: both are kept, and the log continues', async () => {
    const vault = await started()
    const { recoveryCode = '' } = await vault.create({ passkey: newPasskey(1), recoveryCode: true })
    const first = await vault.exportVault({ proof: answer(1), exportPassphrase: FILE })
    const there = await otherBrowser()
    await there.importVault({ text: first.text, recoveryCode, passphrase: PASSPHRASE })
    for (let time = 0; time < 5; time += 1) await there.accounts.label(`there ${time}`)
    const theirs = await there.exportVault({ proof, exportPassphrase: FILE })
    const here = await otherBrowser()
    await here.importVault({ text: first.text, recoveryCode, passphrase: PASSPHRASE })
    await here.tokens.grant(grantOf(here))
    await here.importVault({ text: theirs.text, exportPassphrase: FILE })
    await here.tokens.grant(grantOf(here))
    const { lines, missing, rewritten } = await here.activity.read()
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
    expect(lines.filter(({ act }) => act === 'labelAccount')).toHaveLength(5)
    expect(lines.filter(({ act }) => act === 'grant').map(({ source }) => source)).toEqual([
      'replaced',
      undefined,
    ])
  })
})

describe('the log', () => {
  it('shows what is missing and what was replaced', async () => {
    const vault = await started()
    const { address } = await vault.create({ passkey: newPasskey(1), recoveryCode: true })
    for (let time = 0; time < 4; time += 1) await vault.tokens.grant(grantOf(vault))
    const records = (await rawAll(address, 'metadata')) as { id: string }[]
    const second = records.find(({ id }) => id === 'activity:2')
    await rawPut(address, 'metadata', { ...second, id: 'activity:3', key: 'activity:3' })
    await rawDatabase(address, (db) =>
      settled(db.transaction('metadata', 'readwrite').objectStore('metadata').delete('activity:5')),
    )
    const { lines, missing, rewritten } = await vault.activity.read()
    expect({ missing, rewritten }).toEqual({ missing: [[5, 5]], rewritten: [3] })
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 4])
    expect(await dumpDisk()).not.toContain('outcome')
  })

  it('is rolled back together with its action if the disk is full', async () => {
    const vault = await started()
    await vault.create({ passkey: newPasskey(1), recoveryCode: true })
    const { revision } = vault.getSnapshot()
    const free = fillDisk('metadata')
    await expect(vault.generateKey()).rejects.toMatchObject({ details: { quota: true } })
    await expect(vault.tokens.grant(grantOf(vault))).rejects.toMatchObject({ details: { quota: true } })
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', revision })
    free()
    await vault.generateKey()
    expect(vault.getSnapshot().keys).toHaveLength(2)
    const { lines, missing } = await vault.activity.read()
    expect(lines.map(({ act, outcome }) => `${act} ${outcome}`)).toEqual([
      ...['create done', 'generateKey OPERATION_FAILED', 'grant OPERATION_FAILED', 'generateKey done'],
    ])
    expect(missing).toEqual([])
  })
})

describe('tabs with an enclave each', () => {
  it('all write, catch up unlocked, lose nothing, and lock at once', async () => {
    const first = await started()
    await first.create({ passkey: newPasskey(1), recoveryCode: true })
    const tabs = [first]
    while (tabs.length < 8) {
      const another = await started()
      await another.unlock(answer(1))
      tabs.push(another)
    }
    await Promise.all(
      tabs.flatMap((vault) => [
        vault.generateKey(),
        vault.tokens.grant(grantOf(vault)),
        vault.sign(Uint8Array.of(1)),
      ]),
    )
    const checking = await started()
    await checking.unlock(answer(1))
    expect(checking.getSnapshot().keys).toHaveLength(9)
    expect(await checking.tokens.list()).toHaveLength(8)
    const { lines, missing, rewritten } = await checking.activity.read()
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
    for (const act of ['generateKey', 'grant', 'sign']) {
      expect(lines.filter((line) => line.act === act && line.outcome === 'done')).toHaveLength(8)
    }
    expect(new Set(lines.map(({ tab }) => tab)).size).toBe(9)
    const locked = tabs.map(lockedOf)
    await first.lock()
    await Promise.all(locked)
  })
})

describe('a key from elsewhere', () => {
  const words = `${'abandon '.repeat(11)}about`

  it('is inspected, imported, and can be the first key of an account', async () => {
    const vault = await started()
    const key = { text: words, keyType: 'secp256k1' } as const
    const preview = await vault.keys.preview(key)
    expect(preview).toMatchObject({ keyType: 'secp256k1', path: "m/44'/60'/0'/0/0" })
    const { address } = await vault.create({ passkey: newPasskey(1), recoveryCode: true, key })
    expect(address).toBe(preview.address)
    const another = await vault.keys.import({ text: words }, 'Old wallet')
    expect(another).toMatchObject({ key_type: 'ed25519', label: 'Old wallet' })
    await expect(vault.keys.import({ text: words })).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    await expect(vault.keys.preview({ text: 'no key' })).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(JSON.stringify(await vault.activity.read())).not.toContain('abandon')
    expect(await dumpDisk()).not.toContain('abandon')
  })
})
