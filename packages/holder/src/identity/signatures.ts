import { type Budget, ECDSA, ED25519, READ } from '../codec/work-budget.ts'
import { HolderError } from '../errors.ts'
import { verifyEcdsa } from './ecdsa.ts'
import { isUsableKey } from './ed25519.ts'
import type { PublicKey } from './key-type.ts'

/** Length of a signature with any of the algorithms, in bytes. */
const SIGNATURE_LENGTH = 64

/**
 * Whether a signature is this key's for a message.
 * @throws HolderError TooMuchWork; Unsupported if WebCrypto has no Ed25519
 */
export async function verifySignature(
  key: PublicKey,
  message: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  budget: Budget,
): Promise<boolean> {
  budget.spend((key.type === 'Ed25519' ? ED25519 : ECDSA) + READ * message.length)
  if (signature.length !== SIGNATURE_LENGTH) return false
  if (key.type !== 'Ed25519') {
    return verifyEcdsa(key, new Uint8Array(await crypto.subtle.digest('SHA-256', message)), signature)
  }
  if (!isUsableKey(key.bytes)) return false
  const imported = await withEd25519(crypto.subtle.importKey('raw', key.bytes, 'Ed25519', false, ['verify']))
  return await crypto.subtle.verify('Ed25519', imported, signature, message)
}

/** Waits for WebCrypto, which may lack Ed25519. @throws HolderError Unsupported */
export function withEd25519<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause) => {
    throw new HolderError('Unsupported', "This platform's WebCrypto has no Ed25519: update it.", { cause })
  })
}
