import type { EnclaveExport } from '@keyhole/enclave'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { DEVICE_LINK } from '../storage/devices/device-marks.ts'
import { dumpDisk, fillDisk, freshBrowser, MemoryStorage, rawAll, rawPut, settled } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { manyTokens, recordsOf } from '../test/many-tokens.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'
import { forged } from '../test/vectors.ts'
import { backupFilename, parseContents } from './backup-file.ts'
import { metadataToAdd, tokensToAdd } from './merge-records.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const GRANT = { audience_did: BOB, command: '/msg/send' }

const vaults = new OpenVaults()

async function ready(world = new EnclaveWorld()): Promise<KeyVault> {
  return await vaults.start({}, world)
}

async function alice(world = new EnclaveWorld()) {
  const vault = await ready(world)
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  return { vault, address, world }
}

/** Another browser, with nothing from this one. */
async function elsewhere(): Promise<KeyVault> {
  await vaults.closeAll()
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
  vi.stubGlobal('localStorage', new MemoryStorage())
  return await ready()
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600
const exported = (vault: KeyVault) => vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })

describe('a backup file', () => {
  it('is named by address and date', async () => {
    expect(backupFilename('kh1abc', Date.UTC(2026, 10, 21, 23, 59))).toBe(
      'keyhole-kh1abc-2026-11-21.keyhole.json',
    )
    const { vault, address } = await alice()
    expect((await exported(vault)).filename).toMatch(
      new RegExp(`^keyhole-${address}-\\d{4}-\\d\\d-\\d\\d\\.keyhole\\.json$`),
    )
  })

  it('restores everything in another browser', async () => {
    const { vault, address } = await alice()
    await vault.generateKey({ label: 'Phone' })
    const stored = await vault.tokens.grant({ ...GRANT, label: 'The plumber' })
    await vault.client.saveSession(Date.now() + 60_000)
    const { text, skipped } = await exported(vault)
    expect(skipped).toEqual([])

    const other = await elsewhere()
    const progress: [number, number][] = []
    const request = {
      text,
      exportPassphrase: FILE,
      passphrase: 'a new one over here',
      onProgress: (done: number, total: number) => progress.push([done, total]),
    }
    expect(await other.importVault(request)).toEqual({
      address,
      tokens: 1,
      keys: 2,
      deletedKeys: [],
      created: true,
    })
    // How often progress is repeated depends on how long it takes.
    expect(new Set(progress.map(String))).toEqual(new Set(['0,1', '1,1']))
    expect(other.getSnapshot()).toMatchObject({ phase: 'unlocked', address, label: 'Alice' })
    expect(await other.tokens.list()).toEqual([stored])
    expect(await other.client.getSessions()).toHaveLength(1)
    await other.lock()
    await other.unlock('a new one over here')
    expect((await other.tokens.list())[0]?.label).toBe('The plumber')
    expect(await dumpDisk()).not.toContain('plumber')
  })

  it('without its own passphrase is opened by the recovery code', async () => {
    const vault = await ready()
    const { address, recoveryCode = '' } = await vault.create(openedByPasskey())
    const { text } = await vault.exportVault({ proof: passkeyProof() })
    for (const exportPassphrase of ['', FILE]) {
      const opened = vault.backups.verify({ text, exportPassphrase })
      await expect(opened).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    }
    const other = await elsewhere()
    const brought = await other.importVault({ text, recoveryCode, passphrase: PASSPHRASE })
    expect(brought).toMatchObject({ address, keys: 1 })
  })

  it('needs a passphrase if there is no recovery code', async () => {
    const vault = await ready()
    await vault.create({ passphrase: PASSPHRASE })
    const written = vault.exportVault({ proof: { passphrase: PASSPHRASE } })
    await expect(written).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    expect(await vault.backups.health()).toEqual({ changedSince: true })
  })

  it('merges without losing anything on either side', async () => {
    const { vault, address } = await alice()
    const both = await vault.tokens.grant({ ...GRANT, label: 'in both' })
    const only = await vault.tokens.grant({ ...GRANT, label: 'in the file' })
    const key = await vault.generateKey({ label: 'in the file' })
    const { text } = await exported(vault)
    await vault.tokens.remove(only.id)
    await vault.deleteKey(key.key_id)
    const ours = await vault.tokens.grant({ ...GRANT, label: 'here' })
    const stored = await vault.generateKey({ label: 'here' })

    const result = await vault.importVault({ deletedKeys: true, text, exportPassphrase: FILE })
    expect(result).toEqual({ address, tokens: 1, keys: 1, deletedKeys: [], created: false })
    expect((await vault.tokens.list()).map(({ cid, label }) => [cid, label]).sort()).toEqual(
      [
        [both.cid, 'in both'],
        [only.cid, 'in the file'],
        [ours.cid, 'here'],
      ].sort(),
    )
    const ids = vault.getSnapshot().keys.map(({ key_id }) => key_id)
    expect(ids).toEqual(expect.arrayContaining([key.key_id, stored.key_id]))
    expect(await vault.importVault({ text, exportPassphrase: FILE })).toMatchObject({ tokens: 0, keys: 0 })
  })

  it('brings back no session that has ended since', async () => {
    const { vault } = await alice()
    const connect = async (command: string) =>
      await vault.sessions.connect({ grant: { audience_did: BOB, command, expires_at: inAnHour() } })
    const ended = await connect('/msg/send')
    const open = await connect('/msg/read')
    const { text } = await exported(vault)
    await vault.sessions.end(ended.session?.id ?? '')
    await vault.importVault({ text, exportPassphrase: FILE })
    expect((await vault.sessions.list()).map(({ cid }) => cid)).toEqual([open.token.cid])
  })

  it('leaves out what is not a token, and says so', async () => {
    const { vault, address } = await alice()
    const good = await vault.tokens.grant(GRANT)
    const { label: _, audienceDid: __, ...record } = good
    await rawPut(address, 'tokens', { ...record, id: 'spoilt', cid: 'bafyspoilt', token: '!!' })
    const { text, skipped } = await exported(vault)
    expect(skipped).toEqual(['spoilt'])
    const other = await elsewhere()
    await other.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect((await other.tokens.list()).map(({ cid }) => cid)).toEqual([good.cid])
  })
})

