import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent } from 'react'
import { announce } from '../browser/announce.ts'
import { readBackup } from './read-backup.ts'

/** A backup file that was dropped and not yet taken by a form. */
let waiting: File | undefined
const listeners = new Set<() => void>()

/**
 * Hands a dropped backup file to the form that restores it: the first one, where several files were dropped. Anything else is said
 * not to be one.
 *
 * @param openForm shows the form, unless the page has it already
 */
export async function openDropped(files: readonly File[], openForm: () => void): Promise<void> {
  let problem: string | undefined
  for (const file of files) {
    const read = await readBackup(file)
    if ('problem' in read) {
      problem ??= read.problem
      continue
    }
    waiting = file
    for (const listener of listeners) listener()
    if (waiting) openForm()
    return
  }
  announce(problem ?? t`Only a backup file can be dropped here.`)
}

/** Hears of each dropped backup file, and of one that was dropped before. */
export function useDropped(onDrop: () => void): void {
  const heard = useEffectEvent(onDrop)
  useEffect(() => {
    const listener = () => heard()
    if (waiting) listener()
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
}

/** The file that was dropped, once. */
export function takeDropped(): File | undefined {
  const file = waiting
  waiting = undefined
  return file
}
