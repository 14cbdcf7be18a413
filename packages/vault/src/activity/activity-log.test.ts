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
import { EnclaveWorld } from '../test/enclave-world.ts'
import { givenByAnother } from '../test/given.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB, CID, FOREIGN_KEY } from '../test/people.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const GRANT = { audience_did: BOB, command: '/msg/send' }

const vaults = new OpenVaults()

async function ready(world = new EnclaveWorld()): Promise<KeyVault> {
  return await vaults.start({}, world)
}

async function alice(opened = openedByPasskey({ label: 'Alice' })) {
  const world = new EnclaveWorld()
  const vault = await ready(world)
  const { address } = await vault.create(opened)
  return { vault, world, address }
}

async function elsewhere(): Promise<KeyVault> {
  await vaults.closeAll()
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
  vi.stubGlobal('localStorage', new MemoryStorage())
  return await ready()
}

const actsOf = async (vault: KeyVault) => (await vault.activity.read()).lines.map(({ act }) => act)

describe('every action', () => {
  it('is written down once, in order, with what it is about', async () => {
    const { vault } = await alice({ passphrase: PASSPHRASE, label: 'Alice' })
    const proof = { passphrase: PASSPHRASE }
    const before = Date.now()
    const grant = await vault.tokens.grant({ ...GRANT, label: 'The plumber' })
    const own = vault.getSnapshot().issuerDid ?? ''
    const parent_token = await givenByAnother({ ...GRANT, audience_did: own })
    const narrowed = await vault.tokens.narrow({ ...GRANT, parent_token })
    const invoked = await vault.tokens.invoke({ command: '/a', args: {}, subject_did: own })
    const revoked = await vault.tokens.revoke({ cid: grant.cid })
    await vault.tokens.issueReceipt({ task: CID, ok: {} })
    await vault.tokens.remove(grant.id)
    const received = await vault.tokens.receive(grant.token)
    await vault.sign(Uint8Array.of(1, 2, 3))
    const key = await vault.generateKey({ keyType: 'p256', label: 'Phone' })
    await vault.keys.label(key.key_id, 'Tablet')
    await vault.keys.setDefault(key.key_id)
    await vault.accounts.label('At home')
    const imported = await vault.keys.import({ text: FOREIGN_KEY }, 'Old')
    await vault.deleteKey(imported.key_id)
    await vault.changePassphrase(PASSPHRASE, 'another one, as long')
    await vault.changePassphrase('another one, as long', PASSPHRASE)
    const method = await vault.unlockMethods.addPasskey(proof, {
      ...{ credential: 'AQID', relyingParty: 'localhost', salt: new Uint8Array(64), label: 'Laptop' },
      prf: new Uint8Array(64).fill(7),
    })
    await vault.unlockMethods.label(method, 'Desktop')
    await vault.unlockMethods.newRecoveryCode(proof)
    await vault.unlockMethods.remove(proof, method)
    await vault.settings.setAutoLock(null)
    const { text } = await vault.exportVault({ proof, exportPassphrase: FILE })
    await vault.backups.verify({ text, exportPassphrase: FILE })
    await vault.importVault({ text, exportPassphrase: FILE })
    await vault.lock()
    await vault.unlock(PASSPHRASE)

    const { lines, missing, rewritten } = await vault.activity.read()
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
    expect(lines.map(({ act, about }) => [act, about])).toMatchObject([
      ['create', { passphrase: true }],
      ['grant', { cid: grant.cid, command: '/msg/send' }],
      ['narrow', { cid: narrowed.cid }],
      ['invoke', { cid: invoked.cid, task: invoked.task }],
      ['revoke', { cid: revoked.cid, revokes: grant.cid }],
      ['issueReceipt', { task: CID }],
      ['removeToken', { id: grant.id }],
      ['receive', { cid: received.cid }],
      ['sign', { bytes: 3 }],
      ['generateKey', { key: key.key_id, type: 'p256' }],
      ['labelKey', { key: key.key_id }],
      ['setDefaultKey', { key: key.key_id }],
      ['labelAccount', undefined],
      ['importKey', { key: imported.key_id }],
      ['deleteKey', { key: imported.key_id }],
      ['changePassphrase', undefined],
      ['changePassphrase', undefined],
      ['addPasskey', { method, relyingParty: 'localhost' }],
      ['labelUnlockMethod', { method }],
      ['newRecoveryCode', undefined],
      ['removeUnlockMethod', { method }],
      ['setAutoLock', { after: 'never' }],
      ['exportVault', { keys: 2 }],
      ['verifyBackup', { missingKeys: 0, missingTokens: 0 }],
      ['importVault', { keys: 0, tokens: 0 }],
      ['lock', { why: 'by hand' }],
      ['unlock', { by: 'passphrase' }],
    ])
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
    expect(new Set(lines.map(({ tab }) => tab)).size).toBe(1)
    for (const { at, outcome } of lines) {
      expect(outcome).toBe('done')
      expect(at).toBeGreaterThanOrEqual(before - 60_000)
      expect(at).toBeLessThanOrEqual(Date.now())
    }
    const written = JSON.stringify(lines)
    for (const secret of [
      'plumber',
      'Phone',
      'Laptop',
      'home',
      PASSPHRASE,
      FILE,
      'PRIVATE KEY',
      grant.token,
    ]) {
      expect(written).not.toContain(secret)
    }
  })

  it('costs a grant one plugin call, and no transactions besides its own and reading the state', async () => {
    const { vault, world } = await alice()
    const calls = world.calls.length
    await vault.tokens.grant(GRANT)
    expect(world.calls.slice(calls).map(({ name }) => name)).toEqual(['new_origin_token', 'log_activity'])
  })

  it('is refused if its line does not fit: neither is stored', async () => {
    const { vault, address } = await alice()
    const { revision } = vault.getSnapshot()
    const free = fillDisk('metadata')
    await expect(vault.tokens.grant(GRANT)).rejects.toMatchObject({ details: { quota: true } })
    await expect(vault.generateKey()).rejects.toMatchObject({ details: { quota: true } })
    await expect(vault.settings.setAutoLock(null)).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', revision, autoLock: 900_000 })
    expect(await rawAll(address, 'tokens')).toEqual([])
    const { lines, missing } = await vault.activity.read()
    expect(lines.map(({ act, outcome }) => [act, outcome])).toEqual([
      ['create', 'done'],
      ['grant', 'OPERATION_FAILED'],
      ['generateKey', 'OPERATION_FAILED'],
      ['setAutoLock', 'OPERATION_FAILED'],
    ])
    expect(missing).toEqual([])
  })

  it('that stores nothing succeeds with a full disk, and is written down later', async () => {
    const { vault } = await alice()
    const free = fillDisk('state', 'metadata')
    await vault.sign(Uint8Array.of(1))
    const { text } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    expect(text).not.toBe('')
    free()
    expect(await actsOf(vault)).toEqual(['create', 'sign', 'exportVault'])
  })

  it('done while locked is written down by the next unlock', async () => {
    const { vault } = await alice()
    const { id, token } = await vault.tokens.grant(GRANT)
    await vault.lock()
    await vault.tokens.remove(id)
    await vault.tokens.receive(token)
    await vault.unlock(passkeyProof())
    expect(await actsOf(vault)).toEqual(['create', 'grant', 'lock', 'removeToken', 'receive', 'unlock'])
  })
})

