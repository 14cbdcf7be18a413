import { t } from '@lingui/core/macro'

/** A key is a few hundred bytes. A longer file is something else. */
const LARGEST_KEY_FILE = 64 * 1024

/**
 * The key in a file: text as it is (PEM, JWK, words), anything else (DER) as base64.
 * @returns the text, or why it could not be read
 */
export async function readKeyFile(file: File): Promise<{ text: string } | { problem: string }> {
  const { name } = file
  if (file.size > LARGEST_KEY_FILE) {
    return { problem: t`“${name}” is too long for a key. It was not read.` }
  }
  try {
    return { text: keyText(new Uint8Array(await file.arrayBuffer())) }
  } catch {
    return { problem: t`“${name}” could not be read. Is it still there?` }
  }
}

/** A key file's bytes as text that `previewKey` can read. */
export function keyText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // DER may happen to be valid UTF-8, but it has control characters.
    if (!/[^\P{Cc}\s]/u.test(text)) return text
  } catch {
    // Not UTF-8, so DER.
  }
  return btoa(String.fromCharCode(...bytes))
}
