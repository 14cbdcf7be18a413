import type { Browser, CDPSession } from '@playwright/test'
import * as v from 'valibot'

/** A place in a worker's memory where one of the needles was found. */
export interface Found {
  readonly needle: string
  /** `WebAssembly.Memory`, or the kind of JavaScript buffer. */
  readonly kind: string
  readonly byteLength: number
}

/** Every live buffer of a worker, as the debugger sees it. The product isn't changed for this. */
const KINDS = ['WebAssembly.Memory', 'ArrayBuffer', 'Uint8Array'] as const

const reply = v.object({
  id: v.number(),
  result: v.optional(v.looseObject({ result: v.optional(v.unknown()), objects: v.optional(v.unknown()) })),
  error: v.optional(v.looseObject({ code: v.number(), message: v.string() })),
})
const remote = v.looseObject({ objectId: v.string() })
const returned = v.looseObject({
  value: v.array(v.object({ needle: v.string(), byteLength: v.number() })),
})
const numberReturned = v.looseObject({ value: v.number() })

/** Runs in the worker, with `this` as a list of buffers. Searches each buffer for each needle (in hex). */
const SEARCH = `function (needles) {
  const found = []
  const seen = new Set()
  for (const holder of this) {
    const buffer = ArrayBuffer.isView(holder) || holder instanceof WebAssembly.Memory ? holder.buffer : holder
    if (seen.has(buffer) || buffer.byteLength === 0) continue
    seen.add(buffer)
    const bytes = new Uint8Array(buffer)
    for (const [needle, hex] of Object.entries(needles)) {
      const wanted = hex.match(/../g).map((pair) => parseInt(pair, 16))
      for (let at = bytes.indexOf(wanted[0]); at >= 0; at = bytes.indexOf(wanted[0], at + 1)) {
        if (wanted.every((byte, index) => bytes[at + index] === byte)) {
          found.push({ needle, byteLength: buffer.byteLength })
          break
        }
      }
    }
  }
  return found
}`

/** How often to ask the debugger before giving up. */
const TRIES = 3
/** What V8's inspector answers when it can't do what it was asked, for example because it doesn't know a context. */
const SERVER_ERROR = -32000

class InspectorError extends Error {
  override readonly name = 'InspectorError'
  readonly code: number | undefined

  constructor(message: string, code: number | undefined) {
    super(message)
    this.code = code
  }
}

/** A shared worker under the debugger. */
export class WorkerMemory {
  readonly #session: CDPSession
  readonly #target: string
  #calls = 0

  private constructor(session: CDPSession, target: string) {
    this.#session = session
    this.#target = target
  }

  /** Attaches to a site's shared worker. @param site the start of its address */
  static async attach(browser: Browser, site: string): Promise<WorkerMemory> {
    const session = await browser.newBrowserCDPSession()
    const { targetInfos } = await session.send('Target.getTargets')
    const workers = targetInfos.filter(({ type, url }) => type === 'shared_worker' && url.startsWith(site))
    const [worker] = workers
    if (!worker || workers.length > 1)
      throw new Error(`${site} has ${workers.length} shared workers, not one`)
    const { sessionId } = await session.send('Target.attachToTarget', {
      targetId: worker.targetId,
      flatten: false,
    })
    return new WorkerMemory(session, sessionId)
  }

  /** Where these bytes are in the worker right now, after garbage collection. */
  async find(needles: Readonly<Record<string, Uint8Array>>): Promise<Found[]> {
    const wanted = Object.fromEntries(
      Object.entries(needles).map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')]),
    )
    const found: Found[] = []
    for (const kind of KINDS) {
      const { value } = v.parse(returned, await this.#over(kind, SEARCH, [wanted]))
      found.push(...value.map((each) => ({ ...each, kind })))
    }
    return found
  }

  /** Total bytes of all linear memories. */
  async linearMemory(): Promise<number> {
    const sum = 'function () { return this.reduce((total, { buffer }) => total + buffer.byteLength, 0) }'
    return v.parse(numberReturned, await this.#over('WebAssembly.Memory', sum, [])).value
  }

  async detach(): Promise<void> {
    await this.#session.detach()
  }

  /** Calls a function with the list of all live objects of a kind. */
  async #over(
    kind: (typeof KINDS)[number],
    functionDeclaration: string,
    values: unknown[],
  ): Promise<unknown> {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await this.#overOnce(kind, functionDeclaration, values)
      } catch (error) {
        // In rare cases V8's inspector doesn't know the context it has just answered from. Nothing was searched then, so try again.
        const isLost = error instanceof InspectorError && error.code === SERVER_ERROR
        if (!isLost || left === 1) throw error
      }
    }
  }

  async #overOnce(
    kind: (typeof KINDS)[number],
    functionDeclaration: string,
    values: unknown[],
  ): Promise<unknown> {
    const { result: prototype } = await this.#send('Runtime.evaluate', { expression: `${kind}.prototype` })
    const { objectId: prototypeObjectId } = v.parse(remote, prototype)
    const { objects } = await this.#send('Runtime.queryObjects', { prototypeObjectId })
    const { objectId } = v.parse(remote, objects)
    const { result } = await this.#send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration,
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
    })
    // The list itself would keep the buffers alive.
    await this.#send('Runtime.releaseObject', { objectId })
    return result
  }

  async #send(method: string, params: object): Promise<{ result?: unknown; objects?: unknown }> {
    this.#calls += 1
    const id = this.#calls
    const answered = new Promise<v.InferOutput<typeof reply>>((resolve) => {
      const listen = ({ sessionId, message }: { sessionId: string; message: string }) => {
        if (sessionId !== this.#target) return
        const parsed = v.safeParse(reply, JSON.parse(message))
        if (!parsed.success || parsed.output.id !== id) return
        this.#session.off('Target.receivedMessageFromTarget', listen)
        resolve(parsed.output)
      }
      this.#session.on('Target.receivedMessageFromTarget', listen)
    })
    const message = JSON.stringify({ id, method, params })
    await this.#session.send('Target.sendMessageToTarget', { sessionId: this.#target, message })
    const { result, error } = await answered
    if (!result) throw new InspectorError(`${method}: ${error?.message ?? 'no answer'}`, error?.code)
    return result
  }
}