describe('a refused import changes nothing', () => {
  async function refused(vault: KeyVault, text: string, change: object = {}) {
    const disk = await dumpDisk()
    const before = vault.getSnapshot()
    const request = { text, exportPassphrase: FILE, passphrase: PASSPHRASE, ...change }
    const error = await vault.importVault(request).catch((thrown: unknown) => thrown)
    expect(await dumpDisk()).toBe(disk)
    expect(vault.getSnapshot()).toEqual(before)
    return error
  }

  /** Makes the enclave find something else in the next file, as if another program or version had written it. */
  function altered(world: EnclaveWorld, change: (contents: { tokens: object[] }) => void): void {
    world.plan('open_backup_chunk', async (real) => {
      const answer = await real()
      change((answer as { contents: { tokens: object[] } }).contents)
      return answer
    })
  }

  it.each<[string, (world: EnclaveWorld) => void, object, object]>([
    [
      'wrong passphrase',
      () => {},
      { exportPassphrase: 'not that of the file' },
      { code: 'INVALID_PASSPHRASE' },
    ],
    [
      'a record that does not parse',
      (world) => altered(world, ({ tokens }) => tokens.push({ id: 5 })),
      {},
      { code: 'OPERATION_FAILED', details: { name: 'BackupUnreadable' } },
    ],
    [
      'a newer version',
      (world) =>
        world.plan('begin_import', async (real) => {
          const answer = await real()
          Object.assign((answer as { contents: object }).contents, { version: 3 })
          return answer
        }),
      {},
      { code: 'OPERATION_FAILED', details: { name: 'BackupNewer' } },
    ],
    [
      'a token with an invalid signature',
      (world) => altered(world, ({ tokens }) => tokens.push({ ...tokens[0], id: 'x', ...forged() })),
      {},
      { code: 'OPERATION_FAILED', details: { name: 'BackupTokenInvalid' } },
    ],
  ])('when merging: %s', async (_, alter, change, error) => {
    const { vault, world } = await alice()
    const { id } = await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    await vault.tokens.remove(id)
    alter(world)
    expect(await refused(vault, text, change)).toMatchObject(error)
    await vault.generateKey()
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, -4)],
    ['without a part', (text: string) => text.split('\n').toSpliced(1, 1).join('\n')],
    ['with more data after its end', (text: string) => `${text}{}`],
    ['with its last part repeated', (text: string) => text.replace(/\n(.+)\n\]\}/, '\n$1,\n$1\n]}')],
  ])('when merging a file %s', async (_how, spoil) => {
    const { vault } = await alice()
    const { id } = await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    await vault.tokens.remove(id)
    expect(await refused(vault, spoil(text))).toMatchObject({ code: 'OPERATION_FAILED' })
  })

  it('when merging into a full disk', async () => {
    const { vault } = await alice()
    const { id } = await vault.tokens.grant({ ...GRANT, label: 'x' })
    const { text } = await exported(vault)
    await vault.tokens.remove(id)
    const free = fillDisk('tokens')
    expect(await refused(vault, text)).toMatchObject({ details: { quota: true } })
    free()
    expect(await vault.importVault({ text, exportPassphrase: FILE })).toMatchObject({ tokens: 1 })
  })

  it('when merging while locked', async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    await vault.lock()
    expect(await refused(vault, text)).toMatchObject({ code: 'VAULT_LOCKED' })
  })

  it('as a new account: into a full disk, with a short passphrase, aborted', async () => {
    const { vault } = await alice()
    await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    const other = await elsewhere()
    expect(await refused(other, text, { passphrase: 'short' })).toMatchObject({ code: 'INVALID_PASSPHRASE' })
    expect(await refused(other, text, { passphrase: undefined })).toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
    const free = fillDisk('tokens')
    expect(await refused(other, text)).toMatchObject({ details: { quota: true } })
    free()
    const controller = new AbortController()
    const onProgress = () => controller.abort('enough')
    expect(await refused(other, text, { signal: controller.signal, onProgress })).toBe('enough')
    expect(await indexedDB.databases()).toEqual([])
    await other.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect(await other.tokens.list()).toHaveLength(1)
  })

  it('of an account that is here and not open', async () => {
    const { vault } = await alice()
    const { text } = await exported(vault)
    await vault.create(openedByPasskey())
    expect(await refused(vault, text)).toMatchObject({
      code: 'OPERATION_FAILED',
      details: { name: 'BackupOfAccountHere' },
    })
  })
})

