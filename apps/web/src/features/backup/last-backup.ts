import { useMemo, useSyncExternalStore } from 'react'
import * as v from 'valibot'

const Mark = v.object({ at: v.number(), revision: v.number() })

/** When an account was last written to a backup file from this browser, and at which revision. Nothing secret. */
export type BackupMark = v.InferOutput<typeof Mark>

const listeners = new Set<() => void>()
const keyFor = (address: string) => `keyhole:backup:${address}`

function readText(address: string | undefined): string | null {
  if (address === undefined) return null
  try {
    return localStorage.getItem(keyFor(address))
  } catch {
    return null
  }
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** A stored mark; undefined when there is none, or when it cannot be read. */
export function parseMark(text: string | null): BackupMark | undefined {
  if (text === null) return undefined
  try {
    const read = v.safeParse(Mark, JSON.parse(text))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/** Remembers that a backup file was handed over. `now` in milliseconds. */
export function markBackup(address: string, revision: number, now: number): void {
  try {
    localStorage.setItem(keyFor(address), JSON.stringify({ at: now, revision }))
  } catch {
    // Without storage the reminder comes again, which is the safe side.
  }
  tell()
}

/** Forgets it, with the account. */
export function forgetBackupMark(address: string): void {
  try {
    localStorage.removeItem(keyFor(address))
  } catch {
    // Nothing was stored then.
  }
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** The last backup of an account made in this browser, kept up to date, also from other tabs. */
export function useBackupMark(address: string | undefined): BackupMark | undefined {
  const text = useSyncExternalStore(subscribe, () => readText(address))
  return useMemo(() => parseMark(text), [text])
}
