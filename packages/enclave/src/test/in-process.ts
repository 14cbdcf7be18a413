// The plugin in this thread with a given clock and randomness, so that its output can be compared byte for byte with
// another implementation's.
import { parseJson, stringifyJson } from '../json.ts'
import { fetchVerified } from '../loading/source.ts'
import { Plugin } from '../plugin/plugin.ts'
import type { EnclaveExport } from '../types.ts'

/** What a call gets from its host. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The random bytes it gets, however many it asks for. */
  readonly random: Uint8Array
}

export interface InProcessEnclave {
  /** Calls an export. One call at a time. */
  call(name: EnclaveExport, input: unknown, moment?: Moment): Promise<unknown>
  close(): Promise<void>
}

/** Loads the built plugin. */
export async function inProcessEnclave(): Promise<InProcessEnclave> {
  const wasm = await fetchVerified(undefined, { timeout: 30_000, signal: undefined })
  const plugin = await Plugin.create(wasm, { allowedHosts: [] })
  return {
    async call(name, input, moment) {
      const restore = moment ? stub(moment) : () => {}
      try {
        const output = await plugin.call(name, stringifyJson(input))
        return output === undefined || output === '' ? undefined : parseJson(output)
      } finally {
        restore()
      }
    },
    close: () => plugin.wipe(),
  }
}

/** The plugin's host uses the platform, so replace its clock and randomness during one call. */
function stub({ now, random }: Moment): () => void {
  const { now: realNow } = Date
  const { getRandomValues } = crypto
  Date.now = () => now
  crypto.getRandomValues = (array) => {
    if (array instanceof Uint8Array) array.set(random.subarray(0, array.length))
    return array
  }
  return () => {
    Date.now = realNow
    crypto.getRandomValues = getRandomValues
  }
}
