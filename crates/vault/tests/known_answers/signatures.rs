//! Ed25519, P-256 and secp256k1.

use keyhole_ucan::identity::key::PublicKey;
use keyhole_ucan::identity::key_type::KeyType;
use serde_json::Value;

use crate::support::{bytes, each, is_valid};

/// Half of each group's order, rounded down: past it `s` is high.
const HALF_OF_P256: [u8; 32] = [
    0x7f, 0xff, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xde, 0x73, 0x7d, 0x56, 0xd3, 0x8b, 0xcf, 0x42, 0x79, 0xdc, 0xe5, 0x61, 0x7e, 0x31, 0x92, 0xa8,
];
const HALF_OF_SECP256K1: [u8; 32] = [
    0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0x5d, 0x57, 0x6e, 0x73, 0x57, 0xa4, 0x50, 0x1d, 0xdf, 0xe9, 0x2f, 0x46, 0x68, 0x1b, 0x20, 0xa0,
];

/// The point as a vault stores it: compressed.
fn compressed(point: &[u8]) -> Vec<u8> {
    let (x, y) = point[1..].split_at(32);
    [&[2 + (y[31] & 1)], x].concat()
}

fn verifies(key_type: KeyType, key: &[u8], test: &Value) -> bool {
    let key = [&key_type.multicodec()[..], key].concat();
    let (message, signature) = (bytes(test, "msg"), bytes(test, "sig"));
    PublicKey::from_multicodec(&key).is_ok_and(|key| key.verify(&message, &signature))
}

/// Runs a file for a curve; answers how many valid signatures were refused for their high `s`.
fn ecdsa(name: &str, key_type: KeyType, half: &[u8; 32], tests: usize) -> usize {
    let high = std::cell::Cell::new(0);
    let count = each(name, |group, test| {
        let signature = bytes(test, "sig");
        let is_high = signature.len() == 64 && signature[32..] > half[..];
        high.set(high.get() + usize::from(is_high && is_valid(test)));
        let key = compressed(&bytes(group, "publicKey"));
        verifies(key_type, &key, test) == (is_valid(test) && !is_high)
    });
    assert_eq!(count, tests);
    high.get()
}

#[test]
fn ed25519_accepts_and_refuses_what_wycheproof_does() {
    let count = each("ed25519", |group, test| {
        verifies(KeyType::Ed25519, &bytes(group, "publicKey"), test) == is_valid(test)
    });
    assert_eq!(count, 151);
}

#[test]
fn p256_accepts_what_wycheproof_does_but_for_high_s() {
    let high = ecdsa(
        "ecdsa_secp256r1_sha256_p1363",
        KeyType::P256,
        &HALF_OF_P256,
        262,
    );
    assert!(high > 0, "{high}");
}

#[test]
fn secp256k1_accepts_what_wycheproof_does_but_for_high_s() {
    let high = ecdsa(
        "ecdsa_secp256k1_sha256_p1363",
        KeyType::Secp256k1,
        &HALF_OF_SECP256K1,
        252,
    );
    assert!(high > 0, "{high}");
}
