import type { createEnclave, Enclave, EnclaveExport } from '@keyhole/enclave'
import { ThreadlessWorker } from '../../../enclave/src/test/in-this-thread.ts'

/** Replaces a call; gets the real one, in case it should run too. */
type Behaviour = (real: () => Promise<unknown>) => unknown

const nothing = async () => undefined

interface Held {
  readonly name: string
  readonly reached: () => void
  readonly released: Promise<void>
}

/**
 * The enclaves of a test: the real plugin, in this thread. Each has its own worker, unless `kind` says that those with
 * the same account share one. A test can inspect calls, replace a call, and delay its answer.
 */
export class EnclaveWorld {
  readonly kind: Enclave['kind']
  readonly calls: { name: string; input: unknown }[] = []
  readonly started: Parameters<typeof createEnclave>[0][] = []
  closed = 0
  readonly #shared: ThreadlessWorker
  readonly #planned = new Map<string, Behaviour[]>()
  #held: Held | undefined

  constructor(kind: Enclave['kind'] = 'worker-thread') {
    this.kind = kind
    this.#shared = new ThreadlessWorker(kind)
  }

  /** Replaces the next call of an export; `behave` may make the call itself. */
  plan(name: EnclaveExport | 'createEnclave' | 'adopt', behave: Behaviour): void {
    this.#planned.set(name, [...(this.#planned.get(name) ?? []), behave])
  }

  /** Delays the next answer of an export. */
  holdUp(name: EnclaveExport): { reached: Promise<void>; release: () => void } {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const reached = new Promise<void>((resolve) => {
      this.#held = { name, reached: resolve, released }
    })
    return { reached, release }
  }

  /** The shared worker ends unexpectedly, and every vault in it is forgotten. */
  restart(): Promise<void> {
    return this.#shared.end()
  }

  readonly createEnclave: typeof createEnclave = async (options) => {
    this.started.push(options)
    await this.#take('createEnclave')?.(nothing)
    options?.signal?.throwIfAborted()
    const worker =
      this.kind === 'shared-worker' && !options?.keyless ? this.#shared : new ThreadlessWorker(this.kind)
    return this.#watched(await worker.start(options))
  }

  #take(name: string) {
    return this.#planned.get(name)?.shift()
  }

  #watched(enclave: Enclave): Enclave {
    const { callByName, adopt, close } = enclave
    enclave.callByName = async (name, input, options) => {
      this.calls.push({ name, input: JSON.parse(JSON.stringify(input ?? {})) })
      const call = () => callByName.call(enclave, name, input, options)
      const planned = this.#take(name)
      const answer = planned ? await planned(call) : await call()
      if (this.#held?.name === name) {
        const { reached, released } = this.#held
        this.#held = undefined
        reached()
        await released
      }
      return answer
    }
    enclave.adopt = async (address) => {
      await this.#take('adopt')?.(nothing)
      await adopt.call(enclave, address)
    }
    enclave.close = async (options) => {
      this.closed += 1
      await close.call(enclave, options)
    }
    return enclave
  }
}
