// The body of a call: JSON that is signed, so that limits reach its fields, or bytes that are sent beside the call.
import { parseJson } from '@keyhole/enclave'
import type { ServiceCall } from './service-calls.ts'

/** Longest body, in bytes: the gate may take less. */
export const LONGEST_BODY = 67_108_864
/** Longest JSON that is signed itself if its token isn't too long, in bytes. */
const LONGEST_SIGNED = 65_536

/** Whether a text names a media type, as a call can say it. */
export function isMediaType(type: string): boolean {
  return /^[\x21-\x7e]+\/[\x20-\x7e]{1,200}$/.test(type)
}

/** A body as it is sent; undefined if it should be JSON and isn't. */
export async function serviceBody(
  bytes: Buffer,
  type: string,
): Promise<Pick<ServiceCall, 'body' | 'upload'> | undefined> {
  const upload = { upload: { bytes, type } }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type) || bytes.length > LONGEST_SIGNED) return upload
  try {
    const body = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const { uploadIn } = await import('@keyhole/gate')
    // JSON that the gate would take for a digest isn't signed.
    return uploadIn(body) ? upload : { body, ...upload }
  } catch {
    return undefined
  }
}
