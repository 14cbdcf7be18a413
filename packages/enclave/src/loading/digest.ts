import { EnclaveError } from '../errors.ts'

const DIGEST = /^[0-9a-f]{64}$/

/** A plugin whose bytes have been checked. */
export interface VerifiedWasm {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 of the bytes, 64 hexadecimal digits in lower case. */
  readonly sha256: string
}

/**
 * Checks bytes against a digest, before they are compiled.
 * @param sha256 64 hexadecimal digits
 * @param from where the bytes come from, for the message
 * @throws EnclaveError WASM_NOT_LOADED if the digest is invalid, differs, or can't be computed
 */
export async function verifyWasm(
  bytes: Uint8Array<ArrayBuffer>,
  sha256: string,
  from: string,
): Promise<VerifiedWasm> {
  const expected = sha256.toLowerCase()
  if (!DIGEST.test(expected)) {
    throw new EnclaveError(
      'WASM_NOT_LOADED',
      `The SHA-256 given for the WASM from ${from} is not 64 hexadecimal digits.`,
      { from },
    )
  }
  if (globalThis.crypto?.subtle === undefined) {
    throw new EnclaveError(
      'WASM_NOT_LOADED',
      `The WASM from ${from} cannot be checked: this page is not in a secure context. Open it over HTTPS or on localhost.`,
      { from },
    )
  }
  const actual = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  if (actual !== expected) {
    throw new EnclaveError(
      'WASM_NOT_LOADED',
      `The WASM from ${from} is not the expected build: its SHA-256 is ${actual}, expected is ${expected}. It was not run.`,
      { from, actual, expected },
    )
  }
  return { bytes, sha256: expected }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
