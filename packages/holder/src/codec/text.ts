// Bytes as text, in canonical form only (RFC 4648; base58btc as in did:key).
import { numberOf, toBytes } from './number.ts'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base64 without padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toLatin1(bytes)).replace(/=+$/, '')
}

/** Base64url without padding. */
export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_')
}

/** Reads {@link toBase64url}; undefined for anything else. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const isUrl = !/[+/]/.test(text)
  return isUrl ? fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')) : undefined
}

/** Reads {@link toBase64}; undefined for anything else, including nonzero leftover bits. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const letters = atob(text)
    const bytes = new Uint8Array(letters.length)
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at)
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

/** Reads hexadecimal in either case; undefined for anything else. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[\da-f]{2})*$/i.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
}

/** Base32 in lower case, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / 5)
  const number = numberOf(bytes) << BigInt(length * 5 - bytes.length * 8)
  return write(number, BASE32).padStart(length, 'a')
}

/** Reads {@link toBase32}; undefined for anything else. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const length = Math.floor((text.length * 5) / 8)
  const number = read(text, BASE32)
  const bytes = toBytes((number ?? 0n) >> BigInt(text.length * 5 - length * 8), length)
  return toBase32(bytes) === text ? bytes : undefined
}

/** Base58btc of bytes that don't start with zero. Takes quadratic time, so callers limit the length. */
export function toBase58(bytes: Uint8Array): string {
  return write(numberOf(bytes), BASE58)
}

/** Reads {@link toBase58}; undefined for anything else. */
export function fromBase58(text: string): Uint8Array<ArrayBuffer> | undefined {
  const number = text.startsWith('1') ? undefined : read(text, BASE58)
  return number === undefined ? number : toBytes(number, Math.ceil(number.toString(16).length / 2))
}

/** Bytes as a text with one character per byte. */
export function toLatin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  return text
}

/** A number in the digits of an alphabet. */
export function write(number: bigint, alphabet: string): string {
  const base = BigInt(alphabet.length)
  let text = ''
  for (let rest = number; rest > 0n; rest /= base) text = alphabet.charAt(Number(rest % base)) + text
  return text
}

function read(text: string, alphabet: string): bigint | undefined {
  let number = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit < 0) return undefined
    number = number * BigInt(alphabet.length) + BigInt(digit)
  }
  return number
}
