import { createPrivateKey, createPublicKey } from 'node:crypto'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = BASE58.charAt(Number(number % 58n)) + text
  return text
}

/** The did:key of an Ed25519 private key (RFC 8032, 32 bytes). */
export function ed25519Did(seed: Uint8Array): string {
  // PKCS#8 (RFC 8410, section 7) around the seed. The public key is the end of the SPKI.
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return `did:key:z${base58(Buffer.concat([Buffer.from('ed01', 'hex'), spki.subarray(-32)]))}`
}
