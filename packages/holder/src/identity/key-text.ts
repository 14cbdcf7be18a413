// A private key as text, for files and for the secrets of a job. Its prefix tells anyone who finds one what it is.
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { joined } from '../codec/value.ts'
import { refuse } from '../errors.ts'
import { type HolderKey, randomBytes } from './holder-key.ts'
import { withEd25519 } from './signatures.ts'

const BEGIN = 'keyhole-key-1.'
/** PKCS #8 of an Ed25519 key (RFC 8410) up to the 32 bytes of its seed. */
const PKCS8 = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32)

/** Makes the text of a new key, for stores that keep files. */
export function makeKeyText(random: (length: number) => Uint8Array = randomBytes): string {
  return BEGIN + toBase64url(random(32))
}

/**
 * Reads a key from a text of {@link makeKeyText}.
 * @throws HolderError NoKey for any other text, without repeating it; Unsupported
 */
export async function readKeyText(text: string): Promise<HolderKey> {
  const trimmed = text.trim()
  const seed = trimmed.startsWith(BEGIN) ? fromBase64url(trimmed.slice(BEGIN.length)) : undefined
  if (seed?.length !== 32) return refuse('NoKey', `This isn't a holder's key: one starts with ${BEGIN}`)
  const bytes = joined([PKCS8, seed])
  const load = (isOpen: boolean) =>
    withEd25519(crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', isOpen, ['sign']))
  // Only an extractable key reveals its public half, so load one briefly.
  const { x = '' } = await crypto.subtle.exportKey('jwk', await load(true))
  const privateKey = await load(false)
  bytes.fill(0)
  seed.fill(0)
  return { publicKey: fromBase64url(x) ?? refuse('NoKey', "The key can't be read."), privateKey }
}
