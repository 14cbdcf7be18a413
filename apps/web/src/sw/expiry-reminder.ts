/// <reference lib="webworker" />
// Reminders before grants expire. The page says when, and in which words; no name, no token and no account comes here.

/** Where the page's word is kept while the worker sleeps. */
const NOTE = { cache: 'keyhole-reminders', path: '/reminders' }
const TAG = 'grants-expire'
/** Where a press on the notification leads. */
const PLACE = '/identity?tab=grants&show=open'
/** How long before its end a grant is told of, in milliseconds: two days. */
const AHEAD = 2 * 86_400_000

/** What the page knew when it was last open. */
export interface ReminderNote {
  /** When each of the next grants expires, in milliseconds since 1970. */
  readonly ends: readonly number[]
  readonly title: string
  readonly body: string
  /** Ends up to here were told of already. */
  readonly toldUntil: number
}

/** A note from the page or the cache; undefined where it is none. */
export function readNote(value: unknown): ReminderNote | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('ends' in value && 'title' in value && 'body' in value)) return undefined
  const { ends, title, body } = value
  if (!Array.isArray(ends) || typeof title !== 'string' || typeof body !== 'string') return undefined
  const toldUntil = 'toldUntil' in value && typeof value.toldUntil === 'number' ? value.toldUntil : 0
  return { ends: ends.filter((end): end is number => Number.isFinite(end)), title, body, toldUntil }
}

/** How many grants expire soon, and the last end of those that nobody was told of yet; undefined where all were. */
export function dueAt(
  { ends, toldUntil }: ReminderNote,
  now: number,
): { soon: number; until: number | undefined } {
  const soon = ends.filter((end) => end > now && end <= now + AHEAD)
  const fresh = soon.filter((end) => end > toldUntil)
  return { soon: soon.length, until: fresh.length === 0 ? undefined : Math.max(...fresh) }
}

async function keptNote(cache: Cache): Promise<ReminderNote | undefined> {
  try {
    return readNote(await (await cache.match(NOTE.path))?.json())
  } catch {
    return undefined
  }
}

/** Whether a vault is left in this browser. */
async function hasVault(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name?.startsWith('vault_') === true)
}

/** Keeps what the page says, if it says something, and tells of what is due. */
async function remind(worker: ServiceWorkerGlobalScope, said?: ReminderNote): Promise<void> {
  const cache = await caches.open(NOTE.cache)
  const kept = await keptNote(cache)
  const note = said ? { ...said, toldUntil: kept?.toldUntil ?? 0 } : kept
  if (!note) return
  if (!(await hasVault())) {
    await caches.delete(NOTE.cache)
    await worker.navigator.clearAppBadge?.()
    return
  }
  const { soon, until } = dueAt(note, Date.now())
  // Without a number it would be cleared.
  await (soon > 0 ? worker.navigator.setAppBadge?.(soon) : worker.navigator.clearAppBadge?.())
  const tells = until !== undefined && Notification.permission === 'granted'
  const { title, body } = note
  if (tells) await worker.registration.showNotification(title, { body, tag: TAG })
  await cache.put(NOTE.path, Response.json(tells ? { ...note, toldUntil: until } : note))
}

/** Tells of grants that expire soon: when the page says when they do, and when the browser wakes the worker to look. */
export function handleReminders(worker: ServiceWorkerGlobalScope): void {
  // Periodic Background Sync, where the browser has it.
  worker.addEventListener('periodicsync', (event: Event) => {
    if (event instanceof ExtendableEvent && Reflect.get(event, 'tag') === TAG) event.waitUntil(remind(worker))
  })
  worker.addEventListener('message', (event) => {
    const said = readNote(Reflect.get(Object(event.data), 'remind'))
    if (said) event.waitUntil(remind(worker, said))
  })
  worker.addEventListener('notificationclick', (event) => {
    if (event.notification.tag !== TAG) return
    event.notification.close()
    event.waitUntil(worker.clients.openWindow(PLACE))
  })
}
