// The counts in a file, which several processes on one machine share.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { withFileLock } from '../locks/file-lock.ts'
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

/** Changes the counts. One process at a time does. @throws GateError SERVER_FAILED if another one takes too long */
export async function changeUses(
  path: string,
  now: () => number,
  change: (uses: Uses) => Uses,
): Promise<void> {
  await withFileLock(path, 'changing', async () => {
    const { since, at, owners } = change(await readUses(path, now()))
    const entries = [...owners].map(([did, { left, grants }]) => [
      did,
      { left, grants: Object.fromEntries(grants) },
    ])
    const text = JSON.stringify({ since, at, owners: Object.fromEntries(entries) })
    await writeFile(`${path}.new`, text, { mode: 0o600 })
    await rename(`${path}.new`, path)
  })
}
