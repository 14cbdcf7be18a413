// Kills processes that write to a store. KEYHOLE_KILLS=200 runs more.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOUNDS } from '../bounds.ts'
import { embeddedStore } from './embedded-store.ts'
import { revocation } from './store.contract.ts'

const KILLS = Number(process.env.KEYHOLE_KILLS ?? 8)
/** Processes that write at the same time. */
const WRITERS = 2

let folder: string
let child: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyhole-relay-'))
  child = join(folder, 'child.mjs')
  const lmdb = createRequire(import.meta.url).resolve('lmdb')
  const build = await rolldown({
    input: fileURLToPath(new URL('../test/adding-child.ts', import.meta.url)),
    platform: 'node',
    external: [lmdb],
    resolve: { alias: { lmdb } },
  })
  await build.write({ file: child, format: 'esm' })
})
afterAll(() => rm(folder, { recursive: true }))

/**
 * Lets a process write until its disk is full: no file may grow past this, in KiB.
 * @returns CIDs of what it acknowledged
 */
function addUntilFull(data: string, limit: number): Promise<string[]> {
  return new Promise((resolve) => {
    const writer = spawn('bash', [
      '-c',
      `ulimit -f ${limit}; exec "$@"`,
      '-',
      process.execPath,
      child,
      data,
      'full',
    ])
    let output = ''
    writer.stdout.on('data', (text) => {
      output += text
    })
    writer.on('exit', () => resolve(output.split('\n').slice(0, -1)))
  })
}

/** Kills a process after that many acknowledged revocations. @returns their CIDs */
function addUntil(name: string, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const writer: ChildProcess = spawn(process.execPath, [child, join(folder, 'data'), name])
    let output = ''
    let errors = ''
    writer.stdout?.on('data', (text) => {
      output += text
      if (output.split('\n').length > count) writer.kill('SIGKILL')
    })
    writer.stderr?.on('data', (text) => {
      errors += text
    })
    writer.on('exit', (_code, signal) => {
      // The last line may be incomplete.
      if (signal === 'SIGKILL') resolve(output.split('\n').slice(0, -1))
      else reject(new Error(errors))
    })
  })
}

it('has every acknowledged revocation and record once, and its counts are right', async () => {
  const acknowledged: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const each = Array.from({ length: WRITERS }, (_, writer) =>
      addUntil(`${kill}-${writer}`, 1 + ((kill * 7 + writer * 13) % 40)),
    )
    acknowledged.push(...(await Promise.all(each)).flat())
  }
  const store = embeddedStore(join(folder, 'data'), { ...BOUNDS, ownRevocations: 1e6 })
  const stored = await store.revocationsSince('did:key:owner', 0, 1e6)
  const cids = new Set(stored.map(({ cid }) => cid))
  expect(acknowledged.filter((cid) => !cids.has(cid))).toEqual([])
  expect(cids.size).toBe(stored.length)
  expect(new Set(stored.map(({ seq }) => seq)).size).toBe(stored.length)
  expect(acknowledged.length).toBeGreaterThan(KILLS)

  const records: string[] = []
  for (;;) {
    const page = await store.recordsFrom('did:key:account', records.length + 1, 1e6)
    if (page.length === 0) break
    expect(page.map(({ place }) => place)).toEqual(page.map((_, at) => records.length + 1 + at))
    records.push(...page.map(({ record }) => new TextDecoder().decode(record)))
  }
  const texts = new Set(records)
  expect(texts.size).toBe(records.length)
  expect(acknowledged.filter((cid) => !texts.has(cid))).toEqual([])

  // By its own count there is space for exactly one more.
  const bounded = embeddedStore(join(folder, 'data'), { ...BOUNDS, ownRevocations: stored.length + 1 })
  const one = () => revocation({ subject: 'did:key:owner', until: null })
  expect(await bounded.addRevocation(one())).toBe('added')
  expect(await bounded.addRevocation(one())).toBe('full')
  await store.close()
  await bounded.close()
}, 600_000)

it('has everything acknowledged before the disk was full, and continues once there is space', async () => {
  const data = join(folder, 'full')
  const acknowledged = await addUntilFull(data, 1_024)
  expect(acknowledged.length).toBeGreaterThan(20)
  const store = embeddedStore(data, { ...BOUNDS, ownRevocations: 1e6 })
  const records = await store.recordsFrom('did:key:account', 1, 1e6)
  const texts = new Set(records.map(({ record }) => new TextDecoder().decode(record)))
  expect(acknowledged.filter((cid) => !texts.has(cid))).toEqual([])
  const stored = await store.revocationsSince('did:key:owner', 0, 1e6)
  const cids = new Set(stored.map(({ cid }) => cid))
  expect(acknowledged.filter((cid) => !cids.has(cid))).toEqual([])
  const one = { account: 'did:key:account', record: new Uint8Array([1]) }
  expect(await store.appendRecord(one)).toEqual({ result: 'appended', place: records.length + 1 })
  await store.close()
})
