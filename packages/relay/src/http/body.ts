import { RelayError } from './answers.ts'

/** More than enough for the rest of a JSON body around the bytes. */
const AROUND = 4_096

/** Maximum length of a JSON body with that many bytes in base64url, in bytes. */
export function longestBody(bytes: number): number {
  return Math.ceil((bytes * 4) / 3) + AROUND
}

/** How many bytes have arrived at least, in base64url, of a JSON body of so many bytes. */
export function leastBytes(length: number): number {
  return Math.max(Math.floor(((length - AROUND) * 3) / 4), 0)
}

/**
 * Reads a JSON object of at most `limit` bytes, and stops reading there.
 *
 * @param onRead called with how many bytes have arrived. What it throws ends the reading
 * @throws RelayError too_large, bad_request
 */
export async function readJson(
  request: Request,
  limit: number,
  onRead: (length: number) => void = () => {},
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBytes(request, limit, onRead)
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Not JSON.
  }
  throw new RelayError('bad_request')
}

async function readBytes(
  request: Request,
  limit: number,
  onRead: (length: number) => void,
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new RelayError('too_large')
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  // A client that disconnects while sending isn't our failure.
  const next = () => reader?.read().catch(() => Promise.reject(new RelayError('bad_request')))
  for (let read = await next(); read && !read.done; read = await next()) {
    length += read.value.length
    try {
      if (length > limit) throw new RelayError('too_large')
      onRead(length)
    } catch (error) {
      await reader?.cancel()
      throw error
    }
    chunks.push(read.value)
  }
  return Buffer.concat(chunks)
}

/**
 * Decodes base64url without padding. Any other encoding of the same bytes is refused. @throws RelayError bad_request
 */
export function decodeBase64url(text: unknown): Uint8Array {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64url') : undefined
  if (!bytes || bytes.toString('base64url') !== text) throw new RelayError('bad_request')
  return bytes
}
