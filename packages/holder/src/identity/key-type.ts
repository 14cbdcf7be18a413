/** The three algorithms of UCAN 1.0.0. */
export type KeyType = 'Ed25519' | 'P-256' | 'secp256k1'

/** A public key: 32 bytes for Ed25519, or a compressed point of 33. */
export interface PublicKey {
  readonly type: KeyType
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A key's prefix in a did:key (multicodec), its length, and the header of its tokens (varsig over DAG-CBOR). */
export const KEY_TYPES: readonly {
  readonly type: KeyType
  readonly codec: readonly number[]
  readonly length: number
  readonly header: readonly number[]
}[] = [
  { type: 'Ed25519', codec: [0xed, 1], length: 32, header: [0x34, 1, 0xed, 1, 0xed, 1, 0x13, 0x71] },
  { type: 'P-256', codec: [0x80, 0x24], length: 33, header: [0x34, 1, 0xec, 1, 0x80, 0x24, 0x12, 0x71] },
  { type: 'secp256k1', codec: [0xe7, 1], length: 33, header: [0x34, 1, 0xec, 1, 0xe7, 1, 0x12, 0x71] },
]
