//! Varsig headers: which algorithm signed which encoding (varsig 1.0, UCAN 1.0.0 "Envelope").

use crate::identity::key_type::KeyType;

/// Prefix 0x34 and version 1, the curve's signature algorithm, the curve, its hash, and DAG-CBOR (0x71).
const ED25519: [u8; 8] = [0x34, 0x01, 0xed, 0x01, 0xed, 0x01, 0x13, 0x71];
const P256: [u8; 8] = [0x34, 0x01, 0xec, 0x01, 0x80, 0x24, 0x12, 0x71];
const SECP256K1: [u8; 8] = [0x34, 0x01, 0xec, 0x01, 0xe7, 0x01, 0x12, 0x71];

/// The header of tokens that a key of this type signs: 8 bytes.
pub const fn header(key_type: KeyType) -> &'static [u8; 8] {
    match key_type {
        KeyType::Ed25519 => &ED25519,
        KeyType::P256 => &P256,
        KeyType::Secp256k1 => &SECP256K1,
    }
}

/// The key type whose header this is, or `None` for another algorithm, hash or encoding.
pub fn key_type(bytes: &[u8]) -> Option<KeyType> {
    [KeyType::Ed25519, KeyType::P256, KeyType::Secp256k1]
        .into_iter()
        .find(|key_type| header(*key_type) == bytes)
}

/// The name of the algorithm, as in JSON Web Algorithms and the fixtures: `Ed25519`, `ES256`, `ES256K`.
pub const fn algorithm(key_type: KeyType) -> &'static str {
    match key_type {
        KeyType::Ed25519 => "Ed25519",
        KeyType::P256 => "ES256",
        KeyType::Secp256k1 => "ES256K",
    }
}
