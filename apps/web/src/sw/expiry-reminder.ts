/// <reference lib="webworker" />
// Reminders before grants expire. The page says when, and in which words; no name, no token and no account comes here.

/** Where the page's words are kept while the worker sleeps: a note for each vault, under the digest of its database's name. */
const NOTES = { cache: 'keyhole-reminders', folder: '/reminders/' }
const TAG = 'grants-expire'
/** What the name of a vault's database begins with. */
const VAULT = 'vault_'
/** Where a press on the notification leads. */
const PLACE = '/identity?tab=grants&show=open'
/** How long before its end a grant is told of, in milliseconds: two days. */
const AHEAD = 2 * 86_400_000

/** What the page of a vault knew when it was last open. */
export interface ReminderNote {
  /** When each of the next grants expires, in milliseconds since 1970. */
  readonly ends: readonly number[]
  readonly title: string
  readonly body: string
  /** The ends that were told of already. */
  readonly told: readonly number[]
}

/** A note, and the database of the vault that it is about. */
interface Said extends ReminderNote {
  readonly vault: string
}

/** A note from the page or the cache; undefined where it is none. */
export function readNote(value: unknown): ReminderNote | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('ends' in value && 'title' in value && 'body' in value)) return undefined
  const { ends, title, body } = value
  if (!Array.isArray(ends) || typeof title !== 'string' || typeof body !== 'string') return undefined
  const told = 'told' in value && Array.isArray(value.told) ? value.told : []
  return { ends: ends.filter(isTime), title, body, told: told.filter(isTime) }
}

const isTime = (each: unknown): each is number => typeof each === 'number' && Number.isFinite(each)

function readSaid(value: unknown): Said | undefined {
  const note = readNote(value)
  const vault: unknown = Reflect.get(Object(value), 'vault')
  return note && typeof vault === 'string' && vault.startsWith(VAULT) ? { ...note, vault } : undefined
}

/** The ends that are soon, and those of them that nobody was told of yet. */
export function dueAt({ ends, told }: ReminderNote, now: number): { soon: number[]; fresh: number[] } {
  const soon = ends.filter((end) => end > now && end <= now + AHEAD)
  return { soon, fresh: soon.filter((end) => !told.includes(end)) }
}

/** Where the note of a vault is kept. */
async function pathOf(vault: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(vault))
  return (
    NOTES.folder + Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  )
}

/** The notes of the vaults that are in this browser. Those of others are deleted. */
async function keptNotes(cache: Cache): Promise<Map<string, ReminderNote>> {
  const vaults = (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith(VAULT) ? [name] : []))
  const paths = new Set(await Promise.all(vaults.map(pathOf)))
  const notes = new Map<string, ReminderNote>()
  for (const request of await cache.keys()) {
    const path = new URL(request.url).pathname
    const stored = await cache.match(request)
    const note = readNote(await stored?.json().catch(() => undefined))
    if (note && paths.has(path)) notes.set(path, note)
    else await cache.delete(request)
  }
  return notes
}

/** Keeps what the page of a vault says, if it says something, and tells of what is due in any vault. */
async function remind(worker: ServiceWorkerGlobalScope, said?: Said): Promise<void> {
  const cache = await caches.open(NOTES.cache)
  if (said) {
    const { vault, ends, title, body } = said
    const path = await pathOf(vault)
    const { told = [] } = readNote(await (await cache.match(path))?.json().catch(() => undefined)) ?? {}
    await cache.put(path, Response.json({ ends, title, body, told }))
  }
  const now = Date.now()
  const notes = [...(await keptNotes(cache))].map(([path, note]) => ({ path, note, ...dueAt(note, now) }))
  const soon = notes.reduce((sum, note) => sum + note.soon.length, 0)
  // Without a number it would be cleared.
  await (soon > 0 ? worker.navigator.setAppBadge?.(soon) : worker.navigator.clearAppBadge?.())
  const [first] = Notification.permission === 'granted' ? notes.filter(({ fresh }) => fresh.length > 0) : []
  if (first) await worker.registration.showNotification(first.note.title, { body: first.note.body, tag: TAG })
  for (const { path, note, soon: ends } of notes) {
    // What was told of and isn't soon now was told of with a wrong clock.
    const told = first ? ends : note.told.filter((end) => ends.includes(end))
    await cache.put(path, Response.json({ ...note, told }))
  }
  if (notes.length === 0) await caches.delete(NOTES.cache)
}

/** Each in turn: all of them read the notes and write them. */
let last: Promise<void> = Promise.resolve()
function inTurn(worker: ServiceWorkerGlobalScope, said?: Said): Promise<void> {
  const mine = last.then(() => remind(worker, said))
  last = mine.catch(() => undefined)
  return mine
}

/** Tells of grants that expire soon: when the page says when they do, and when the browser wakes the worker to look. */
export function handleReminders(worker: ServiceWorkerGlobalScope): void {
  // Periodic Background Sync, where the browser has it.
  worker.addEventListener('periodicsync', (event: Event) => {
    if (event instanceof ExtendableEvent && Reflect.get(event, 'tag') === TAG) event.waitUntil(inTurn(worker))
  })
  worker.addEventListener('message', (event) => {
    const word: unknown = Reflect.get(Object(event.data), 'remind')
    // A page says what its vault has, or that a vault may be gone.
    if (word !== undefined) event.waitUntil(inTurn(worker, readSaid(word)))
  })
  worker.addEventListener('notificationclick', (event) => {
    if (event.notification.tag !== TAG) return
    event.notification.close()
    event.waitUntil(worker.clients.openWindow(PLACE))
  })
}
