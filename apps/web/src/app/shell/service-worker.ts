import { scriptUrl } from '../../shared/browser/trusted-types.ts'

/** How often the service worker is asked for a new version: every hour. */
export const UPDATE_INTERVAL = 3_600_000

type Listener = () => void

let waiting: ServiceWorker | undefined
const listeners = new Set<Listener>()

/** Whether a new version is installed and waits to be let in. */
export function isUpdateReady(): boolean {
  return waiting !== undefined
}

/** Tells `listener` when {@link isUpdateReady} changes; answers the unsubscribe. */
export function subscribeToUpdate(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function offer(worker: ServiceWorker): void {
  console.log('Keyhole: a new version is installed and ready.')
  waiting = worker
  for (const listener of listeners) listener()
}

/** Offers a version once it is installed. Without a controller it is the first visit: nothing is replaced. */
function follow(worker: ServiceWorker): void {
  const offerInstalled = () => {
    if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker)
  }
  worker.addEventListener('statechange', offerInstalled)
  offerInstalled()
}

function watch(registration: ServiceWorkerRegistration): void {
  // The browser may have looked for a new version by itself while the page loaded.
  const followed = new Set<ServiceWorker>()
  const followAll = () => {
    for (const worker of [registration.waiting, registration.installing]) {
      if (!worker || followed.has(worker)) continue
      followed.add(worker)
      follow(worker)
    }
  }
  registration.addEventListener('updatefound', followAll)
  followAll()
}

/** Registers `/sw.js` at scope `/` once the page has loaded, and asks for a new version every hour. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const register = async () => {
    try {
      const registration = await navigator.serviceWorker.register(scriptUrl('/sw.js'), { scope: '/' })
      watch(registration)
      setInterval(() => {
        // Offline, or a server that is away: the next hour asks again.
        registration.update().catch(() => undefined)
      }, UPDATE_INTERVAL)
    } catch (error) {
      console.error('Keyhole: the service worker could not be registered.', error)
    }
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** The locks under which some tab is writing an account at this moment. */
async function writesUnderWay(): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.flatMap(({ name }) => (name?.startsWith('keyhole:write:') ? [name] : []))
}

/** Waits until no tab is in the middle of writing an account. */
async function writesDone(): Promise<void> {
  let writes = await writesUnderWay()
  while (writes.length > 0) {
    await Promise.all(writes.map((name) => navigator.locks.request(name, () => undefined)))
    // While one was waited for, another may have begun.
    writes = await writesUnderWay()
  }
}

/** Loads the page again, and in no tab's write. */
async function loadAnew(): Promise<void> {
  await writesDone()
  location.reload()
}

/** Lets the new version in and loads the page again. Only ever called because the person asked for it. */
export async function applyUpdate(): Promise<void> {
  await writesDone()
  // Another tab has let it in already.
  if (waiting?.state !== 'installed') return await loadAnew()
  navigator.serviceWorker.addEventListener('controllerchange', () => void loadAnew(), { once: true })
  waiting.postMessage('let the new version in')
}
