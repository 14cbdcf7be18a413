// Opens a sealed answer: HPKE in base mode (RFC 9180) with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM,
// using only WebCrypto. docs/requests.md, "The seal".
import { joined } from '../codec/value.ts'
import { refuse } from '../errors.ts'

/** Length of an X25519 key, which comes before the ciphertext, in bytes. */
export const KEY_LENGTH = 32
const HASH_LENGTH = 32
const NONCE_LENGTH = 12

const utf8 = new TextEncoder()
const VERSION = utf8.encode('HPKE-v1')
/** RFC 9180, sections 4.1 and 5.1: the functions in use. */
const KEM = joined([utf8.encode('KEM'), Uint8Array.of(0, 0x20)])
const SUITE = joined([utf8.encode('HPKE'), Uint8Array.of(0, 0x20, 0, 1, 0, 2)])
const NOTHING = new Uint8Array()

/** The key an answer is sealed to; its private half can't be read out. */
export interface SealKey {
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly privateKey: CryptoKey
}

/** Creates a key for one answer. @throws HolderError Unsupported */
export async function makeSealKey(): Promise<SealKey> {
  const { publicKey, privateKey } = await generate().catch((cause) =>
    refuse('Unsupported', "This platform's WebCrypto has no X25519: update it.", { cause }),
  )
  return { publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)), privateKey }
}

async function generate(): Promise<CryptoKeyPair> {
  const pair = await crypto.subtle.generateKey('X25519', false, ['deriveBits'])
  if ('privateKey' in pair) return pair
  throw new TypeError('This is not a pair of keys.')
}

/** What an answer is bound to besides the keys: its request and its mailbox. */
export function sealInfo(digest: Uint8Array, mailbox: string): Uint8Array<ArrayBuffer> {
  return joined([utf8.encode('keyhole answer 1'), Uint8Array.of(0), digest, utf8.encode(mailbox)])
}

/**
 * Opens a sealed answer.
 * @param sealed the sender's public key for this message, and the ciphertext with its tag
 * @param info from {@link sealInfo}
 * @throws HolderError InvalidAnswer if it was sealed for another key, request or mailbox, or was changed
 */
export async function openSealed(
  { publicKey, privateKey }: SealKey,
  sealed: Uint8Array<ArrayBuffer>,
  info: Uint8Array,
): Promise<Uint8Array> {
  try {
    const sender = sealed.slice(0, KEY_LENGTH)
    const shared = await sharedWith(privateKey, sender)
    const { key, nonce } = await schedule(await secretOf(shared, joined([sender, publicKey])), info)
    const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
    const sealedText = sealed.slice(KEY_LENGTH)
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, imported, sealedText))
  } catch (cause) {
    return refuse('InvalidAnswer', 'The answer in the mailbox is not for this request, or was changed.', {
      cause,
    })
  }
}

async function sharedWith(
  privateKey: CryptoKey,
  key: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const other = await crypto.subtle.importKey('raw', key, 'X25519', false, [])
  const shared = new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'X25519', public: other }, privateKey, 256),
  )
  // With a key of small order, anyone would know the shared secret (RFC 9180, section 7.1.4).
  if (shared.every((byte) => byte === 0)) throw new TypeError('The shared secret is zero.')
  return shared
}

/** What a new key of the sender's shares with a receiver's. */
export async function makeShared(key: Uint8Array<ArrayBuffer>) {
  const { publicKey, privateKey } = await makeSealKey()
  return { publicKey, shared: await sharedWith(privateKey, key) }
}

/** The shared secret, from the result of the key exchange (section 4.1). */
export async function secretOf(shared: Uint8Array, keys: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const extracted = await extract(KEM, NOTHING, 'eae_prk', shared)
  return await expand(KEM, extracted, 'shared_secret', keys, HASH_LENGTH)
}

/** The key and nonce of the first message in base mode (section 5.1). */
export async function schedule(secret: Uint8Array<ArrayBuffer>, info: Uint8Array) {
  const context = joined([
    Uint8Array.of(0),
    await extract(SUITE, NOTHING, 'psk_id_hash', NOTHING),
    await extract(SUITE, NOTHING, 'info_hash', info),
  ])
  const extracted = await extract(SUITE, secret, 'secret', NOTHING)
  return {
    key: await expand(SUITE, extracted, 'key', context, 32),
    nonce: await expand(SUITE, extracted, 'base_nonce', context, NONCE_LENGTH),
  }
}

function extract(suite: Uint8Array, salt: Uint8Array<ArrayBuffer>, label: string, input: Uint8Array) {
  // An empty salt means zeros (RFC 5869, section 2.2).
  const key = salt.length === 0 ? new Uint8Array(HASH_LENGTH) : salt
  return hmac(key, joined([VERSION, suite, utf8.encode(label), input]))
}

/** At most one block of the hash, which is enough here. */
async function expand(
  suite: Uint8Array,
  secret: Uint8Array<ArrayBuffer>,
  label: string,
  info: Uint8Array,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const labeled = joined([
    Uint8Array.of(0, length),
    VERSION,
    suite,
    utf8.encode(label),
    info,
    Uint8Array.of(1),
  ])
  return (await hmac(secret, labeled)).slice(0, length)
}

async function hmac(
  key: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
}
