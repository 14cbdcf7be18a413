import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A line of the log. It has no arguments and no answer: those are the owner's. */
export interface Entry {
  /** ISO 8601. */
  readonly at: string
  readonly server: string
  readonly command: string
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string
  /** DIDs of the caller and the owner. */
  readonly issuer: string
  readonly subject: string
  /** CID of the invocation. */
  readonly call: string
  /** CID of the task, by which the receipt names the call. */
  readonly task: string
  /** CIDs of the grants that it rests on, root first. */
  readonly grants: readonly string[]
  /** `ok`, `error` if the server said so, or why it was refused. */
  readonly outcome: string
  /** The gate's signed receipt, as container text. */
  readonly receipt: string
}

/** Where the gate's receipts go. */
export interface ReceiptLog {
  /** Resolves when the line is written. */
  append(entry: Entry): Promise<void>
}

/** An append-only file with a line of JSON for each call. */
export function fileLog(path: string): ReceiptLog {
  let ready: Promise<unknown> | undefined
  let running: Promise<void> = Promise.resolve()
  return {
    append(entry) {
      ready ??= mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const written = running
        .catch(() => {})
        .then(async () => {
          await ready
          await appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
        })
      running = written
      written.catch(() => {})
      return written
    },
  }
}
