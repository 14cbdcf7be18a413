import type { IncomingMessage } from 'node:http'

/** Longest body that is read, in bytes. One more is read of a longer one, and the verifier refuses that. */
const MOST = 64 * 1_024

/** Reads a short body as text, without the white space around it. @throws Error if the connection breaks */
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
