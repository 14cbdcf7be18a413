// Tokens made without the plugin, with payloads written by hand and signed by Node, so that the plugin is tested with
// input it didn't write.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { encode, head } from './naive-cbor.ts'
import { Link, type Value } from './naive-evaluator.ts'

/** Someone with an Ed25519 key. */
export interface Person {
  readonly did: string
  readonly key: KeyObject
}

/** A token's bytes and CID. */
export interface Token {
  readonly bytes: Buffer
  readonly link: Link
  readonly cid: string
}

/** A payload's fields; an absent one is left out. */
export type Fields = Readonly<Record<string, Value | undefined>>

/** PKCS #8 (RFC 8410) up to the 32 bytes of the private key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Varsig: Ed25519 over DAG-CBOR. */
const HEADER = Buffer.from('3401ed01ed011371', 'hex')

/** The person whose private key is this byte, 32 times. */
export function person(number: number): Person {
  const seed = Buffer.alloc(32, number)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const multicodec = Buffer.concat([Buffer.of(0xed, 0x01), Buffer.from(x, 'base64url')])
  return { key, did: `did:key:z${base58(multicodec)}` }
}

/** A delegation of `/msg` over the issuer's own resource, without an expiry, with changes. */
export function delegation(issuer: Person, audience: Person, changes: Fields = {}): Token {
  return signed(issuer, 'ucan/dlg@1.0.0', {
    iss: issuer.did,
    aud: audience.did,
    sub: issuer.did,
    cmd: '/msg',
    pol: [],
    nonce: nonce(),
    exp: null,
    ...changes,
  })
}

/** An invocation of `/msg` with `proofs`, root first, without an expiry, with changes. */
export function invocation(
  issuer: Person,
  subject: Person,
  proofs: readonly Token[],
  changes: Fields = {},
): Token {
  return signed(issuer, 'ucan/inv@1.0.0', {
    iss: issuer.did,
    sub: subject.did,
    cmd: '/msg',
    args: new Map(),
    prf: proofs.map(({ link }) => link),
    nonce: nonce(),
    exp: null,
    ...changes,
  })
}

/**
 * A revocation of a token on its signer's own authority, without an expiry, with changes. Its nonce is empty, because
 * one revocation per token is enough.
 */
export function revocation(issuer: Person, revoked: Token, changes: Fields = {}): Token {
  const args = new Map([['revoke', revoked.link]])
  return invocation(issuer, issuer, [], { cmd: '/ucan/revoke', args, nonce: Buffer.alloc(0), ...changes })
}

/** A signed payload with a tag. */
export function signed(issuer: Person, tag: string, fields: Fields): Token {
  const signedPart = encode(
    new Map<string, Value>([
      ['h', HEADER],
      [tag, record(fields)],
    ]),
  )
  return tokenOf(Buffer.concat([head(4, 2), encode(signBytes(issuer, signedPart)), signedPart]))
}

/** Someone's signature. */
export function signBytes(signer: Person, bytes: Buffer): Buffer {
  return sign(null, bytes, signer.key)
}

/** Any bytes as a token, whose CID is their hash. */
export function tokenOf(bytes: Buffer): Token {
  const digest = createHash('sha256').update(bytes).digest()
  const cid = Buffer.concat([Buffer.of(1, 0x71, 0x12, 0x20), digest])
  return { bytes, link: new Link(cid), cid: `b${base32(cid)}` }
}

/** A map of the fields that are present. */
export function record(fields: Fields): ReadonlyMap<string, Value> {
  const present = Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined)
  return new Map(present)
}

/** The text encodings of tokens. */
export type Encoding = 'B' | 'C' | 'O' | 'P'

/** A container of tokens, in the order given. */
export function container(tokens: readonly Token[], encoding: Encoding = 'C'): string {
  const plain = encode(new Map([['ctn-v1', tokens.map(({ bytes }) => bytes)]]))
  const packed = encoding === 'O' || encoding === 'P' ? gzipSync(plain) : plain
  return encoding + packed.toString(encoding === 'B' || encoding === 'O' ? 'base64' : 'base64url')
}

/** The tokens in a container in base64url. */
export function tokensIn(text: string): Token[] {
  const packed = Buffer.from(text.slice(1), 'base64url')
  const plain = text.startsWith('P') ? gunzipSync(packed) : packed
  const tokens: Token[] = []
  // Skips a map with one six-letter key, and the head of a list: tests use at most 23 tokens.
  let at = 1 + 7 + 1
  while (at < plain.length) {
    const width = plain.readUInt8(at) === 0x58 ? 1 : 2
    const length = plain.readUIntBE(at + 1, width)
    at += 1 + width
    tokens.push(tokenOf(plain.subarray(at, at + length)))
    at += length
  }
  return tokens
}

let made = 0

/** A different one for each token, but the same in every run. */
function nonce(): Buffer {
  made += 1
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(made, 8)
  return bytes
}

/** Base58btc. */
export function base58(bytes: Buffer): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let number = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = alphabet.charAt(Number(number % 58n)) + text
  return text
}

/** Base32 in lower case, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  return groups.map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('')
}
