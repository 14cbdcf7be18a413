import { createHash } from 'node:crypto'
import { EXPORTS } from '../generated/exports.ts'
import type { VerifiedWasm } from '../loading/digest.ts'

// stand-in.wat, assembled: wasm-as stand-in.wat -o - | base64
const ASSEMBLED =
  'AGFzbQEAAAABHQZgAAF/YAABfmABfgF/YAF+AX5gAn5/AGACfn4AApABBQ9leHRpc206aG9zdC9lbnYMaW5wdXRfbGVuZ3RoAAEPZXh0' +
  'aXNtOmhvc3QvZW52DWlucHV0X2xvYWRfdTgAAg9leHRpc206aG9zdC9lbnYFYWxsb2MAAw9leHRpc206aG9zdC9lbnYIc3RvcmVfdTgA' +
  'BA9leHRpc206aG9zdC9lbnYKb3V0cHV0X3NldAAFAwYFAAAAAAAFAwEAAQd5CQZtZW1vcnkCAAx2ZXJpZnlfdG9rZW4ABQx1bmxvY2tf' +
  'dmF1bHQABQpvcGVuX3ZhdWx0AAUNaW5zcGVjdF90b2tlbgAGCWxpc3Rfa2V5cwAHD2V2YWx1YXRlX3BvbGljeQAHDHZhdWx0X3N0YXR1' +
  'cwAIBHdhcm0ACQpeBUUBA35BAEEAKAIAQQFqNgIAEAAhASABEAIhAgJAA0AgACABWg0BIAIgAHwgABABEAMgAEIBfCEADAALAAsgAiAB' +
  'EARBAAsIAANADAALAAsDAAALBABBAAsEAEEACw=='

const bytes = Uint8Array.from(Buffer.from(ASSEMBLED, 'base64'))

/**
 * A plugin that does what the real one must never do: `inspect_token` never ends, `list_keys` and `evaluate_policy`
 * trap, `vault_status` returns nothing; `verify_token`, `unlock_vault` and `open_vault` return their input.
 */
export const standIn: VerifiedWasm = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }

/** The same as a module that declares the real one's exports; otherwise it would be rejected. */
export async function standInModule(): Promise<WebAssembly.Module> {
  const lines = EXPORTS.map((name) => `${name}\n`)
  const section = [text('keyhole.exports'), Buffer.from(lines.join(''))]
  const content = Buffer.concat(section)
  return WebAssembly.compile(Buffer.concat([bytes, Buffer.of(0), leb128(content.length), content]))
}

/** A name in wasm's format: its length and its letters. */
function text(name: string): Buffer {
  return Buffer.concat([leb128(name.length), Buffer.from(name)])
}

function leb128(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; bytes.length === 0 || rest > 0; rest >>>= 7)
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0))
  return Buffer.from(bytes)
}
