import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { SERVICE_WASM_SHA256 } from './generated/artefact.ts'
import type { LoadedWasm } from './loading/loader.ts'
import { type Connection, isKeyless, type PlanOptions, type WorkerPlan } from './worker/connection.ts'
import { nodePort } from './worker/node-port.ts'

/** Reads the asset that comes with this package from its file: without secrets, the build for services, if it is there. */
export async function readBundledWasm(
  _load: (url: URL) => Promise<LoadedWasm>,
  devices: boolean,
  keyless: boolean,
): Promise<LoadedWasm> {
  if (keyless && !devices) {
    const own = new URL('../dist/enclave-service.wasm', import.meta.url)
    const bytes = await readFile(own).catch(() => undefined)
    // A program that was deployed with one file of this package has the other one.
    if (bytes) return { bytes: new Uint8Array(bytes), url: fileURLToPath(own), sha256: SERVICE_WASM_SHA256 }
  }
  const url = devices
    ? new URL('../dist/enclave-devices.wasm', import.meta.url)
    : new URL('../dist/enclave.wasm', import.meta.url)
  return { bytes: new Uint8Array(await readFile(url)), url: fileURLToPath(url) }
}

/** How many threads can run at a time. */
export function coreCount(): number {
  return availableParallelism()
}

/** Our own thread, or Extism's worker if an HTTP bridge is needed and the platform can't suspend a plugin. */
export function planWorker(options: PlanOptions): WorkerPlan {
  const bridge = (options.allowedHosts ?? []).length > 0
  const extism = bridge && !('Suspending' in WebAssembly)
  return {
    kind: extism ? 'extism-worker' : 'worker-thread',
    restarts: true,
    stateless: isKeyless(options),
    locks: undefined,
    spawn: extism ? spawnExtism : spawnThread,
  }
}

async function spawnThread(gone: (reason: string) => void): Promise<Connection> {
  const { port1, port2 } = new MessageChannel()
  // The script is JavaScript, because Node 20 can't run src/node-worker.ts, from which it is built.
  const worker = new Worker(new URL('../dist/node-worker.js', import.meta.url), {
    name: 'keyhole enclave',
    workerData: port2,
    transferList: [port2],
    // Extism loads Node's WASI, which we don't use and Node warns about. Deno doesn't warn, and rejects Node's options.
    execArgv: 'Deno' in globalThis ? undefined : ['--disable-warning=ExperimentalWarning'],
  })
  worker.unref()
  let failure = ''
  worker.once('error', (error) => {
    failure = error.message
  })
  worker.once('exit', (code) => gone(failure || `it ended with code ${code}`))
  return {
    ...lineOver(port1),
    terminate() {
      worker.removeAllListeners('exit')
      port1.close()
      void worker.terminate()
    },
  }
}

/** The host's side runs in this thread, the plugin in Extism's worker. */
async function spawnExtism(): Promise<Connection> {
  const [{ serve }, { Instances }, { Plugin }] = await Promise.all([
    import('./worker/server.ts'),
    import('./plugin/instances.ts'),
    import('./plugin/plugin.ts'),
  ])
  const { port1, port2 } = new MessageChannel()
  const instances = new Instances(Plugin.create)
  serve(nodePort(port2), { instances, vaultless: true })
  return {
    ...lineOver(port1),
    terminate() {
      port1.close()
      void instances.abandon()
    },
  }
}

/** A port that lets the process end while no answer is awaited. */
function lineOver(port: MessagePort): Pick<Connection, 'port' | 'busy'> {
  return { port: nodePort(port), busy: (awaited) => (awaited ? port.ref() : port.unref()) }
}
