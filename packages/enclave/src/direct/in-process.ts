import { EnclaveError } from '../errors.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import { Instances } from '../plugin/instances.ts'
import { inSteps, PAUSE_DERIVATIONS, type RunningPlugin } from '../plugin/running-plugin.ts'
import type { EnclaveOptions } from '../types.ts'
import { isKeyless, type WorkerPlan } from '../worker/connection.ts'
import { serve } from '../worker/server.ts'
import { DirectPlugin } from './direct-plugin.ts'
import { linePair } from './line.ts'

/** Replaces the plugin's bytes if it's already compiled. */
export const COMPILED: VerifiedWasm = { bytes: new Uint8Array(), sha256: 'compiled' }

/**
 * Runs the plugin in this thread, for platforms without Workers.
 * @throws EnclaveError OPERATION_FAILED if hosts are allowed: a synchronous call can't wait for them
 */
export function planInProcess(module: WebAssembly.Module, options: EnclaveOptions): WorkerPlan {
  if ((options.allowedHosts ?? []).length > 0) {
    throw new EnclaveError(
      'OPERATION_FAILED',
      'An enclave in process asks no hosts: leave out `allowedHosts`, or `module` so that it runs in a worker.',
    )
  }
  const instances = new Instances(async () => new SteppedPlugin(new DirectPlugin(module)))
  return {
    kind: 'in-process',
    restarts: false,
    stateless: isKeyless(options),
    locks: undefined,
    spawn: async () => {
      const [port, other] = linePair()
      serve(other, { instances })
      return { port, busy() {}, terminate: () => port.close() }
    },
  }
}

/** A direct plugin for an instance. It pauses while deriving a key, so that this thread can do other work. */
class SteppedPlugin implements RunningPlugin {
  readonly #plugin: DirectPlugin
  #wiped = false

  constructor(plugin: DirectPlugin) {
    this.#plugin = plugin
    const { name, input } = PAUSE_DERIVATIONS
    if (plugin.has(name)) plugin.call(name, input)
  }

  has(name: string): boolean {
    return this.#plugin.has(name)
  }

  call(
    name: string,
    input: string | Uint8Array<ArrayBuffer>,
    goesOn?: () => Promise<boolean>,
  ): Promise<string | undefined> {
    return inSteps((given) => this.#plugin.call(name, given), input, goesOn)
  }

  async fresh(): Promise<RunningPlugin> {
    return new SteppedPlugin(this.#plugin.fresh())
  }

  async wipe(): Promise<void> {
    if (!this.#wiped) this.#plugin.wipe()
    this.#wiped = true
  }
}
