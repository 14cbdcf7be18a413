import { EnclaveError } from './errors.ts'
import type { LoadedWasm } from './loading/loader.ts'
import { browserPort } from './worker/browser-port.ts'
import { type Connection, isKeyless, type PlanOptions, type WorkerPlan } from './worker/connection.ts'
import type { ClientPort } from './worker/protocol.ts'

/** Fetches the asset that comes with this package, from where the bundler put it. */
export function readBundledWasm(
  load: (url: URL) => Promise<LoadedWasm>,
  devices: boolean,
  _keyless: boolean,
): Promise<LoadedWasm> {
  // Bundlers only follow an address that is written out.
  const url = devices
    ? new URL('../dist/enclave-devices.wasm', import.meta.url)
    : new URL('../dist/enclave.wasm', import.meta.url)
  return load(url)
}

/** The scripts that come with this package: one file each, so that a bundler only has to copy them. */
const sharedScript = () => new URL('../dist/workers/shared-worker.js', import.meta.url)
const dedicatedScript = () => new URL('../dist/workers/dedicated-worker.js', import.meta.url)

/** How many Workers can run at a time, as far as the browser says. */
export function coreCount(): number {
  return navigator.hardwareConcurrency
}

/** The SharedWorker for all tabs; a dedicated Worker without SharedWorker, or if no secret is needed. */
export function planWorker(options: PlanOptions): WorkerPlan {
  const keyless = isKeyless(options)
  const shared = !keyless && typeof SharedWorker === 'function'
  const url = shared
    ? (options.workers?.shared ?? sharedScript())
    : (options.workers?.dedicated ?? dedicatedScript())
  if (!shared && typeof Worker !== 'function') {
    throw new EnclaveError(
      'OPERATION_FAILED',
      'There is no Worker here. Import `@keyhole/enclave/enclave.wasm` as a module, and pass it as `module`.',
    )
  }
  const trusted = options.scriptUrl?.(String(url)) ?? url
  return {
    kind: shared ? 'shared-worker' : 'worker',
    restarts: keyless,
    stateless: keyless,
    locks: navigator.locks,
    spawn: async (gone) => (shared ? connectShared(trusted, gone) : startDedicated(trusted, gone)),
  }
}

function connectShared(url: string | URL, gone: (reason: string) => void): Connection {
  const worker = new SharedWorker(url, { type: 'module', name: 'keyhole enclave' })
  worker.addEventListener('error', () => gone('its script did not load or run'), { once: true })
  const port: ClientPort = browserPort(worker.port)
  // A reload may start the next page before the browser lets go of this one, and the worker would take it for a second
  // tab. A page in the back/forward cache comes back.
  const leave = ({ persisted }: PageTransitionEvent) => persisted || port.post({ type: 'close' })
  addEventListener('pagehide', leave)
  return {
    port,
    busy() {},
    terminate() {
      removeEventListener('pagehide', leave)
      worker.port.close()
    },
  }
}

function startDedicated(url: string | URL, gone: (reason: string) => void): Connection {
  const worker = new Worker(url, { type: 'module', name: 'keyhole enclave' })
  const { port1, port2 } = new MessageChannel()
  const ended = new AbortController()
  const { signal } = ended
  worker.addEventListener('error', (event) => gone(event.message || 'its script did not load'), { signal })
  worker.postMessage(undefined, [port2])
  return {
    port: browserPort(port1),
    busy() {},
    terminate() {
      ended.abort()
      port1.close()
      worker.terminate()
    },
  }
}
