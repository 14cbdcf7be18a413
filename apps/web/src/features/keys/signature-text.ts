import { fromBase64Url } from '@keyhole/vault/base64url'
import { t } from '@lingui/core/macro'

/**
 * A pasted signature: base64url, base64, hex, or a JSON array of bytes.
 * @returns its bytes, or what is wrong with it
 */
export function readSignature(text: string): { bytes: Uint8Array<ArrayBuffer> } | { problem: string } {
  const joined = text.replace(/\s+/g, '')
  if (joined === '') return { problem: t`Paste the signature.` }
  if (joined.length > 1024) return { problem: t`This is too long for a signature, which has 64 bytes.` }
  const bytes = decode(joined)
  if (!bytes) return { problem: t`This isn’t a signature. It should be base64url, base64 or hex.` }
  const { length } = bytes
  if (length !== 64) return { problem: t`A signature has 64 bytes; this has ${length}. Was it cut?` }
  return { bytes }
}

function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (/^[0-9a-fA-F]{128}$/.test(text)) {
    return Uint8Array.from({ length: 64 }, (_, index) =>
      Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
    )
  }
  if (/^\[\d{1,3}(,\d{1,3})*\]$/.test(text)) {
    const numbers = text.slice(1, -1).split(',').map(Number)
    return numbers.every((byte) => byte <= 255) ? Uint8Array.from(numbers) : undefined
  }
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
}
