import { EnclaveError, reasonOf } from '../errors.ts'
import { DEVICE_EXPORTS, EXPORTS } from '../generated/exports.ts'
import { randomBytes } from '../plugin/random.ts'
import { HostBlocks } from './host-blocks.ts'

/** The section in which the plugin declares its exports. */
const DECLARATIONS = 'keyhole.exports'

/** The answer when the plugin asks for a document: a synchronous call can't wait for one. */
const NO_BRIDGE = '-this enclave asks no one: it runs in process, where a call cannot wait'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Milliseconds since 1970. */
export type Clock = () => number

/** The plugin, called synchronously in this thread, without Extism. */
export class DirectPlugin {
  readonly #module: WebAssembly.Module
  readonly #clock: Clock
  readonly #blocks = new HostBlocks()
  readonly #exports: ReadonlyMap<string, () => unknown>
  /** The plugin's linear memory. */
  readonly memory: WebAssembly.Memory

  /**
   * Instantiates the plugin.
   * @throws EnclaveError WASM_NOT_LOADED if the module isn't this version's plugin
   */
  constructor(module: WebAssembly.Module, clock: Clock = Date.now) {
    this.#module = module
    this.#clock = clock
    expectEnclave(module)
    const { exports } = this.#instantiate()
    const { memory } = exports
    if (!(memory instanceof WebAssembly.Memory)) throw notEnclave('it has no memory')
    this.memory = memory
    this.#blocks.attach(memory)
    this.#exports = new Map(Object.entries(exports).filter(isFunction))
  }

  /** Whether there is an export of that name. */
  has(name: string): boolean {
    return this.#exports.has(name)
  }

  /**
   * Calls an export. Overwrites input given as bytes.
   * @returns the output as text; undefined if the plugin gave none
   * @throws Error if there is no such export, or the plugin traps, which makes it unusable
   */
  call(name: string, input: string | Uint8Array): string | undefined {
    const run = this.#exports.get(name)
    if (!run) throw new Error(`The enclave has no export ${name}.`)
    this.#blocks.begin(typeof input === 'string' ? encoder.encode(input) : input)
    let output: Uint8Array | undefined
    try {
      run()
    } finally {
      output = this.#blocks.end()
    }
    const text = output && decoder.decode(output)
    output?.fill(0)
    return text
  }

  /** A new plugin of the same module, without anything from this one's memory. */
  fresh(): DirectPlugin {
    return new DirectPlugin(this.#module, this.#clock)
  }

  /** Overwrites the whole linear memory. The plugin can't be called afterwards. */
  wipe(): void {
    new Uint8Array(this.memory.buffer).fill(0)
  }

  #instantiate(): WebAssembly.Instance {
    const blocks = this.#blocks
    const user = {
      keyhole_random: (length: bigint) => blocks.store(randomBytes(Number(length))),
      keyhole_now: () => BigInt(Math.floor(this.#clock())),
      keyhole_take: blocks.take,
      keyhole_put: blocks.put,
      keyhole_fetch: () => blocks.store(encoder.encode(NO_BRIDGE)),
    }
    try {
      return new WebAssembly.Instance(this.#module, {
        'extism:host/env': blocks.env,
        'extism:host/user': user,
      })
    } catch (error) {
      throw notEnclave(reasonOf(error))
    }
  }
}

/** A module has no digest. Its declarations catch a wrong module, but only the caller can know that it's genuine. */
function expectEnclave(module: WebAssembly.Module): void {
  if (!(module instanceof WebAssembly.Module)) throw notEnclave('it is not a compiled WebAssembly.Module')
  const [section] = WebAssembly.Module.customSections(module, DECLARATIONS)
  if (!section) throw notEnclave('it does not declare the exports of the enclave')
  const lines = decoder.decode(section).split('\n')
  const declared = lines.map((line) => line.split(' ', 1)[0] ?? '').filter(Boolean)
  if (!isSame(declared, EXPORTS) && !isSame(declared, [...EXPORTS, ...DEVICE_EXPORTS]))
    throw notEnclave('it is another version of it')
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name))
}

function notEnclave(why: string): EnclaveError {
  return new EnclaveError(
    'WASM_NOT_LOADED',
    `This module is not this package's enclave: ${why}. Take \`@keyhole/enclave/enclave.wasm\` or \`enclave-devices.wasm\`.`,
  )
}

function isFunction(entry: [string, unknown]): entry is [string, () => unknown] {
  return typeof entry[1] === 'function'
}
