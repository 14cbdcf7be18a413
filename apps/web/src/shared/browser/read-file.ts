import { toBase64Url } from '@keyhole/vault/base64url'
import { t } from '@lingui/core/macro'
import { LONGEST_TEXT, sizeWords } from '../text/too-long.ts'

/** A dropped token file as text, or why it could not be read. */
export async function readTextFile(file: File): Promise<{ text: string } | { problem: string }> {
  const { name } = file
  if (file.size > LONGEST_TEXT) {
    const size = sizeWords(file.size)
    return { problem: t`“${name}” is ${size}: too large for a token. It was not read.` }
  }
  try {
    return { text: tokenText(new Uint8Array(await file.arrayBuffer())) }
  } catch {
    return { problem: t`“${name}” could not be read. Is it still there, and may this browser open it?` }
  }
}

/** The raw headers of a container, and the matching base64url ones (Container 0.1.0). */
const RAW_CONTAINERS: Readonly<Record<number, string>> = { 64: 'C', 77: 'P' }

/** A token's bytes as text: text as it is, a raw container or envelope as base64url. */
export function tokenText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Raw tokens aren't text: they contain signatures, inside CBOR or gzip.
    const header = RAW_CONTAINERS[bytes[0] ?? 0]
    return header === undefined ? toBase64Url(bytes) : header + toBase64Url(bytes.subarray(1))
  }
}
