// The counts in a file, which several processes on one machine share.
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Uses } from './use.ts'

const Count = z.number().int().min(0)
const Call = z.object({
  at: z.number(),
  server: z.string(),
  command: z.string(),
  name: z.string(),
  outcome: z.string(),
})
const File = z.object({
  since: z.number(),
  at: z.number(),
  owners: z.record(
    z.string(),
    z.object({
      left: Count,
      grants: z.record(
        z.string(),
        z.object({
          used: Count,
          refused: Count,
          last: Call.optional(),
          lastRefused: Call.optional(),
          shown: z.string(),
        }),
      ),
    }),
  ),
})

/** A lock that is older was left by a process that ended, in milliseconds. */
const STALE = 10_000
const PAUSE = 20

/** Reads the counts; none if there are none, or the file is damaged. */
export async function readUses(path: string, now: number): Promise<Uses> {
  const none = { since: now, at: 0, owners: new Map() }
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return none
  try {
    const { since, at, owners } = File.parse(JSON.parse(text))
    const entries = Object.entries(owners).map(
      ([did, { left, grants }]) => [did, { left, grants: new Map(Object.entries(grants)) }] as const,
    )
    return { since, at, owners: new Map(entries) }
  } catch {
    return none
  }
}

/** Changes the counts. One process at a time does. */
export async function changeUses(
  path: string,
  now: () => number,
  change: (uses: Uses) => Uses,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const lock = `${path}.lock`
  await take(lock)
  try {
    const { since, at, owners } = change(await readUses(path, now()))
    const entries = [...owners].map(([did, { left, grants }]) => [
      did,
      { left, grants: Object.fromEntries(grants) },
    ])
    const text = JSON.stringify({ since, at, owners: Object.fromEntries(entries) })
    await writeFile(`${path}.new`, text, { mode: 0o600 })
    await rename(`${path}.new`, path)
  } finally {
    await rm(lock, { force: true })
  }
}

async function take(lock: string): Promise<void> {
  for (;;) {
    try {
      return await (await open(lock, 'wx', 0o600)).close()
    } catch (error) {
      if (Object(error).code !== 'EEXIST') throw error
    }
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > STALE) await rm(lock, { force: true })
    else await wait(PAUSE)
  }
}
