import type { Authorized } from '@keyhole/verify'
import type { RefusedCall } from '../refusals/refused-calls.ts'
import { addUses, type GrantUses, type LastCall, sumOf, type Uses } from './use.ts'
import { changeUses, readUses } from './uses-file.ts'

/** Counts calls. Neither method waits for anything, or fails. */
export interface UseCounter {
  /** A call whose token was valid. @param wasSent whether it was carried out, or may have been */
  called(grant: Authorized, token: string, call: LastCall, wasSent: boolean): void
  /** A call whose token was refused, under a grant of an owner's. */
  refused(call: RefusedCall): void
}

/** Counts nothing: there is no relay to send it by. */
export const NO_COUNTER: UseCounter = { called() {}, refused() {} }

export interface CounterOptions {
  readonly path: string
  readonly clock: () => number
  readonly onError: (error: unknown) => void
  /** Called when there is more to report. */
  readonly onChange: () => void
  /** Milliseconds between two writes of the file. */
  readonly pause?: number
}

/** Counts in a file. */
export interface FileCounter extends UseCounter {
  read(): Promise<Uses>
  /** Writes what is outstanding, and takes no more. */
  close(): Promise<void>
}

const PAUSE = 1_000
/** Refused calls that are remembered, so that a repetition counts once. */
const MOST_SEEN = 1_000
/** Longest call that is shown to an owner, in characters. */
const LONGEST_SHOWN = 49_152

export function countUses(options: CounterOptions): FileCounter {
  const { path, clock, onError, onChange, pause = PAUSE } = options
  let pending = new Map<string, { left: number; grants: Map<string, GrantUses> }>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false
  const seen = new Set<string>()

  function add(owner: string, cid: string, uses: GrantUses): void {
    if (uses.shown.length > LONGEST_SHOWN) return
    const known = pending.get(owner) ?? { left: 0, grants: new Map() }
    known.grants.set(cid, sumOf(known.grants.get(cid), uses))
    pending.set(owner, known)
    if (!isClosed) timer ??= setTimeout(writeSoon, pause).unref()
  }

  function writeSoon(): void {
    timer = undefined
    writing = writing.then(write)
  }

  async function write(): Promise<void> {
    if (pending.size === 0) return
    const added = pending
    pending = new Map()
    try {
      await changeUses(path, clock, (uses) => addUses(uses, added, clock()))
      onChange()
    } catch (error) {
      onError(error)
      // They are written with the next ones.
      for (const [owner, { grants }] of added) for (const [cid, uses] of grants) add(owner, cid, uses)
    }
  }

  return {
    called({ subject, chain }, token, call, wasSent) {
      const [root] = chain
      // Without a grant, the owner calls their own.
      if (!root) return
      const uses = wasSent ? { used: 1, refused: 0, last: call } : { used: 0, refused: 1, lastRefused: call }
      add(subject, root.cid, { ...uses, shown: token })
    },
    refused({ owner, grants: [grant], call, command, token, server, outcome }) {
      // Someone who saw a call can send it again.
      if (grant === undefined || outcome === 'Replayed' || isClosed || seen.has(call)) return
      const [oldest] = seen
      if (seen.size >= MOST_SEEN && oldest !== undefined) seen.delete(oldest)
      seen.add(call)
      const lastRefused = { at: clock(), server, command, name: '', outcome }
      add(owner, grant, { used: 0, refused: 1, lastRefused, shown: token })
    },
    read: () => readUses(path, clock()),
    async close() {
      isClosed = true
      clearTimeout(timer)
      writeSoon()
      await writing
    },
  }
}
