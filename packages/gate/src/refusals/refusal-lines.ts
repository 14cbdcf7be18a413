// Lines in the log for calls whose invocation was refused. Who holds a grant can send any number of them, also after it was revoked. So of one grant
// there is one line at once for each server and reason, and then one with a count for each hour.
import type { Entry } from '../receipts/read-log.ts'
import type { ReceiptLog } from '../receipts/receipt-log.ts'
import type { Redactor } from '../secrets/redactor.ts'
import type { RefusedCall } from './refused-calls.ts'

/** Writes lines for refused calls. */
export interface RefusalLines {
  /** Waits for nothing, and never fails. */
  add(call: RefusedCall): void
  /** Writes the counts that are outstanding, and takes no more. */
  close(): Promise<void>
}

export interface RefusalLinesOptions {
  readonly log: Pick<ReceiptLog, 'append'>
  readonly redactor: Pick<Redactor, 'text'>
  readonly onError: (error: unknown) => void
  /** Milliseconds since 1970, for what is written. */
  readonly clock: () => number
  /** In milliseconds, for how long to count: a clock that is set back must not keep a count for ever. */
  readonly monotonic?: () => number
}

/** How long calls are counted before the next line, in milliseconds. */
const STRETCH = 3_600_000
/** Most lines that are counted for at a time. What more grants and reasons there are is not written down. */
export const MOST_LINES = 4_096
/** Longest name of what was called, and longest command, in characters. */
const LONGEST_NAME = 500

/** Calls of one grant, server and reason since the last line about them. */
interface Count {
  /** When the next line is due. */
  readonly until: number
  calls: number
  /** When the first and the latest of them came. */
  since: number
  at: number
  latest: RefusedCall
}

export function refusalLines(options: RefusalLinesOptions): RefusalLines {
  const { log, redactor, onError, clock, monotonic = () => performance.now() } = options
  /** In the order in which their lines are due. */
  const counts = new Map<string, Count>()
  const writing = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let hasLeftOut = false
  let isClosed = false

  function write(call: RefusedCall, at: number, counted: Pick<Entry, 'count' | 'since'> = {}): void {
    const { server, issuer, owner, grants, outcome } = call
    const command = call.command.slice(0, LONGEST_NAME)
    const entry: Entry = {
      at: new Date(at).toISOString(),
      ...{ server, command, name: redactor.text(nameOf(call)).slice(0, LONGEST_NAME), issuer },
      ...{ subject: owner, call: call.call, grants, outcome, ...counted },
    }
    const appended = log
      .append(entry)
      .catch(onError)
      .finally(() => writing.delete(appended))
    writing.add(appended)
  }

  function writeCount({ calls, since, at, latest }: Count): void {
    write(latest, at, { count: calls, since: new Date(since).toISOString() })
  }

  function begin(key: string, latest: RefusedCall): void {
    counts.set(key, { until: monotonic() + STRETCH, calls: 0, since: 0, at: 0, latest })
  }

  function writeDue(): void {
    const now = monotonic()
    for (const [key, count] of counts) {
      if (count.until > now) break
      counts.delete(key)
      if (count.calls === 0) continue
      writeCount(count)
      begin(key, count.latest)
    }
    if (counts.size < MOST_LINES) hasLeftOut = false
    clearTimeout(timer)
    const [next] = counts.values()
    timer = next && setTimeout(writeDue, next.until - now).unref()
  }

  return {
    add(call) {
      if (isClosed) return
      const key = JSON.stringify([call.grants[0] ?? call.owner, call.server, call.outcome])
      const [first] = counts.values()
      if (first && first.until <= monotonic()) writeDue()
      const known = counts.get(key)
      const at = clock()
      if (known) {
        if (known.calls === 0) known.since = at
        known.calls += 1
        known.at = at
        known.latest = call
      } else if (counts.size < MOST_LINES) {
        write(call, at)
        begin(key, call)
        timer ??= setTimeout(writeDue, STRETCH).unref()
      } else if (!hasLeftOut) {
        hasLeftOut = true
        onError(
          new Error(
            `Calls under more than ${MOST_LINES} grants were refused within an hour. Some are not in the log.`,
          ),
        )
      }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (const count of counts.values()) if (count.calls > 0) writeCount(count)
      counts.clear()
      await Promise.all(writing)
    },
  }
}

/** What was called, as its caller says: the tool or prompt, the resource, or the method and path. */
function nameOf({ command, args: { name, uri, path } }: RefusedCall): string {
  const called = [name, uri, path].find((each) => typeof each === 'string') ?? ''
  const [, method] = /^\/http\/([a-z]+)$/.exec(command) ?? []
  return method ? `${method.toUpperCase()} ${called}` : String(called)
}
