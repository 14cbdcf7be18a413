import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '../calls/arguments.ts'
import type { Item } from './upstream.ts'

/** Remembers how a server described each tool when the gate first saw it: a person grants a tool by what it said it does. */
export interface Pins {
  /** Names of the tools that are as they were, or are new: those are remembered. Of several of one name, each has to be as it was. */
  check(tools: readonly Item[]): Promise<ReadonlySet<string>>
}

/** Pins in a file. To accept what changed, delete the file. */
export function filePins(path: string): Pins {
  let known: Map<string, string> | undefined
  let running: Promise<unknown> = Promise.resolve()

  async function check(tools: readonly Item[]): Promise<ReadonlySet<string>> {
    known ??= await readPins(path)
    const changed = new Set<string>()
    let isNew = false
    for (const tool of tools) {
      const name = String(tool.name)
      const digest = digestOf(tool)
      if (!known.has(name)) {
        known.set(name, digest)
        isNew = true
      }
      if (known.get(name) !== digest) changed.add(name)
    }
    if (isNew) {
      // Another process may have seen tools meanwhile: what it remembers came first.
      known = new Map([...known, ...(await readPins(path))])
      await writePins(path, known)
    }
    return new Set(tools.map(({ name }) => String(name)).filter((name) => !changed.has(name)))
  }

  return {
    check(tools) {
      const result = running.then(() => check(tools))
      running = result.catch(() => {})
      return result
    },
  }
}

/** What a person and an agent know a tool by. */
function digestOf({ name, title, description, inputSchema, annotations }: Item): string {
  const text = JSON.stringify([name, title, description, inputSchema, annotations], (_key, value) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
  return createHash('sha256').update(text).digest('base64url')
}

async function readPins(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const read: unknown = JSON.parse(text)
  return new Map(isRecord(read) ? Object.entries(read).map(([name, digest]) => [name, String(digest)]) : [])
}

async function writePins(path: string, pins: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, JSON.stringify(Object.fromEntries(pins), null, 1), { mode: 0o600 })
  await rename(draft, path)
}
