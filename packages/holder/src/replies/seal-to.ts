// Seals to a public key: HPKE in base mode, as sealed-answer.ts opens it.
import { joined } from '../codec/value.ts'
import { refuse } from '../errors.ts'
import { makeShared, schedule, secretOf } from './sealed-answer.ts'

/**
 * Seals a text to an X25519 key.
 * @param key the receiver's public key, 32 bytes
 * @param info what the text is bound to: the receiver opens it with the same
 * @returns the public key of this message, and the ciphertext with its tag
 * @throws HolderError Unsupported; InvalidInput if this isn't a key
 */
export async function sealTo(
  key: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
  info: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const { shared, publicKey } = await makeShared(key).catch((cause) =>
    refuse('InvalidInput', "This isn't an X25519 key, or this platform's WebCrypto has none.", { cause }),
  )
  const secret = await schedule(await secretOf(shared, joined([publicKey, key])), info)
  const imported = await crypto.subtle.importKey('raw', secret.key, 'AES-GCM', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: secret.nonce }, imported, text)
  return joined([publicKey, new Uint8Array(sealed)])
}
