import type { Toast } from '@base-ui/react/toast'
import { t } from '@lingui/core/macro'

type Manager = ReturnType<typeof Toast.createToastManager>

let manager: Manager | undefined

/** Sets what shows announcements. Code that announces doesn't have to load it. */
export function announceBy(given: Manager): void {
  manager = given
}

/** Long enough to read twice. */
export const PLAIN = 6000
/** Long enough to notice, think and get there by keyboard. Pointing at its buttons or focusing it stops the clock. */
const UNDOABLE = 20_000

interface Announcement {
  /** Undoes what was done. A button and Ctrl+Z (⌘Z) call it, once. */
  undo?: () => void | Promise<void>
  /** What it is about. The next action on the same thing removes the announcement, because it can no longer be undone. */
  about?: string
}

/** The ids of plain messages. They may name something sealed, such as a key or an account. */
const told = new Set<string>()

/** Removes plain messages when the vault locks or unlocks. Announcements with an undo stay and name nothing. */
export function hush(): void {
  for (const id of [...told]) manager?.close(id)
}

/** What can be undone right now, newest last. */
const undoable: { id: string; about: string | undefined; run: () => void }[] = []

function forget(id: string): void {
  const at = undoable.findIndex((entry) => entry.id === id)
  if (at >= 0) undoable.splice(at, 1)
}

/** Removes the undo for a thing after another action on it. */
function supersede(thing: string): void {
  for (const { id, about } of [...undoable]) {
    if (about !== thing) continue
    forget(id)
    manager?.close(id)
  }
}

/** Says what has just been done, in a few words, without taking the focus. */
export function announce(title: string, description?: string, { undo, about }: Announcement = {}): void {
  if (about !== undefined) supersede(about)
  const words = description === undefined ? { title } : { title, description }
  const id = crypto.randomUUID()
  if (!undo) {
    told.add(id)
    manager?.add({ ...words, id, timeout: PLAIN, onClose: () => told.delete(id) })
    return
  }
  const run = () => {
    forget(id)
    manager?.close(id)
    Promise.resolve()
      .then(undo)
      .then(
        () => announce(t`Undone`, title),
        () => announce(t`That could not be undone`, t`It stays as it is: ${title}`),
      )
  }
  manager?.add({
    ...words,
    id,
    timeout: UNDOABLE,
    actionProps: { onClick: run, children: t`Undo` },
    onClose: () => forget(id),
  })
  undoable.push({ id, about, run })
}

/** Undoes the newest action that can be undone. @returns whether there was one */
export function undoNewest(): boolean {
  const newest = undoable.at(-1)
  newest?.run()
  return newest !== undefined
}
