import { readdirSync, readFileSync } from 'node:fs'

/** Memory of a browser's processes in bytes. Pages that several processes share count once. */
export interface BrowserMemory {
  /** The processes that run pages and workers. */
  readonly renderers: number
  /** All processes, including the one that stores files and databases. */
  readonly all: number
}

/** How often memory is read, in milliseconds. */
const EVERY = 250

/** Reads how much memory a browser uses, on Linux. @param group the browser's process group @returns undefined where there is no /proc */
export function readMemory(group: number): BrowserMemory | undefined {
  let [renderers, all, found] = [0, 0, false]
  for (const pid of pids()) {
    try {
      const about = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The fields after the name, which may contain anything: state, parent, group.
      if (Number(about.slice(about.lastIndexOf(')') + 2).split(' ')[2]) !== group) continue
      const own =
        1024 * Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
      all += own
      found = true
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) renderers += own
    } catch {
      // The process has ended in the meantime.
    }
  }
  return found ? { renderers, all } : undefined
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** The most memory that a browser used while some work ran. */
export async function withPeak<T>(
  group: number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: BrowserMemory | undefined }> {
  let peak = readMemory(group)
  const look = () => {
    const now = readMemory(group)
    if (!now || !peak) return
    peak = { renderers: Math.max(peak.renderers, now.renderers), all: Math.max(peak.all, now.all) }
  }
  const timer = setInterval(look, EVERY)
  try {
    const result = await work()
    look()
    return { result, peak }
  } finally {
    clearInterval(timer)
  }
}
