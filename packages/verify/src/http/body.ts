import type { IncomingMessage } from 'node:http'

/**
 * Maximum length of a body, in bytes. For a longer one at least one more byte is read, so that the verifier refuses it.
 */
const MOST = 64 * 1_024

/** Reads a short body as text, without surrounding white space. @throws Error if the connection breaks */
export async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    parts.push(bytes)
    length += bytes.length
    if (length > MOST) break
  }
  return Buffer.concat(parts).toString('latin1').trim()
}
