import { afterEach, describe, expect, it } from 'vitest'
import { fillDisk, freshBrowser, settled } from '../../test/browser.ts'
import { FakeDisk } from '../../test/opfs.ts'
import { readStoredState } from '../account/account-databases.ts'
import { AccountStorage } from '../account/account-storage.ts'
import type { MetadataRecord, SessionRecord, TokenRecord } from '../schema.ts'
import { DEVICE_LINK, DEVICE_PREFIX, MARK_PREFIX, markId } from './device-marks.ts'

freshBrowser()
const ADDRESS = 'kh1a'
const sealed = (revision: number) => JSON.stringify({ format: 'seal-v1', revision })

function token(id: string, fields: Partial<TokenRecord> = {}): TokenRecord {
  const issuer = 'did:key:zA'
  return { id, token: `C${id}`, type: 'origin', issuer, audience: 'kh1b', createdAt: 1, ...fields }
}
function note(key: string, text = 'sealed'): MetadataRecord {
  return { id: key, accountAddress: ADDRESS, key, updatedAt: 1, sealed: text }
}
const session: SessionRecord = { id: 's', accountAddress: ADDRESS, expiresAt: 5, createdAt: 1 }

const open: AccountStorage[] = []
afterEach(() => {
  for (const storage of open.splice(0)) storage.close()
})

async function tab(): Promise<AccountStorage> {
  const storage = await AccountStorage.open(ADDRESS)
  open.push(storage)
  await storage.startMirror()
  await storage.mirrored()
  return storage
}

/** An account on several devices. */
async function linked(): Promise<AccountStorage> {
  const storage = await tab()
  await storage.writeState(sealed(1), 100, { metadata: [note(DEVICE_LINK, '-')] })
  return storage
}

const marks = async (storage: AccountStorage) =>
  (await storage.readMetadataUnder(MARK_PREFIX)).map(({ key }) => key.slice(MARK_PREFIX.length)).sort()

describe('a change of an account on several devices', () => {
  it('is marked with it, whatever wrote it', async () => {
    const storage = await linked()
    await storage.addToken(token('a'), note('receipt:1'))
    await storage.putSession(session)
    await storage.putMetadata(note('settings'))
    // Two keys for one owner would make reports unreadable for each other.
    await storage.putMetadata(note('report-key:did'))
    await storage.writeState(sealed(2), 200, { tokens: [token('b')], metadata: [note('contact:1')] })
    await storage.writeBatch({ tokens: [token('c')] })
    await storage.removeToken('x')
    expect(await marks(storage)).toEqual(
      [
        'metadata:contact:1',
        'metadata:receipt:1',
        'metadata:report-key:did',
        'metadata:settings',
        'sessions:s',
      ]
        .concat(['tokens:a', 'tokens:b', 'tokens:c', 'tokens:x'])
        .sort(),
    )
  })

  it('is not marked if each device has its own, or decides for itself', async () => {
    const storage = await linked()
    await storage.writeBatch({
      metadata: ['activity:1', 'report:x', `${DEVICE_PREFIX}record:y`].map((key) => note(key)),
    })
    const expired = token('old', { expiresAt: 10, type: 'received' })
    await storage.exchange({}, () => ({ tokens: [expired] }))
    await storage.writeBatch(storage.expiryBatch({ tokens: [expired], sessions: [], forgotten: [] }))
    expect(await storage.readEndedTokens()).toEqual([expired])
    expect(await storage.restoreUnexpired(5)).toBe(1)
    expect(await storage.readToken('old')).toEqual(expired)
    expect(await marks(storage)).toEqual([])
  })

  it('is not marked if the account has one device', async () => {
    const storage = await tab()
    await storage.writeState(sealed(1), 100, { tokens: [token('a')], metadata: [note('contact:1')] })
    await storage.removeToken('a')
    expect(await storage.readMetadataUnder(DEVICE_PREFIX)).toEqual([])
  })

  it('is not marked if it was not saved, nor saved if the mark was not', async () => {
    const storage = await linked()
    const free = fillDisk('metadata')
    await expect(storage.addToken(token('a'))).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(await storage.readTokens()).toEqual([])
    expect(await marks(storage)).toEqual([])
    await storage.addToken(token('a'))
    expect(await marks(storage)).toEqual(['tokens:a'])
  })

  it('has a new mark each time, so that a change during sending is sent too', async () => {
    const storage = await linked()
    await storage.putMetadata(note('contact:1', 'one'))
    const [sent] = await storage.readMetadataUnder(MARK_PREFIX)
    await storage.putMetadata(note('contact:1', 'two'))
    const [later] = await storage.readMetadataUnder(MARK_PREFIX)
    expect(later?.key).toBe(sent?.key)
    expect(later?.sealed).not.toBe(sent?.sealed)
  })
})

describe('what comes from other devices', () => {
  it('is written only where nothing was changed here, in one transaction', async () => {
    const storage = await linked()
    await storage.addToken(token('mine'))
    const take = (id: string) =>
      storage.exchange(
        { tokens: [id], metadata: [markId('tokens', id)] },
        ({ tokens: [here], metadata: [mark] }) =>
          mark || here ? {} : { tokens: [token(id, { createdAt: 9 })] },
      )
    await Promise.all([take('mine'), take('theirs')])
    const found = new Map((await storage.readTokens()).map(({ id, createdAt }) => [id, createdAt]))
    expect(found).toEqual(
      new Map([
        ['mine', 1],
        ['theirs', 9],
      ]),
    )
    expect(await marks(storage)).toEqual(['tokens:mine'])
  })
})

describe('the second copy', () => {
  it('has every mark, at every step where a tab may be killed, if it has the change', async () => {
    const disk = new FakeDisk()
    disk.install()
    const first = await linked()
    await first.mirrored()
    disk.steps = []
    await first.addToken(token('count'))
    const steps = disk.steps.length
    expect(steps).toBeGreaterThan(2)
    for (let at = 0; at < steps; at += 1) {
      disk.reboot()
      const storage = await tab()
      disk.killAt(at, () => storage.close())
      const id = `t${at}`
      await storage.addToken(token(id)).catch(() => undefined)
      disk.reboot()
      // In every other round the database is lost as well, and only the second copy is left.
      for (const each of open.splice(0)) each.close()
      if (at % 2 === 1) {
        await settled(indexedDB.deleteDatabase(`vault_${ADDRESS}`))
        const storage = await AccountStorage.open(ADDRESS)
        open.push(storage)
        await storage.writeState(sealed(1), 100)
        await storage.startMirror()
        await storage.mirrored()
        storage.close()
      }
      const after = await tab()
      const hasToken = (await after.readToken(id)) !== undefined
      expect([at, (await marks(after)).includes(`tokens:${id}`)]).toEqual([at, hasToken])
      expect(await readStoredState(ADDRESS)).toMatchObject({ enclave: sealed(1) })
    }
  })
})
