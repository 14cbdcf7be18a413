import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { EmbeddedDatabase } from '../stores/embedded-database.ts'
import { killableProcesses } from '../test/killable-process.ts'
import { remembersRevocations } from '../test/revocation-store.contract.ts'
import { embeddedRevocations } from './embedded-revocations.ts'
import { memoryRevocations } from './memory-revocations.ts'
import type { Link } from './revocation-source.ts'

remembersRevocations('memory', async () => ({
  open: async (_name, most) => ({ ...memoryRevocations(most ? { most } : {}), close: async () => {} }),
  isShared: false,
  killable: undefined,
  kills: 0,
  cutOff: undefined,
  end: async () => {},
}))

remembersRevocations('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-revocations-'))
  return {
    open: async (name, most) => embeddedRevocations(join(folder, name), most ? { most } : {}),
    isShared: true,
    async killable() {
      const data = join(folder, 'killed')
      const store = await killableProcesses(folder, data)
      return { store, reopen: async () => embeddedRevocations(join(data, 'revocations')) }
    },
    kills: 6,
    cutOff: undefined,
    end: () => rm(folder, { recursive: true }),
  }
})

it('in a folder are looked for once in a known chain, however many links of it strangers revoked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-revocations-'))
  const [store, other] = [embeddedRevocations(folder), embeddedRevocations(folder)]
  const keys = vi.spyOn(EmbeddedDatabase.prototype, 'keys')
  const find = (chain: readonly Link[]) => {
    keys.mockClear()
    return { found: store.find('did:key:owner', chain), questions: keys.mock.calls.length }
  }
  const add = (by: string, revokes: string, to = store) =>
    to.add({ ...{ cid: `${by} ${revokes}`, revokes, by: [by] }, revocation: `C${by}`, quota: undefined })
  const chain = Array.from({ length: 64 }, (_, at) => ({ cid: `bafy-${at}`, issuer: `did:key:${at}` }))
  for (const { cid } of chain) await add('did:key:stranger', cid)
  expect(find(chain)).toEqual({ found: [], questions: 64 + (64 * 65) / 2 })
  expect(find(chain)).toEqual({ found: [], questions: 0 })
  // Another call's own delegation at its end.
  const longer = [...chain, { cid: 'bafy-last', issuer: 'did:key:last' }]
  expect(find(longer)).toEqual({ found: [], questions: 1 })
  expect(find(longer)).toEqual({ found: [], questions: 0 })
  // The same links under others: what one of them can't have revoked, another can.
  await add('did:key:other', 'bafy-3')
  find(chain)
  const [root, ...rest] = chain
  const under = [{ cid: 'bafy-0', issuer: 'did:key:other' }, ...rest]
  expect(root && find(under).found).toEqual(['Cdid:key:other'])
  expect(find(chain).found).toEqual([])
  // What another process adds counts at once.
  await add('did:key:2', 'bafy-60', other)
  expect(find(chain).found).toEqual(['Cdid:key:2'])
  expect(find(chain)).toEqual({ found: ['Cdid:key:2'], questions: 2 })
  // More than is remembered.
  for (let at = 0; at < 40; at += 1)
    expect(find(chain.map(({ cid, issuer }) => ({ cid, issuer: `${issuer}-${at}` }))).found).toEqual([])
  expect(find(chain).found).toEqual(['Cdid:key:2'])
  keys.mockRestore()
  await Promise.all([store.close(), other.close()])
  await rm(folder, { recursive: true })
})

it("in a folder that can't be created fail at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-revocations-'))
  await writeFile(join(folder, 'file'), '')
  expect(() => embeddedRevocations(join(folder, 'file', 'data'))).toThrow(
    expect.objectContaining({ code: 'STORE_FAILED' }),
  )
  await rm(folder, { recursive: true })
})

// Windows has no such limits.
it.skipIf(process.platform === 'win32')(
  'on a full disk are refused, and those that were added are still there',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyhole-revocations-'))
    const data = join(folder, 'data')
    const store = await killableProcesses(folder, data, 1_024)
    const added: number[] = []
    let failures = 0
    const revocation = (at: number) => ({
      ...{ cid: `bafy-of-${at}`, revokes: `bafy-${at}`, by: ['did:key:owner'], quota: undefined },
      revocation: `C${at}${'x'.repeat(2_000)}`,
    })
    for (let at = 0; failures < 20 && at < 5_000; at += 1) {
      const isAdded = await store.add(revocation(at)).catch(() => undefined)
      if (isAdded) added.push(at)
      else failures += 1
    }
    expect(failures).toBe(20)
    expect(added.length).toBeGreaterThan(0)
    await store.close()
    const roomy = embeddedRevocations(join(data, 'revocations'))
    const chain = (at: number) => [{ cid: `bafy-${at}`, issuer: 'did:key:owner' }]
    for (const at of added) expect(roomy.find('did:key:owner', chain(at))).toHaveLength(1)
    expect(await roomy.add(revocation(10_000))).toBe(true)
    await roomy.close()
    await rm(folder, { recursive: true })
  },
  120_000,
)