it('an import restores an account whose stored state is unreadable, and keeps that record too', async () => {
  const { vault, address } = await alice()
  const stored = await vault.tokens.grant(GRANT)
  const { text } = await exported(vault)
  await vault.cleanup()
  await rawPut(address, 'state', { id: 'current', damaged: true })
  const next = await ready()
  expect(next.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [{ address }] })
  await next.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
  expect(await next.tokens.list()).toEqual([stored])
  await next.cleanup()
  expect(await rawAll(address, 'state')).toEqual([
    expect.objectContaining({ id: 'current' }),
    { id: expect.stringMatching(/^unreadable-/), damaged: true },
  ])
})

describe('a backup of many tokens', () => {
  const MANY = 4_100
  let many: Awaited<ReturnType<typeof manyTokens>>
  beforeAll(async () => {
    many = await manyTokens(MANY - 1)
  })

  /** An account with many tokens, and its backup in parts. */
  async function crowded() {
    const { vault, address } = await alice()
    const { token: _, ...first } = await vault.tokens.grant({ ...GRANT, label: 'The first' })
    const [stored] = await vault.client.getPersistedTokens()
    if (!stored) throw new Error('Nothing was stored.')
    await clientOf(vault).storage.writeBatch({ tokens: recordsOf(many, stored) })
    const seen: number[] = []
    const file = await vault.exportVault({
      ...{ proof: passkeyProof(), exportPassphrase: FILE },
      onProgress: (done) => seen.push(done),
    })
    return { vault, address, first, file, seen }
  }

  it('is written and read part by part, with progress, and is merged once', async () => {
    const { vault, file, seen } = await crowded()
    expect(file.text.split('\n').length).toBeGreaterThan(8)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(seen.at(-1)).toBe(MANY)
    const again = { text: file.file, exportPassphrase: FILE }
    expect(await vault.importVault(again)).toMatchObject({ tokens: 0, keys: 0 })
    const other = await elsewhere()
    const done: number[] = []
    const request = { ...again, passphrase: PASSPHRASE, onProgress: (count: number) => done.push(count) }
    expect(await other.importVault(request)).toMatchObject({ tokens: MANY, deletedKeys: [], created: true })
    expect(done.at(-1)).toBe(MANY)
    expect(await other.tokens.list()).toHaveLength(MANY)
    expect((await other.tokens.list()).map(({ label }) => label)).toContain('The first')
    expect(await other.backups.verify(again)).toMatchObject({ tokens: MANY, missing: { keys: 0, tokens: 0 } })
  })

  it('leaves nothing when stopped: no file, no tokens, no account', async () => {
    const { vault, address, file } = await crowded()
    const stop = (at: number) => {
      const controller = new AbortController()
      const onProgress = (done: number) => done >= at && controller.abort(new Error('stopped'))
      return { signal: controller.signal, onProgress, exportPassphrase: FILE }
    }
    await expect(vault.exportVault({ ...stop(1_000), proof: passkeyProof() })).rejects.toThrow('stopped')
    await clientOf(vault).storage.writeBatch({
      removed: { tokens: Array.from({ length: MANY }, (_, index) => `many-${index}`) },
    })
    for (const at of [1_000, MANY - 50]) {
      await expect(vault.importVault({ ...stop(at), text: file.file })).rejects.toThrow('stopped')
      expect(await vault.tokens.list()).toHaveLength(1)
    }
    // On several devices: whatever is deleted with a mark is deleted on all of them.
    const { storage } = clientOf(vault)
    const link = { id: DEVICE_LINK, accountAddress: address, key: DEVICE_LINK, updatedAt: 1, sealed: 'm1.x' }
    await storage.writeBatch({ metadata: [link], unmarked: true })
    const before = await storage.readMetadata()
    for (const at of [3_000, MANY - 50]) {
      await expect(vault.importVault({ ...stop(at), text: file.file })).rejects.toThrow('stopped')
      expect(await vault.tokens.list()).toHaveLength(1)
      expect(await storage.readMetadata()).toEqual(before)
    }
    const other = await elsewhere()
    for (const at of [1_000, MANY - 50]) {
      const request = { ...stop(at), text: file.file, passphrase: PASSPHRASE }
      await expect(other.importVault(request)).rejects.toThrow('stopped')
      expect(other.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [] })
      expect(await indexedDB.databases()).toEqual([])
    }
  })
})

