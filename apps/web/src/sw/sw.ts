/// <reference lib="webworker" />
// The service worker: offline use after the first visit, and this origin's payment method. It imports none of our packages and never sees
// a secret. It caches only the files of one build.
import { beginningFile, isLanguage, preferredLanguage } from '../locales/languages.js'
import { handleReminders } from './expiry-reminder.ts'
import { handlePayments } from './payment-events.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * Inserted by the build: the digest of every file of the client, by path, and a digest of them all. Those of `onceUsed` are cached once a
 * page has asked for them.
 */
declare const __PRECACHE__: {
  readonly version: string
  readonly files: Readonly<Record<string, string>>
  readonly onceUsed: Readonly<Record<string, string>>
}

/** An install event, with what not every browser has (Service Workers, `InstallEvent`). */
interface InstallEvent extends ExtendableEvent {
  addRoutes?(
    rules: readonly {
      condition: { urlPattern: { pathname: string } }
      source: 'cache' | { cacheName: string }
    }[],
  ): Promise<void>
}

const PREFIX = 'keyhole-client-'
const CURRENT = PREFIX + __PRECACHE__.version
/** Where a page notes how the next one starts: its language, and `landing` or `frame`. */
const NOTE = { cache: 'keyhole-shell', path: '/shell' }

/**
 * Caches a complete build or nothing: it bypasses the HTTP cache and accepts each file only with its digest, so that a deploy in between
 * can't mix two builds. What was used before is part of it.
 */
async function install(): Promise<void> {
  const { files, onceUsed } = __PRECACHE__
  const used = await Promise.all(
    Object.entries(onceUsed).map(async (each) => ((await caches.match(each[0])) ? [each] : [])),
  )
  const cache = await caches.open(CURRENT)
  await cache.addAll(
    [...Object.entries(files), ...used.flat()].map(
      ([path, integrity]) => new Request(path, { cache: 'reload', integrity }),
    ),
  )
}

/** Deletes older builds. If another tab may still run the previous one, that one stays for scripts that load later. */
async function activate(): Promise<void> {
  const older = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CURRENT)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const gone = tabs.length > 1 ? older.slice(0, -1) : older
  await Promise.all(gone.map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** The page for a navigation: this build's page in the same variant as the last one, so that nothing else flashes up. */
async function pageFor({ pathname, search }: URL): Promise<string> {
  const note = await caches.open(NOTE.cache).then((cache) => cache.match(NOTE.path))
  const [noted, begin = 'landing'] = (await note?.text())?.split(' ') ?? []
  const language = isLanguage(noted) ? noted : preferredLanguage([navigator.language])
  const name = pathname === '/' ? 'index' : pathname.slice(1)
  const isOwn =
    name === 'connect' || name === 'demo-app' || (begin === 'landing' && (name === 'index' || search === ''))
  const own = `/${beginningFile(name, language)}`
  return isOwn && own in __PRECACHE__.files ? own : `/${beginningFile('frame', language)}`
}

/** Fetches and caches a file that this build has for those who use it. Undefined if it has none there, or the server another one. */
async function firstUse(path: string, cache: Cache): Promise<Response | undefined> {
  const integrity = __PRECACHE__.onceUsed[path]
  if (integrity === undefined) return undefined
  const response = await fetch(new Request(path, { cache: 'reload', integrity })).catch(() => undefined)
  if (!response?.ok) return undefined
  // A full disk keeps no one from using it.
  await cache.put(path, response.clone()).catch(() => undefined)
  return response
}

/** What this build has for a request. Undefined if it has nothing. */
async function fromCache(request: Request): Promise<Response | undefined> {
  const url = new URL(request.url)
  const { pathname } = url
  // Page and scripts always come from the same version.
  const isPage = request.mode === 'navigate' && !(pathname in __PRECACHE__.files)
  const key = isPage ? await pageFor(url) : pathname
  const cache = await caches.open(CURRENT)
  const cached = (await cache.match(key)) ?? (await caches.match(key))
  if (!cached) return await firstUse(pathname, cache)
  // A host may have redirected, and a navigation doesn't accept a redirected response.
  return cached.redirected ? new Response(cached.body, { headers: cached.headers }) : cached
}

/** A cache that the browser can't read must not keep anyone from a vault that it can read. */
const answer = async (request: Request) =>
  (await fromCache(request).catch(() => undefined)) ?? (await fetch(request))

self.addEventListener('install', (event: InstallEvent) => {
  event.waitUntil(install())
  // If the browser can, it serves from the cache what a vault starts with, without waking this worker each time (Static Routing API; on a
  // miss, it uses the network). It must not wake the worker while a new version replaces it: Chromium then waits for half a minute.
  event.addRoutes?.([
    // Script names contain a digest, so the same name is always the same script.
    { condition: { urlPattern: { pathname: '/assets/*' } }, source: 'cache' },
    { condition: { urlPattern: { pathname: '/enclave.wasm' } }, source: { cacheName: CURRENT } },
  ])
})
self.addEventListener('activate', (event) => event.waitUntil(activate()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return
  event.respondWith(answer(request))
})

self.addEventListener('message', (event) => {
  if (event.data === 'let the new version in') event.waitUntil(self.skipWaiting())
})

handlePayments(self)
handleReminders(self)
