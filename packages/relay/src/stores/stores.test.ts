import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BOUNDS } from '../bounds.ts'
import { embeddedStore } from './embedded-store.ts'
import { memoryStore } from './memory-store.ts'
import { keepsAsStore } from './store.contract.ts'
import { StoreError } from './store.ts'

keepsAsStore('memory', async () => ({
  open: async (bounds) => memoryStore({ ...BOUNDS, ...bounds }),
  isShared: false,
  isExact: true,
  isTimed: false,
  end: async () => {},
}))

keepsAsStore('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-relay-'))
  return {
    open: async (bounds) => embeddedStore(join(folder, 'data'), { ...BOUNDS, ...bounds }),
    isShared: true,
    isExact: true,
    isTimed: false,
    end: () => rm(folder, { recursive: true }),
  }
})

it("rejects a folder that can't be created", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-relay-'))
  await writeFile(join(folder, 'file'), '')
  expect(() => embeddedStore(join(folder, 'file', 'data'))).toThrow(StoreError)
  await rm(folder, { recursive: true })
})
