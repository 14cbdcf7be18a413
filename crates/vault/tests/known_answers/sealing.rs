//! XChaCha20-Poly1305, HKDF-SHA256 and X25519.

use keyhole_vault::seal::primitive;

use crate::support::{bytes, each, is_valid};

#[test]
fn xchacha20_poly1305_seals_and_opens_as_wycheproof_does() {
    let count = each("xchacha20_poly1305", |_, test| {
        let key = bytes(test, "key").try_into().unwrap();
        let Ok(nonce) = <[u8; 24]>::try_from(bytes(test, "iv")) else {
            // A nonce of another length can't be expressed.
            return !is_valid(test);
        };
        let (associated, plaintext) = (bytes(test, "aad"), bytes(test, "msg"));
        let sealed = [bytes(test, "ct"), bytes(test, "tag")].concat();
        let opened = primitive::open(&key, &nonce, &associated, &sealed);
        if !is_valid(test) {
            return opened.is_none();
        }
        let ours = primitive::seal(&key, &nonce, &associated, &plaintext).unwrap();
        ours == sealed && opened.is_some_and(|opened| *opened == plaintext)
    });
    assert_eq!(count, 315);
}

#[test]
fn hkdf_sha256_derives_as_wycheproof_does() {
    let count = each("hkdf_sha256", |_, test| {
        let length = test["size"].as_u64().unwrap();
        let mut out = vec![0; usize::try_from(length).unwrap()];
        let (salt, secret) = (bytes(test, "salt"), bytes(test, "ikm"));
        let derived = primitive::hkdf_sha256(&salt, &secret, &bytes(test, "info"), &mut out);
        derived.is_ok() == is_valid(test) && (derived.is_err() || out == bytes(test, "okm"))
    });
    assert_eq!(count, 86);
}

#[test]
fn x25519_agrees_with_wycheproof_and_refuses_a_secret_of_zeros() {
    let refused = std::cell::Cell::new(0);
    let count = each("x25519", |_, test| {
        let half = |field| <[u8; 32]>::try_from(bytes(test, field)).unwrap();
        let expected = half("shared");
        let shared = primitive::x25519(&half("private"), &half("public"));
        if expected == [0; 32] {
            refused.set(refused.get() + 1);
            return test["result"] == "acceptable" && shared.is_none();
        }
        shared.is_some_and(|shared| *shared == expected)
    });
    assert_eq!(count, 518);
    assert!(refused.get() > 0);
}
