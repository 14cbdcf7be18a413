#![allow(clippy::unwrap_used)]

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::*;
use crate::testing::compare_with_vector;
use keyhole_ucan::codec::base64;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;

fn key(key_type: KeyType, byte: u8) -> PublicKey {
    SecretKey::from_bytes(key_type, &[byte; 32])
        .unwrap()
        .public_key()
}

#[test]
fn addresses_are_those_of_the_vector() {
    let mut cases = Vec::new();
    for (chain_id, key_type, byte) in [
        (DEFAULT_CHAIN_ID, KeyType::Ed25519, 1),
        (DEFAULT_CHAIN_ID, KeyType::P256, 2),
        (DEFAULT_CHAIN_ID, KeyType::Secp256k1, 3),
        ("test-7", KeyType::Ed25519, 1),
    ] {
        let key = key(key_type, byte);
        cases.push(json!({
            "chain_id": chain_id,
            "public_key": base64::encode(&key.to_multicodec()),
            "did": Did::from_key(&key).as_str(),
            "address": derive_address(chain_id, &key).unwrap(),
        }));
    }
    compare_with_vector("address.json", &json!({"addresses": cases}));
}

#[test]
fn an_address_is_recognised_and_a_mistyped_one_is_not() {
    let address = derive_address(DEFAULT_CHAIN_ID, &key(KeyType::Ed25519, 1)).unwrap();
    assert_eq!(address.len(), 41);
    assert!(address.starts_with("kh1"));
    assert!(is_address(&address));
    for index in 3..address.len() {
        let mut letters: Vec<u8> = address.bytes().collect();
        letters[index] = if letters[index] == b'q' { b'p' } else { b'q' };
        assert!(!is_address(&String::from_utf8(letters).unwrap()));
    }
    assert!(!is_address(&address.to_uppercase()));
    assert!(!is_address(""));
    assert!(!is_address(
        "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"
    ));
}

#[test]
fn a_chain_id_that_could_be_mistaken_for_another_is_refused() {
    let key = key(KeyType::Ed25519, 1);
    for chain_id in ["", "key hole", "keyhole\0", "ключ", &"k".repeat(65)] {
        assert!(derive_address(chain_id, &key).is_err(), "{chain_id:?}");
    }
}
