// The holder's own key: Ed25519 in WebCrypto. Code that has it can sign, but not read it out.
import { withEd25519 } from './signatures.ts'

/** A signing key. */
export interface HolderKey {
  /** The public half, 32 bytes. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  /** The private half, not extractable. */
  readonly privateKey: CryptoKey
}

/** Makes a key. @throws HolderError Unsupported */
export async function makeKey(): Promise<HolderKey> {
  const { publicKey, privateKey } = await withEd25519(generate())
  return { publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)), privateKey }
}

async function generate(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
}

/** Signs a message. */
export async function signWith(
  { privateKey }: HolderKey,
  message: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, message))
}

/** Random bytes from the platform. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}
