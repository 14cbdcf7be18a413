import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countsBudgets } from '../budgets/budget-store.contract.ts'
import { embeddedRevocations } from '../revocations/embedded-revocations.ts'
import { killableProcesses } from '../test/killable-process.ts'
import { claimsOnce } from './claim-store.contract.ts'
import { embeddedClaims } from './embedded-claims.ts'
import { memoryClaims } from './memory-claims.ts'

claimsOnce('memory', async () => ({
  open: async () => memoryClaims(),
  isShared: false,
  killable: undefined,
  kills: 0,
  end: async () => {},
}))

claimsOnce('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-claims-'))
  return {
    open: async () => embeddedClaims(join(folder, 'data')),
    isShared: true,
    killable: () => killableProcesses(folder, join(folder, 'killed')),
    kills: 12,
    end: () => rm(folder, { recursive: true }),
  }
})

countsBudgets('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-budgets-'))
  return {
    open: async () => embeddedClaims(join(folder, 'data')),
    killable: () => killableProcesses(folder, join(folder, 'killed')),
    kills: 12,
    end: () => rm(folder, { recursive: true }),
  }
})

it('in memory forget what can no longer be used, and fail rather than forget more', async () => {
  const store = memoryClaims({ most: 100 })
  for (let at = 0; at < 100; at += 1) expect(await store.claim(`a${at}`, 1_000 + at, 1_000)).toBe(true)
  await expect(store.claim('b', 1_000, 1_000)).rejects.toMatchObject({ code: 'STORE_FAILED' })
  expect(await store.claim('b', 1_100, 1_001)).toBe(true)
  await expect(store.claim('c', 1_100, 1_001)).rejects.toMatchObject({ code: 'STORE_FAILED' })
})

it('without a folder are not opened, and neither are revocations', () => {
  for (const open of [embeddedClaims, embeddedRevocations])
    expect(() => Reflect.apply(open, undefined, [])).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
})

it("in a folder that can't be created fail at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-claims-'))
  await writeFile(join(folder, 'file'), '')
  expect(() => embeddedClaims(join(folder, 'file', 'data'))).toThrow(
    expect.objectContaining({ code: 'STORE_FAILED' }),
  )
  await rm(folder, { recursive: true })
})

// Windows has no such limits.
it.skipIf(process.platform === 'win32')(
  'in a folder without space fail, and are never made twice',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyhole-claims-'))
    const store = await killableProcesses(folder, join(folder, 'data'), 1_024)
    const [now, until] = [1_000, 2_000]
    const accepted: string[] = []
    let failures = 0
    for (let at = 0; failures < 20 && at < 20_000; at += 1) {
      const cids = Array.from({ length: 50 }, (_, each) => `${at}-${each}`)
      await Promise.all(
        cids.map(async (cid) => {
          const isFirst = await store.claim(cid, until, now).catch(() => undefined)
          if (isFirst) accepted.push(cid)
          if (isFirst === undefined) failures += 1
        }),
      )
    }
    expect(failures).toBeGreaterThan(0)
    expect(accepted.length).toBeGreaterThan(0)
    const again = accepted.map((cid) => store.claim(cid, until, now).catch(() => undefined))
    // Each is answered, so the processes are still there.
    expect(new Set(await Promise.all(again))).toEqual(new Set([false]))
    await store.close()
    // With space again, what was accepted is still known.
    const roomy = embeddedClaims(join(folder, 'data'))
    for (const cid of accepted) expect(await roomy.claim(cid, until, now)).toBe(false)
    expect(await roomy.claim('another', until, now)).toBe(true)
    await roomy.close()
    await rm(folder, { recursive: true })
  },
  120_000,
)
