import { bytesIn, mayBeInvocation, tokensIn } from './container.ts'

/** Longest unpacked text that is looked into, in bytes: more than the longest chain that an owner is asked about. */
const LONGEST = 1 << 18
/** Most tokens that may be invocations. A call has one, but its proofs may contain the same words. */
const MOST = 4
/** Bytes that are made a text at once. */
const PART = 8_192

/**
 * The tokens in a text that may be invocations, each as a text. So whoever reads them checks no other signatures: a compressed text has room for
 * thousands.
 *
 * @returns none if there are too many, or if the text is too long or can't be read
 */
export async function invocationsIn(text: string): Promise<readonly string[]> {
  // What is no container is one token.
  if (!/^[BCOP]/.test(text)) return [text]
  const packed = bytesIn(text.slice(1)) ?? ''
  const bytes = /^[BC]/.test(text) ? packed : await unpack(packed)
  const found = new Set(tokensIn(bytes)?.filter(mayBeInvocation))
  return found.size > MOST ? [] : [...found].map(btoa)
}

/** Unpacks gzip. @returns nothing if it can't be unpacked, or is too long */
async function unpack(packed: string): Promise<string> {
  const stream = new Blob([Uint8Array.from(packed, (byte) => byte.charCodeAt(0))]).stream()
  const reader = stream.pipeThrough(new DecompressionStream('gzip')).getReader()
  let bytes = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (bytes.length + read.value.length > LONGEST) return ''
      for (let at = 0; at < read.value.length; at += PART)
        bytes += String.fromCharCode(...read.value.subarray(at, at + PART))
    }
    return bytes
  } catch {
    return ''
  } finally {
    void reader.cancel().catch(() => {})
  }
}
