import type { Toast } from '@base-ui/react/toast'
import { t } from '@lingui/core/macro'

type Manager = ReturnType<typeof Toast.createToastManager>

let manager: Manager | undefined

/** Shows from now on by `given` what is announced. What can only say something need not load what draws it. */
export function announceBy(given: Manager): void {
  manager = given
}

/** Long enough to be read twice. */
export const PLAIN = 6000
/** Long enough to notice, to think and to get there by keyboard; pointing at its buttons or focusing it stops the clock. */
const UNDOABLE = 20_000

interface Announcement {
  /** Takes back what was done. A button and Ctrl+Z (⌘Z) call it, once. */
  undo?: () => void | Promise<void>
  /** What it is about: the next act on the same thing takes the announcement away, since there is nothing to be taken back any more. */
  about?: string
}

/** What is only told, by its id. It may name what is sealed: a key, an account. */
const told = new Set<string>()

/** Takes away what was only told: the vault has locked. What can be taken back stays, and names nothing. */
export function hush(): void {
  for (const id of [...told]) manager?.close(id)
}

/** What can be taken back at this moment, newest last. */
const undoable: { id: string; about: string | undefined; run: () => void }[] = []

function forget(id: string): void {
  const at = undoable.findIndex((entry) => entry.id === id)
  if (at >= 0) undoable.splice(at, 1)
}

/** Takes away what could be taken back of a thing: another act on it has followed. */
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

/** Takes back the newest of what can be. @returns whether there was something */
export function undoNewest(): boolean {
  const newest = undoable.at(-1)
  newest?.run()
  return newest !== undefined
}
