import {
  type CallContext,
  createPlugin,
  type Plugin as ExtismPlugin,
  type ExtismPluginOptions,
} from '@extism/extism'
import type { VerifiedWasm } from '../loading/digest.ts'
import { type LinearMemory, put, take } from './blocks.ts'
import { bridgeTo } from './bridge.ts'
import { randomBytes } from './random.ts'
import { inSteps, PAUSE_DERIVATIONS, type PluginOptions, type RunningPlugin } from './running-plugin.ts'

/** Size of the buffer between Extism's worker and us, in bytes. */
const SHARED_BUFFER = 65_536

/** Extism's own worker fails at call 16,383, when its table of blocks is full. */
const CALLS_BEFORE_RECYCLING = 4_096

const encoder = new TextEncoder()

/**
 * The plugin in Extism. The caller must make calls one at a time. The blocks for input and output are overwritten,
 * because Extism frees them without doing so.
 */
export class Plugin implements RunningPlugin {
  readonly #wasm: VerifiedWasm
  readonly #options: PluginOptions
  readonly #exports: ReadonlySet<string>
  #extism: ExtismPlugin
  #calls = 0
  #wiped = false

  private constructor(
    wasm: VerifiedWasm,
    options: PluginOptions,
    extism: ExtismPlugin,
    exports: ReadonlySet<string>,
  ) {
    this.#wasm = wasm
    this.#options = options
    this.#extism = extism
    this.#exports = exports
  }

  /** Compiles and instantiates the plugin. Extism checks the digest again. */
  static async create(wasm: VerifiedWasm, options: PluginOptions): Promise<Plugin> {
    const extism = await instantiate(wasm, options)
    const functions = (await extism.getExports()).filter(({ kind }) => kind === 'function')
    const plugin = new Plugin(wasm, options, extism, new Set(functions.map(({ name }) => name)))
    await plugin.#pauseDerivations()
    return plugin
  }

  has(name: string): boolean {
    return this.#exports.has(name)
  }

  fresh(): Promise<Plugin> {
    return Plugin.create(this.#wasm, this.#options)
  }

  call(
    name: string,
    input: string | Uint8Array<ArrayBuffer>,
    goesOn?: () => Promise<boolean>,
  ): Promise<string | undefined> {
    return inSteps((given) => this.#step(name, given), input, goesOn)
  }

  async #step(name: string, input: string | Uint8Array<ArrayBuffer>): Promise<string | undefined> {
    this.#calls += 1
    if (this.#options.worker && this.#calls % CALLS_BEFORE_RECYCLING === 0) await this.#recycle()
    // Extism uses an array directly if it fills its buffer, and copies any other. We couldn't overwrite a copy.
    const bytes = ownBuffer(typeof input === 'string' ? encoder.encode(input) : input)
    try {
      const output = await this.#extism.call(name, bytes)
      const text = output?.text()
      output?.bytes().fill(0)
      return text
    } finally {
      bytes.fill(0)
    }
  }

  /** The instance's linear memory; undefined if it runs in Extism's worker. */
  async memory(): Promise<WebAssembly.Memory | undefined> {
    return this.#options.worker ? undefined : memoryOf(await this.#extism.getInstance())
  }

  async wipe(): Promise<void> {
    if (this.#wiped) return
    this.#wiped = true
    const memory = await this.memory()
    if (memory) new Uint8Array(memory.buffer).fill(0)
    await this.#extism.close()
  }

  /** Our own thread pauses while deriving a key, to notice a lock. Extism's worker has no vault to lock. */
  async #pauseDerivations(): Promise<void> {
    const { name, input } = PAUSE_DERIVATIONS
    if (!this.#options.worker && this.has(name)) await this.#step(name, input)
  }

  async #recycle(): Promise<void> {
    await this.#extism.close()
    this.#extism = await instantiate(this.#wasm, this.#options)
  }
}

function ownBuffer(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const own = bytes.slice()
  bytes.fill(0)
  return own
}

async function instantiate(wasm: VerifiedWasm, options: PluginOptions): Promise<ExtismPlugin> {
  // Without JSPI, a plugin in our thread can't wait for a response. The bridge then refuses, and the plugin reports
  // that.
  const canWait = options.worker || 'Suspending' in WebAssembly
  const linear: LinearMemory = {}
  const extism: ExtismPluginOptions = {
    useWasi: false,
    // Extism's own bridge traps when it refuses, and makes every call of every plugin suspendable.
    allowedHosts: [],
    functions: {
      'extism:host/user': {
        keyhole_random: random,
        keyhole_now: now,
        keyhole_take: (context: CallContext, block: bigint, to: number, length: number) =>
          take(linear, context, block, to, length),
        keyhole_put: (context: CallContext, block: bigint, from: number, length: number) =>
          put(linear, context, block, from, length),
        keyhole_fetch: canWait ? bridgeTo(options.allowedHosts) : bridgeTo([]),
      },
    },
    ...(options.worker && { runInWorker: true, sharedArrayBufferSize: SHARED_BUFFER }),
  }
  const plugin = await createPlugin({ wasm: [{ data: wasm.bytes, hash: wasm.sha256 }] }, extism)
  if (!options.worker) linear.memory = memoryOf(await plugin.getInstance())
  return plugin
}

function memoryOf({ exports }: WebAssembly.Instance): WebAssembly.Memory | undefined {
  return exports.memory instanceof WebAssembly.Memory ? exports.memory : undefined
}

/** `keyhole_random(n)`: a block of n random bytes, the only copy, which the plugin overwrites after reading. */
function random(context: CallContext, length: bigint): bigint {
  return context.store(randomBytes(Number(length)))
}

/** `keyhole_now()`: milliseconds since 1970. */
function now(): bigint {
  return BigInt(Date.now())
}
