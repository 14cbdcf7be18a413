// A notice that a grant was opened, sealed to those who have the secret of its link (docs/relay.md).
import { fromBase64Url, toBase64Url } from '../base/base64url.ts'

/** Length of a notice, in bytes: every one is as long, so a relay learns nothing from it. */
const LENGTH = 1_024
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
/** Length of what is sealed. A text that is shorter ends with spaces. */
const TEXT_LENGTH = LENGTH - NONCE_LENGTH - TAG_LENGTH

const encoder = new TextEncoder()

/** Makes the secret of a link: 16 random bytes as base64url. */
export function makeLinkSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)))
}

/** The name of the place at a relay that belongs to a secret. It says nothing about the secret. */
export async function placeOf(secret: string): Promise<string> {
  const bits = await crypto.subtle.deriveBits(derivation('place'), await keyOf(secret, 'deriveBits'), 256)
  return toBase64Url(new Uint8Array(bits))
}

/** Seals a text as a notice; undefined if it is too long for one. */
export async function sealNotice(secret: string, text: string): Promise<string | undefined> {
  const bytes = encoder.encode(text)
  if (bytes.length > TEXT_LENGTH) return undefined
  const padded = new Uint8Array(TEXT_LENGTH).fill(0x20)
  padded.set(bytes)
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_LENGTH))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await sealKey(secret, 'encrypt'),
    padded,
  )
  const notice = new Uint8Array(LENGTH)
  notice.set(iv)
  notice.set(new Uint8Array(sealed), NONCE_LENGTH)
  return toBase64Url(notice)
}

/** The text of a notice; undefined if it isn't sealed with this secret. */
export async function openNotice(secret: string, notice: string): Promise<string | undefined> {
  const bytes = fromBase64Url(notice)
  if (bytes?.length !== LENGTH) return undefined
  const iv = bytes.subarray(0, NONCE_LENGTH)
  try {
    const key = await sealKey(secret, 'decrypt')
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(NONCE_LENGTH))
    return new TextDecoder().decode(text).trimEnd()
  } catch {
    return undefined
  }
}

async function sealKey(secret: string, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  const aes = { name: 'AES-GCM', length: 256 }
  return await crypto.subtle.deriveKey(derivation('key'), await keyOf(secret, 'deriveKey'), aes, false, [use])
}

async function keyOf(secret: string, use: 'deriveBits' | 'deriveKey'): Promise<CryptoKey> {
  const bytes = fromBase64Url(secret) ?? new Uint8Array()
  return await crypto.subtle.importKey('raw', bytes, 'HKDF', false, [use])
}

const derivation = (use: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(),
  info: encoder.encode(`keyhole opened 1 ${use}`),
})