describe('a refusal', () => {
  it('is written down with its code, and changes nothing when it is raised', async () => {
    const { vault } = await alice()
    const disk = await dumpDisk()
    await expect(vault.deleteKey('nope')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' })
    await expect(vault.tokens.receive('nonsense')).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(await dumpDisk()).toBe(disk)
    await vault.tokens.grant(GRANT)
    expect(
      (await vault.activity.read()).lines.map(({ act, outcome, about }) => [act, outcome, about?.name]),
    ).toEqual([
      ['create', 'done', undefined],
      ['deleteKey', 'KEY_NOT_FOUND', 'KeyNotFound'],
      ['receive', 'OPERATION_FAILED', 'MalformedToken'],
      ['grant', 'done', undefined],
    ])
  })

  it('of an unlock is written down by the next successful one', async () => {
    const { vault } = await alice()
    await vault.lock()
    await expect(vault.unlock('not the one it is')).rejects.toThrow()
    await vault.cleanup()
    await vault.initialize()
    await expect(vault.tokens.grant(GRANT)).rejects.toThrow()
    await vault.unlock(passkeyProof())
    expect((await vault.activity.read()).lines.map(({ act, outcome }) => [act, outcome])).toEqual([
      ['create', 'done'],
      ['lock', 'done'],
      ['unlock', 'INVALID_PASSPHRASE'],
      ['grant', 'VAULT_LOCKED'],
      ['unlock', 'done'],
    ])
  })

  it('leaves no line if the caller aborted', async () => {
    const { vault } = await alice()
    const controller = new AbortController()
    controller.abort(new Error('never mind'))
    await expect(vault.tokens.receive('nonsense', {}, { signal: controller.signal })).rejects.toThrow()
    expect(await actsOf(vault)).toEqual(['create'])
  })

  const note = { at: 1, tab: 'x', act: 'unlock', outcome: 'done' }
  it.each([
    ['invalid JSON', '[{"act":'],
    ['not a list', '{}'],
    ['invalid notes', JSON.stringify([5, null, {}, { ...note, at: 0.5 }, { ...note, about: { a: [] } }])],
    ['one that is too long', JSON.stringify([{ ...note, act: 'x'.repeat(301) }])],
    [
      'one that is too long as JSON',
      JSON.stringify([{ ...note, about: { a: '\u0001'.repeat(300), b: '\u0001'.repeat(300) } }]),
    ],
  ])('is not blocked by tampered notes: %s', async (_, text) => {
    const { vault, address } = await alice()
    localStorage.setItem(`keyhole:notes:${address}`, text)
    await vault.tokens.grant(GRANT)
    expect(await actsOf(vault)).toEqual(['create', 'grant'])
  })

  it('is written down as long as there is space, even if there are very many', async () => {
    const { vault, world } = await alice()
    for (let time = 0; time < 250; time += 1) await vault.deleteKey('nope').catch(() => undefined)
    await vault.tokens.grant({ ...GRANT, command: `/${'ü'.repeat(500)}` })
    expect(await actsOf(vault)).toHaveLength(202)
    for (const { name, input } of world.calls) {
      if (name !== 'log_activity') continue
      for (const entry of (input as { entries: object[] }).entries) {
        expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(2_048)
      }
    }
  })
})

describe('a tampered log shows', () => {
  async function threeGrants() {
    const { vault, address } = await alice()
    for (let time = 0; time < 3; time += 1) await vault.tokens.grant(GRANT)
    return { vault, address }
  }

  it('which lines are missing', async () => {
    const { vault, address } = await threeGrants()
    for (const seq of [2, 3]) {
      await rawDatabase(address, (db) =>
        settled(db.transaction('metadata', 'readwrite').objectStore('metadata').delete(`activity:${seq}`)),
      )
    }
    const { lines, missing } = await vault.activity.read()
    expect(missing).toEqual([[2, 3]])
    expect(lines.map(({ seq }) => seq)).toEqual([1, 4])
  })

  it('that its end is missing', async () => {
    const { vault, address } = await threeGrants()
    await rawDatabase(address, (db) =>
      settled(db.transaction('metadata', 'readwrite').objectStore('metadata').delete('activity:4')),
    )
    expect((await vault.activity.read()).missing).toEqual([[4, 4]])
  })

  it('which lines were rewritten or swapped', async () => {
    const { vault, address } = await threeGrants()
    const records = (await rawAll(address, 'metadata')) as { id: string; sealed: string }[]
    const second = records.find(({ id }) => id === 'activity:2')
    await rawPut(address, 'metadata', { ...second, id: 'activity:3', key: 'activity:3' })
    const { rewritten, missing } = await vault.activity.read()
    expect(rewritten).toEqual([3])
    expect(missing).toEqual([])
  })
})

describe('a backup', () => {
  it('brings its log to another browser, where it continues', async () => {
    const { vault } = await alice()
    await vault.tokens.grant(GRANT)
    const { text } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    const other = await elsewhere()
    await other.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    await other.generateKey()
    const { lines, missing, rewritten } = await other.activity.read()
    expect(lines.map(({ seq, act }) => [seq, act])).toEqual([
      [1, 'create'],
      [2, 'grant'],
      [3, 'restore'],
      [4, 'verifyBackup'],
      [5, 'generateKey'],
    ])
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
  })

  it('that is behind adds nothing', async () => {
    const { vault } = await alice()
    const { text } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    await vault.tokens.grant(GRANT)
    await vault.importVault({ text, exportPassphrase: FILE })
    await vault.importVault({ text, exportPassphrase: FILE })
    expect(await vault.activity.read()).toMatchObject({ missing: [], rewritten: [] })
    expect(await actsOf(vault)).toEqual(['create', 'exportVault', 'grant', 'importVault', 'importVault'])
  })

  /** The account continues in two browsers; the second one's backup has more lines, or fewer. */
  async function parted(more: number) {
    const { vault } = await alice()
    const { text } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    const there = await elsewhere()
    await there.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    for (let time = 0; time < more; time += 1) await there.accounts.label(`there ${time}`)
    const proof = { passphrase: PASSPHRASE }
    const theirs = await there.exportVault({ proof, exportPassphrase: FILE })
    const here = await elsewhere()
    await here.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    await here.tokens.grant(GRANT)
    await here.tokens.grant(GRANT)
    await here.importVault({ text: theirs.text, exportPassphrase: FILE })
    return here
  }

  it.each([
    ['shorter', 1, 'backup'],
    ['longer', 9, 'replaced'],
  ] as const)('with a different log that is %s: both are kept', async (_, more, source) => {
    const here = await parted(more)
    const { lines, missing, rewritten } = await here.activity.read()
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
    const acts = lines.map(({ act }) => act)
    expect(acts.filter((act) => act === 'grant')).toHaveLength(2)
    expect(acts.filter((act) => act === 'labelAccount')).toHaveLength(more)
    const aside = lines.filter((line) => line.source !== undefined)
    expect(new Set(aside.map((line) => line.source))).toEqual(new Set([source]))
    expect(aside.map(({ act }) => act)).toContain(source === 'backup' ? 'labelAccount' : 'grant')
  })
})

it('can only be read while unlocked, and stores nothing without persistence', async () => {
  const { vault } = await alice()
  await vault.lock()
  await expect(vault.activity.read()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  const forgetful = await vaults.start({ enablePersistence: false }, new EnclaveWorld())
  await forgetful.create(openedByPasskey())
  await forgetful.tokens.grant(GRANT)
  expect(await forgetful.activity.read()).toEqual({ lines: [], missing: [], rewritten: [] })
})
