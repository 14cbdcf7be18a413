import { toBase64Url } from '@keyhole/vault/base64url'
import { t } from '@lingui/core/macro'
import { LONGEST_TEXT, sizeWords } from '../text/too-long.ts'

/** A dropped token file as text, or why it is not read. */
export async function readTextFile(file: File): Promise<{ text: string } | { problem: string }> {
  const { name } = file
  if (file.size > LONGEST_TEXT) {
    const size = sizeWords(file.size)
    return { problem: t`“${name}” has ${size}: too much for a token. It was not read.` }
  }
  try {
    return { text: tokenText(new Uint8Array(await file.arrayBuffer())) }
  } catch {
    return { problem: t`“${name}” could not be read. Is it still there, and may this browser open it?` }
  }
}

/** The raw headers of a container, and the base64url ones of the same kind (Container 0.1.0). */
const RAW_CONTAINERS: Readonly<Record<number, string>> = { 64: 'C', 77: 'P' }

/** The text of a token's bytes: text as it is; a raw container or a raw envelope in base64url. */
export function tokenText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Raw tokens are no text: they hold signatures, and CBOR or gzip around them.
    const header = RAW_CONTAINERS[bytes[0] ?? 0]
    return header === undefined ? toBase64Url(bytes) : header + toBase64Url(bytes.subarray(1))
  }
}
