import { joinedBytes } from './bytes.ts'

/** A body, piece by piece. The connection ends if the caller stops early. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield next.value
  } finally {
    // Ends the connection if this stopped early. It may already be gone.
    void reader?.cancel().catch(() => undefined)
  }
}

/**
 * The bytes of a body; undefined if it is longer. Reads no more than a piece beyond that.
 * @param longest in bytes
 * @throws as `fetch` does
 */
export async function bytesWithin(response: Response, longest: number): Promise<Uint8Array | undefined> {
  let read = 0
  const chunks: Uint8Array[] = []
  for await (const bytes of chunksOf(response)) {
    read += bytes.length
    if (read > longest) return undefined
    chunks.push(bytes)
  }
  return joinedBytes(chunks, read)
}
