import { scriptUrl } from '../../shared/browser/trusted-types.ts'

/** How often to check for a new version: every hour. */
export const UPDATE_INTERVAL = 3_600_000

type Listener = () => void

let waiting: ServiceWorker | undefined
const listeners = new Set<Listener>()

/** Whether a new version is installed and waiting. */
export function isUpdateReady(): boolean {
  return waiting !== undefined
}

/** Calls `listener` when {@link isUpdateReady} changes. Returns the unsubscribe function. */
export function subscribeToUpdate(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function offer(worker: ServiceWorker): void {
  console.log('Keyhole: a new version is installed and ready.')
  waiting = worker
  for (const listener of listeners) listener()
}

/**
 * Offers a version once it is installed, if it replaces one. The first one may control the page before that hears that it is installed: that
 * is likely why WebKit offered it on a busy machine (088).
 */
function follow(worker: ServiceWorker, active: ServiceWorker | null): void {
  if (!active || active === worker) return
  const offerInstalled = () => {
    if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker)
  }
  worker.addEventListener('statechange', offerInstalled)
  offerInstalled()
}

function watch(registration: ServiceWorkerRegistration): void {
  // The browser may have checked for a new version while the page loaded.
  const followed = new Set<ServiceWorker>()
  const followAll = () => {
    for (const worker of [registration.waiting, registration.installing]) {
      if (!worker || followed.has(worker)) continue
      followed.add(worker)
      follow(worker, registration.active)
    }
  }
  registration.addEventListener('updatefound', followAll)
  followAll()
}

/** Registers `/sw.js` at scope `/` once the page has loaded, and checks for a new version every hour. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const register = async () => {
    try {
      const registration = await navigator.serviceWorker.register(scriptUrl('/sw.js'), { scope: '/' })
      watch(registration)
      setInterval(() => {
        // Offline, or the server is down: try again in an hour.
        registration.update().catch(() => undefined)
      }, UPDATE_INTERVAL)
    } catch (error) {
      console.error('Keyhole: the service worker could not be registered.', error)
    }
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** The locks of tabs that are writing an account right now. */
async function writesUnderWay(): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.flatMap(({ name }) => (name?.startsWith('keyhole:write:') ? [name] : []))
}

/** Waits until no tab is writing an account. */
async function writesDone(): Promise<void> {
  let writes = await writesUnderWay()
  while (writes.length > 0) {
    await Promise.all(writes.map((name) => navigator.locks.request(name, () => undefined)))
    // Another write may have started in the meantime.
    writes = await writesUnderWay()
  }
}

/** Reloads the page once no tab is writing. */
async function loadAnew(): Promise<void> {
  await writesDone()
  location.reload()
}

/** Activates the new version and reloads the page. Only called when the person asked for it. */
export async function applyUpdate(): Promise<void> {
  await writesDone()
  // Another tab has activated it already.
  if (waiting?.state !== 'installed') return await loadAnew()
  navigator.serviceWorker.addEventListener('controllerchange', () => void loadAnew(), { once: true })
  waiting.postMessage('let the new version in')
}
