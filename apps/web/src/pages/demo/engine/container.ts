import { fromBase64Url, toBase64Url } from '@keyhole/vault/base64url'

const HEAD = [0xa1, 0x66, ...new TextEncoder().encode('ctn-v1')]

/** Reads a CBOR head (RFC 8949, section 3): its argument, and where the content starts. */
function head(bytes: Uint8Array, at: number): { argument: number; next: number } {
  const info = (bytes[at] ?? 0) & 0x1f
  if (info < 24) return { argument: info, next: at + 1 }
  const width = 1 << (info - 24)
  let argument = 0
  for (let index = 1; index <= width; index += 1) argument = argument * 256 + (bytes[at + index] ?? 0)
  return { argument, next: at + 1 + width }
}

function makeHead(major: number, argument: number): number[] {
  const type = major << 5
  if (argument < 24) return [type | argument]
  if (argument < 256) return [type | 24, argument]
  return [type | 25, argument >> 8, argument & 0xff]
}

/** The envelopes in a token's text, in the container's order. Only for texts written by the enclave: base64url, plain or gzip. */
export async function envelopesOf(text: string): Promise<Uint8Array[]> {
  const body = fromBase64Url(text.slice(1))
  if (!body) throw new Error('This text is not base64url.')
  const bytes = text.startsWith('P') ? await gunzip(body) : body
  const envelopes: Uint8Array[] = []
  let { argument: count, next: at } = head(bytes, HEAD.length)
  for (; count > 0; count -= 1) {
    const { argument: length, next } = head(bytes, at)
    envelopes.push(bytes.slice(next, next + length))
    at = next + length
  }
  return envelopes
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A container of envelopes as base64url text. */
export function containerOf(envelopes: readonly Uint8Array[]): string {
  const parts = envelopes.flatMap((envelope) => [...makeHead(2, envelope.length), ...envelope])
  return `C${toBase64Url(Uint8Array.from([...HEAD, ...makeHead(4, envelopes.length), ...parts]))}`
}

/** Where the payload of an envelope starts: after 0x82, the signature's two-byte head and its 64 bytes. */
const SAID = 67

/** The same envelope with one bit of its signature flipped. */
export function tamper(envelope: Uint8Array): Uint8Array {
  const changed = envelope.slice()
  changed[40] = (changed[40] ?? 0) ^ 1
  return changed
}

/** The bytes that an envelope's signature covers. */
export function saidIn(envelope: Uint8Array): Uint8Array {
  return envelope.slice(SAID)
}

/** The same envelope with a different signature. */
export function withSignature(envelope: Uint8Array, signature: Uint8Array): Uint8Array {
  const changed = envelope.slice()
  changed.set(signature, SAID - 64)
  return changed
}

/** The same envelope with a text replaced by another of the same length. */
export function withText(envelope: Uint8Array, text: string, other: string): Uint8Array {
  const from = new TextEncoder().encode(text)
  const changed = envelope.slice()
  for (let at = SAID; at <= changed.length - from.length; at += 1) {
    if (from.every((byte, index) => changed[at + index] === byte)) {
      changed.set(new TextEncoder().encode(other), at)
      return changed
    }
  }
  throw new Error(`The envelope does not say ${text}.`)
}
