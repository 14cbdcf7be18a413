import { MessageChannel } from 'node:worker_threads'
import type { createEnclave } from '../create-enclave.ts'
import { fetchVerified } from '../loading/source.ts'
import { Instances } from '../plugin/instances.ts'
import { Plugin } from '../plugin/plugin.ts'
import type { Enclave, EnclaveKind, EnclaveOptions } from '../types.ts'
import { isKeyless, type WorkerPlan } from '../worker/connection.ts'
import { nodePort } from '../worker/node-port.ts'
import { Remote } from '../worker/remote.ts'
import { serve } from '../worker/server.ts'

const TIMEOUT = 30_000

/** Warming up memory for the next unlock costs nothing in a separate thread, but would delay every test here. */
const { call } = Plugin.prototype
Plugin.prototype.call = function (this: Plugin, name, ...given) {
  return name === 'warm' ? Promise.resolve('{}') : call.call(this, name, ...given)
}

/** The bytes of both builds, each read and checked once. */
const builds = new Map<boolean, ReturnType<typeof fetchVerified>>()

function bytesOf(devices: boolean): ReturnType<typeof fetchVerified> {
  const wasm =
    builds.get(devices) ?? fetchVerified(undefined, { devices, timeout: TIMEOUT, signal: undefined })
  builds.set(devices, wasm)
  return wasm
}

/** `createEnclave` without a thread, which costs a test a tenth of a second each time. Each enclave has its own worker. */
export const createThreadless: typeof createEnclave = (options) =>
  new ThreadlessWorker('worker-thread').start(options)

/**
 * A worker's contents in this thread: the real plugin, server and line. Starting takes milliseconds, and the test
 * controls its time.
 */
export class ThreadlessWorker {
  readonly #kind: EnclaveKind
  #instances = new Instances(Plugin.create)
  readonly #lines = new Set<(reason: string) => void>()

  constructor(kind: EnclaveKind) {
    this.#kind = kind
  }

  /** Starts an enclave, or connects to the account's existing one. @throws EnclaveError */
  async start(options: EnclaveOptions = {}): Promise<Enclave> {
    options.signal?.throwIfAborted()
    const enclave = new Remote({
      plan: this.#plan(isKeyless(options)),
      wasm: bytesOf(options.devices === true),
      account: isKeyless(options) ? undefined : options.account,
      allowedHosts: [],
      timeout: TIMEOUT,
      startTimeout: TIMEOUT,
    })
    await enclave.start(options.signal)
    return enclave
  }

  /** Ends unexpectedly and loses everything, as a browser may end a worker at any time. */
  async end(): Promise<void> {
    const ended = this.#instances
    this.#instances = new Instances(Plugin.create)
    await ended.abandon()
    for (const gone of [...this.#lines]) gone('it was ended')
  }

  #plan(stateless: boolean): WorkerPlan {
    return {
      kind: this.#kind,
      restarts: true,
      stateless,
      locks: undefined,
      spawn: async (gone) => {
        const { port1, port2 } = new MessageChannel()
        port2.unref()
        serve(nodePort(port2), { instances: this.#instances })
        this.#lines.add(gone)
        return {
          port: nodePort(port1),
          busy: (awaited) => (awaited ? port1.ref() : port1.unref()),
          terminate: () => {
            this.#lines.delete(gone)
            port1.close()
          },
        }
      },
    }
  }
}
