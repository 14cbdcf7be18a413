import { describe, expect, it } from 'vitest'
import { dumpDisk, freshBrowser } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'
import { FOREIGN_KEY } from '../test/people.ts'
import type { NewPasskey } from '../unlock/passkey.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const OTHER = 'staple correct horse'
const proof = { passphrase: PASSPHRASE }
/** The phrase of BIP 39's first vector. */
const PHRASE = `${'abandon '.repeat(11)}about`

const vaults = new OpenVaults()

async function ready() {
  const world = new EnclaveWorld()
  const vault = await vaults.start({}, world)
  return { vault, world }
}

async function alice() {
  const { vault, world } = await ready()
  await vault.create({ passphrase: PASSPHRASE, label: 'Alice' })
  return { vault, world }
}

const credentialOf = (byte: number) => Buffer.from([byte]).toString('base64url')
const newPasskey = (byte: number): NewPasskey => ({
  ...{ credential: credentialOf(byte), relyingParty: 'localhost', label: 'Laptop' },
  salt: new Uint8Array(64).fill(byte),
  prf: new Uint8Array(64).fill(byte),
})
const answer = (byte: number) => ({ credential: credentialOf(byte), prf: new Uint8Array(64).fill(byte) })

describe('an account', () => {
  it('is created with a passkey and a recovery code, and either unlocks it', async () => {
    const { vault } = await ready()
    const passkey = newPasskey(1)
    const { recoveryCode = '' } = await vault.create({ label: 'Alice', passkey, recoveryCode: true })
    expect(recoveryCode).not.toBe('')
    expect((await vault.unlockMethods.list()).map(({ kind }) => kind)).toEqual(['passkey', 'recovery_code'])
    for (const proof of [{ passkey: answer(1) }, { recoveryCode }]) {
      await vault.lock()
      await vault.unlock(proof)
      expect(vault.getSnapshot().phase).toBe('unlocked')
    }
    const { lines } = await vault.activity.read()
    expect(lines.flatMap(({ act, about }) => (act === 'unlock' ? [about] : []))).toEqual([
      { by: 'passkey' },
      { by: 'recovery_code' },
    ])
    expect(await dumpDisk()).not.toContain('Laptop')
  })

  it('is not created without enough to unlock it', async () => {
    const { vault } = await ready()
    for (const request of [{}, { recoveryCode: true }, { passkey: newPasskey(1) }]) {
      await expect(vault.create(request)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    }
    expect(await indexedDB.databases()).toEqual([])
  })

  it('lists its methods while locked, without their labels', async () => {
    const { vault } = await alice()
    const method = await vault.unlockMethods.addPasskey(proof, newPasskey(2))
    await vault.unlockMethods.label(method, ' My laptop ')
    const passkey = {
      ...{ id: method, kind: 'passkey', credential: credentialOf(2), relyingParty: 'localhost' },
      salt: new Uint8Array(64).fill(2),
    }
    expect((await vault.unlockMethods.list())[1]).toEqual({
      ...{ ...passkey, label: 'My laptop', createdAt: expect.any(Number) },
    })
    await vault.lock()
    expect((await vault.unlockMethods.list())[1]).toEqual({ ...passkey, createdAt: expect.any(Number) })
  })

  it('loses a method, which then no longer unlocks it', async () => {
    const { vault } = await alice()
    const method = await vault.unlockMethods.addPasskey(proof, newPasskey(3))
    await vault.unlockMethods.remove({ passkey: answer(3) }, method)
    await vault.lock()
    await expect(vault.unlock({ passkey: answer(3) })).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock(PASSPHRASE)
  })

  it('keeps enough to be unlocked', async () => {
    const { vault } = await alice()
    const [passphrase] = await vault.unlockMethods.list()
    await expect(vault.unlockMethods.remove(proof, passphrase?.id ?? '')).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
    await vault.lock()
    await vault.unlock(PASSPHRASE)
  })

  it('gets another passphrase from someone who lost the old one', async () => {
    const { vault } = await alice()
    const recoveryCode = await vault.unlockMethods.newRecoveryCode(proof)
    await vault.lock()
    await vault.unlock({ recoveryCode })
    await vault.unlockMethods.setPassphrase({ recoveryCode }, OTHER)
    await vault.lock()
    await expect(vault.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock(OTHER)
  })

  it('tells listeners what changed, and nothing secret', async () => {
    const { vault } = await alice()
    const heard: unknown[] = []
    vault.on('vault:changed', (detail) => heard.push(detail))
    const method = await vault.unlockMethods.addPasskey(proof, newPasskey(4))
    const code = await vault.unlockMethods.newRecoveryCode(proof)
    await vault.unlockMethods.setPassphrase(proof, OTHER)
    await vault.unlockMethods.label(method, 'Mine')
    expect(heard).toMatchObject([
      { change: 'unlock_methods' },
      { change: 'unlock_methods' },
      { change: 'passphrase' },
      { change: 'unlock_methods' },
    ])
    expect(JSON.stringify(heard)).not.toContain(code)
  })
})

describe("a passkey's bytes", () => {
  it('are overwritten once they have been used, even after a failure', async () => {
    const { vault, world } = await alice()
    const [added, right, wrong, refused] = [newPasskey(5), answer(5), answer(6), newPasskey(7)]
    await vault.unlockMethods.addPasskey(proof, added)
    await vault.lock()
    await vault.unlock({ passkey: right })
    await expect(vault.unlockMethods.newRecoveryCode({ passkey: wrong })).rejects.toThrow()
    world.plan('add_passkey', () => Promise.reject(new Error('gone')))
    await expect(vault.unlockMethods.addPasskey(proof, refused)).rejects.toThrow()
    for (const { prf } of [added, right, wrong, refused]) expect(prf).toEqual(new Uint8Array(64))
  })

  it('are overwritten even if the call is never made', async () => {
    const { vault } = await alice()
    for (let time = 0; time < 3; time += 1)
      await vault.unlockMethods.newRecoveryCode({ passphrase: 'wrong' }).catch(() => {})
    const late = answer(8)
    await expect(vault.unlockMethods.newRecoveryCode({ passkey: late })).rejects.toMatchObject({
      details: { retryAt: expect.any(Number) },
    })
    expect(late.prf).toEqual(new Uint8Array(64))
    const { vault: empty } = await ready()
    const passkey = newPasskey(9)
    await expect(empty.create({ passphrase: 'short', passkey })).rejects.toThrow()
    expect(passkey.prf).toEqual(new Uint8Array(64))
  })

  it('are not accepted twice', async () => {
    const { vault } = await alice()
    await vault.unlockMethods.addPasskey(proof, newPasskey(1))
    const passkey = answer(1)
    await vault.unlockMethods.newRecoveryCode({ passkey })
    await expect(vault.unlockMethods.newRecoveryCode({ passkey })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
  })
})

describe('a key from elsewhere', () => {
  it('is inspected and imported', async () => {
    const { vault, world } = await alice()
    const key = {
      text: PHRASE,
      format: 'bip39',
      path: " m/44'/0'/0' ",
      mnemonicPassphrase: 'x',
    } as const
    const preview = await vault.keys.preview(key)
    expect(preview).toMatchObject({ keyType: 'ed25519', did: expect.stringMatching(/^did:key:/) })
    const taken = await vault.keys.import(key, ' Old wallet ')
    expect(taken).toMatchObject({ did: preview.did, label: 'Old wallet', is_first: false })
    expect(world.calls.find(({ name }) => name === 'import_key')?.input).toEqual({
      key: { text: PHRASE, format: 'bip39', path: "m/44'/0'/0'", mnemonic_passphrase: 'x' },
      label: 'Old wallet',
    })
    await expect(vault.keys.import(key)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(vault.getSnapshot().keys).toHaveLength(2)
  })

  it('can be the first key of an account', async () => {
    const { vault } = await ready()
    const key = { text: FOREIGN_KEY }
    const { did } = await vault.keys.preview(key)
    await vault.create({ ...openedByPasskey(), key })
    expect(vault.getSnapshot().keys).toMatchObject([{ did, key_type: 'ed25519', is_first: true }])
  })
})

describe('an unconfirmed recovery code', () => {
  it('is marked in the account, sealed, until someone enters it', async () => {
    const { vault, world } = await ready()
    await vault.create({ passphrase: PASSPHRASE, recoveryCode: true })
    expect(await vault.unlockMethods.recoveryCodeConfirmed()).toBe(false)
    expect(await dumpDisk()).not.toContain('"kept":')
    expect(JSON.stringify(globalThis.localStorage)).not.toContain('kept')
    const tab = await vaults.start({}, world)
    await tab.unlock(PASSPHRASE)
    expect(await tab.unlockMethods.recoveryCodeConfirmed()).toBe(false)
    await tab.unlockMethods.confirmRecoveryCode()
    expect(await vault.unlockMethods.recoveryCodeConfirmed()).toBe(true)
    await vault.unlockMethods.newRecoveryCode(proof)
    expect(await vault.unlockMethods.recoveryCodeConfirmed()).toBe(false)
    await vault.lock()
    await expect(vault.unlockMethods.recoveryCodeConfirmed()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await expect(vault.unlockMethods.confirmRecoveryCode()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  })

  it('is confirmed by unlocking with it, and the mark goes when the code is removed', async () => {
    const { vault } = await ready()
    const { recoveryCode = '' } = await vault.create({ passphrase: PASSPHRASE, recoveryCode: true })
    await vault.lock()
    await vault.unlock({ recoveryCode })
    expect(await vault.unlockMethods.recoveryCodeConfirmed()).toBe(true)
    await vault.unlockMethods.newRecoveryCode(proof)
    const code = (await vault.unlockMethods.list()).find(({ kind }) => kind === 'recovery_code')
    await vault.unlockMethods.remove(proof, code?.id ?? '')
    expect(await vault.unlockMethods.recoveryCodeConfirmed()).toBeUndefined()
    expect(await clientOf(vault).storage.readMetadataOf('recovery-code')).toBeUndefined()
  })

  it('is not reported for an account without a code', async () => {
    const { vault } = await alice()
    expect(await vault.unlockMethods.recoveryCodeConfirmed()).toBeUndefined()
  })
})
