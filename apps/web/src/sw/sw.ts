/// <reference lib="webworker" />
// The service worker: the client offline after the first visit, and the payment method of this origin. It imports no package of
// ours and never sees a secret; what it keeps are the files of one build.
import { beginningFile, isLanguage, preferredLanguage } from '../locales/languages.js'
import { handlePayments } from './payment-events.ts'

declare const self: ServiceWorkerGlobalScope

/** Put in by the build: every file of the client with its digest, by path, and the digest of them all. */
declare const __PRECACHE__: { readonly version: string; readonly files: Readonly<Record<string, string>> }

/** The event of an installation, with what not every browser has (Service Workers, `InstallEvent`). */
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
/** Where a page notes with what the next one begins: its language, and `landing` or `frame`. */
const NOTE = { cache: 'keyhole-shell', path: '/shell' }

/**
 * Keeps a build whole, or not at all: past the HTTP cache, and each file only with the digest it was built with, so that a
 * deploy in between cannot mix two builds.
 */
async function install(): Promise<void> {
  const cache = await caches.open(CURRENT)
  await cache.addAll(
    Object.entries(__PRECACHE__.files).map(
      ([path, integrity]) => new Request(path, { cache: 'reload', integrity }),
    ),
  )
}

/** Drops older builds. While another tab may still run the one before this, that one stays for its later scripts. */
async function activate(): Promise<void> {
  const older = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CURRENT)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const gone = tabs.length > 1 ? older.slice(0, -1) : older
  await Promise.all(gone.map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** What a navigation gets: the page of this build that begins as the last one was, so that nothing flashes up that is not meant. */
async function pageFor(pathname: string): Promise<string> {
  const note = await caches.open(NOTE.cache).then((cache) => cache.match(NOTE.path))
  const [noted, begin = 'landing'] = (await note?.text())?.split(' ') ?? []
  const language = isLanguage(noted) ? noted : preferredLanguage([navigator.language])
  const own = ['/connect', '/demo-app'].includes(pathname) ? pathname.slice(1) : undefined
  const name = own ?? (pathname === '/' && begin === 'landing' ? 'index' : 'frame')
  return `/${beginningFile(name, language)}`
}

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  // Page and scripts are always of one version.
  const isPage = request.mode === 'navigate' && !(pathname in __PRECACHE__.files)
  const key = isPage ? await pageFor(pathname) : pathname
  const cache = await caches.open(CURRENT)
  const cached = (await cache.match(key)) ?? (await caches.match(key))
  if (!cached) return await fetch(request)
  // A host may have got there by a redirect; a navigation takes no answer that did.
  return cached.redirected ? new Response(cached.body, { headers: cached.headers }) : cached
}

self.addEventListener('install', (event: InstallEvent) => {
  event.waitUntil(install())
  // Where the browser can, it takes from the cache itself what a vault starts with, without waking this worker for each (Static Routing
  // API; on a miss, the network). It must not wake it while it is let go for a new version: Chromium then waits for half a minute.
  event.addRoutes?.([
    // Scripts carry a digest in their names, and are one wherever they are kept.
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
