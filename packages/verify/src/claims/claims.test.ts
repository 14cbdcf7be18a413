import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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

it('in memory forget what can no longer be used, and fail rather than forget more', async () => {
  const store = memoryClaims({ most: 100 })
  for (let at = 0; at < 100; at += 1) expect(await store.claim(`a${at}`, 1_000 + at, 1_000)).toBe(true)
  await expect(store.claim('b', 1_000, 1_000)).rejects.toMatchObject({ code: 'STORE_FAILED' })
  expect(await store.claim('b', 1_100, 1_001)).toBe(true)
  await expect(store.claim('c', 1_100, 1_001)).rejects.toMatchObject({ code: 'STORE_FAILED' })
})

it("in a folder that can't be created fail at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-claims-'))
  await writeFile(join(folder, 'file'), '')
  expect(() => embeddedClaims(join(folder, 'file', 'data'))).toThrow(
    expect.objectContaining({ code: 'STORE_FAILED' }),
  )
  await rm(folder, { recursive: true })
})