describe('stopping while a key is derived', () => {
  const begun = async () => {
    const held = new EnclaveWorld()
    const vault = await vaults.start({}, held)
    const stop = new AbortController()
    /** Stops the work once an export has been reached, whose answer only arrives after the work has ended. */
    const stopAt = async (name: EnclaveExport, work: Promise<unknown>, reached: Promise<void>) => {
      const ended = work.catch((error: unknown) => error)
      await reached
      stop.abort(new Error(`stopped at ${name}`))
      expect(await ended).toEqual(new Error(`stopped at ${name}`))
    }
    return { held, vault, stop, stopAt }
  }
  const passphrase = PASSPHRASE
  const exportPassphrase = FILE

  it('ends writing at once, and the next backup is written', async () => {
    const { held, vault, stop, stopAt } = await begun()
    await vault.create(openedByPasskey())
    const { reached, release } = held.holdUp('begin_export')
    const { signal } = stop
    const request = { proof: passkeyProof(), exportPassphrase, signal }
    await stopAt('begin_export', vault.exportVault(request), reached)
    release()
    expect(await exported(vault)).toMatchObject({ skipped: [] })
  })

  it('ends merging at once, and the same file can be merged', async () => {
    const { held, vault, stop, stopAt } = await begun()
    await vault.create(openedByPasskey())
    await vault.tokens.grant(GRANT)
    const { text } = await exported(vault)
    await vault.tokens.remove((await vault.tokens.list())[0]?.id ?? '')
    const { reached, release } = held.holdUp('begin_import')
    const { signal } = stop
    await stopAt('begin_import', vault.importVault({ text, exportPassphrase, signal }), reached)
    expect(await vault.tokens.list()).toEqual([])
    const again = vault.importVault({ text, exportPassphrase })
    release()
    expect(await again).toMatchObject({ tokens: 1 })
  })

  it.each(['begin_import', 'finish_import'] as const)(
    'ends creating an account at once: %s',
    async (name) => {
      const { vault: first } = await alice()
      const { text } = await exported(first)
      await elsewhere()
      const { held, vault, stop, stopAt } = await begun()
      const { reached, release } = held.holdUp(name)
      const request = { text, exportPassphrase, passphrase }
      await stopAt(name, vault.importVault({ ...request, signal: stop.signal }), reached)
      expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [] })
      expect(await indexedDB.databases()).toEqual([])
      release()
      expect(await vault.importVault(request)).toMatchObject({ created: true })
    },
  )
})

describe('merging', () => {
  const record = (id: string, cid: string) => ({
    id,
    cid,
    token: cid,
    type: 'origin' as const,
    issuer: 'a',
    audience: 'b',
    createdAt: 1,
  })

  it('adds tokens by CID, under free ids', () => {
    const added = tokensToAdd([record('1', 'x'), record('2', 'y'), record('3', 'y')], {
      ids: new Set(['2']),
      keys: new Set(['x']),
    })
    expect(added).toEqual([{ ...record('2', 'y'), id: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
  })

  it('takes the newer metadata', () => {
    const theirs = [1, 5].map((updatedAt) => ({ key: `k${updatedAt}`, updatedAt, value: '' }))
    const ours = new Map([
      ['k1', 3],
      ['k5', 3],
    ])
    expect(metadataToAdd(theirs, ours)).toEqual([theirs[1]])
  })

  it('keeps unknown fields of a record', () => {
    const token = { ...record('1', 'x'), colour: 'red' }
    const contents = { version: 1, tokens: [token], sessions: [], metadata: [] }
    expect(parseContents(contents).tokens).toEqual([token])
  })
})
