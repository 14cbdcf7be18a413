import { createHash } from 'node:crypto'
import type { VerifiedWasm } from '../loading/digest.ts'

// stand-in.wat, assembled: wasm-as stand-in.wat -o - | base64
const ASSEMBLED =
  'AGFzbQEAAAABHQZgAAF/YAABfmABfgF/YAF+AX5gAn5/AGACfn4AApABBQ9leHRpc206aG9zdC9lbnYMaW5wdXRfbGVuZ3RoAAEP' +
  'ZXh0aXNtOmhvc3QvZW52DWlucHV0X2xvYWRfdTgAAg9leHRpc206aG9zdC9lbnYFYWxsb2MAAw9leHRpc206aG9zdC9lbnYIc3Rv' +
  'cmVfdTgABA9leHRpc206aG9zdC9lbnYKb3V0cHV0X3NldAAFAwYFAAAAAAAFAwEAAQdnCAZtZW1vcnkCAAx2ZXJpZnlfdG9rZW4A' +
  'BQx1bmxvY2tfdmF1bHQABQpvcGVuX3ZhdWx0AAUNaW5zcGVjdF90b2tlbgAGCWxpc3Rfa2V5cwAHDHZhdWx0X3N0YXR1cwAIBHdh' +
  'cm0ACQpeBUUBA35BAEEAKAIAQQFqNgIAEAAhASABEAIhAgJAA0AgACABWg0BIAIgAHwgABABEAMgAEIBfCEADAALAAsgAiABEARB' +
  'AAsIAANADAALAAsDAAALBABBAAsEAEEACw=='

const bytes = Uint8Array.from(Buffer.from(ASSEMBLED, 'base64'))

/**
 * A plugin that does what the real one must never do: `inspect_token` never ends, `list_keys` traps, `vault_status` says
 * nothing; `verify_token`, `unlock_vault` and `open_vault` give back what they are given.
 */
export const standIn: VerifiedWasm = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
