use super::*;
use crate::cases::{bytes_of, cases};
use crate::error::VaultErrorCode;
use alloc::string::ToString;

fn private_of(seed: &str, key_type: KeyType, path: &str) -> alloc::vec::Vec<u8> {
    let path = HdPath::parse(path).unwrap();
    let key = derive(&bytes_of(seed), key_type, &path).unwrap();
    key.expose().to_vec()
}

#[test]
fn derives_the_keys_of_slip_0010() {
    for case in cases("keys/slip-0010.json") {
        let text = |name: &str| case[name].as_str().unwrap();
        let key_type = KeyType::parse(text("type")).unwrap();
        let path = HdPath::parse(text("path")).unwrap();
        let key = derive(&bytes_of(text("seed")), key_type, &path).unwrap();
        assert_eq!(key.expose().to_vec(), bytes_of(text("private")), "{case}");
        let public = key.public_key().to_multicodec();
        assert!(bytes_of(text("public")).ends_with(&public[2..]), "{case}");
    }
}

#[test]
fn derives_the_keys_of_bip_0032_and_keeps_leading_zeros() {
    for case in cases("keys/bip-0032.json") {
        let text = |name: &str| case[name].as_str().unwrap();
        assert_eq!(
            private_of(text("seed"), KeyType::Secp256k1, text("path")),
            bytes_of(text("private")),
            "{case}"
        );
    }
}

#[test]
fn reads_and_writes_paths() {
    for (text, written) in [
        ("m", "m"),
        ("m/44'/60'/0'/0/0", "m/44'/60'/0'/0/0"),
        ("m/44h/0H/2147483647'", "m/44'/0'/2147483647'"),
        ("m/2147483647", "m/2147483647"),
    ] {
        assert_eq!(HdPath::parse(text).unwrap().to_string(), written);
    }
    let deepest = ["m"; 1].iter().chain(&["1"; MAX_DEPTH]).copied();
    let deepest: alloc::vec::Vec<_> = deepest.collect();
    assert!(HdPath::parse(&deepest.join("/")).is_ok());
    assert!(HdPath::parse(&[&deepest[..], &["1"]].concat().join("/")).is_err());
    for text in [
        "",
        "M",
        "44'",
        "/",
        "m/",
        "m//0",
        "m/ 0",
        "m/+1",
        "m/-1",
        "m/01",
        "m/0''",
        "m/0'h",
        "m/'",
        "m/2147483648",
        "m/4294967296",
        "m/99999999999999999999",
        "m/x",
        "m/0/",
        "m\\0",
        "m/٣",
    ] {
        assert!(HdPath::parse(text).is_err(), "{text}");
    }
}

#[test]
fn refuses_paths_that_a_type_does_not_have() {
    let half_hardened = HdPath::parse("m/44'/0").unwrap();
    for (key_type, code) in [
        (KeyType::Ed25519, VaultErrorCode::OperationFailed),
        (KeyType::P256, VaultErrorCode::InvalidKeyType),
    ] {
        let refused = derive(&[1; 64], key_type, &half_hardened);
        assert_eq!(refused.unwrap_err().code(), code);
    }
    for key_type in [KeyType::Ed25519, KeyType::Secp256k1] {
        assert!(HdPath::default_of(key_type).check(key_type).is_ok());
    }
}

#[test]
fn has_the_default_paths_that_are_documented() {
    let written = |key_type| HdPath::default_of(key_type).to_string();
    assert_eq!(written(KeyType::Ed25519), "m/44'/0'/0'");
    assert_eq!(written(KeyType::Secp256k1), "m/44'/60'/0'/0/0");
}
