#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

extern crate std;

use keyhole_ucan::codec::base64;
use serde_json::Value;

use super::*;

/// `vectors/keyhole/sealed-answer.json`, sealed by another implementation of HPKE.
fn vector() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../vectors/keyhole/sealed-answer.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn bytes<const N: usize>(vector: &Value, name: &str) -> [u8; N] {
    base64::decode(vector[name].as_str().unwrap())
        .unwrap()
        .try_into()
        .unwrap()
}

#[test]
fn gives_the_known_answer() {
    let vector = vector();
    let material: [u8; 32] = bytes(&vector, "sender_key_material");
    let to = Mailbox {
        request: &bytes(&vector, "digest"),
        did: vector["mailbox"].as_str().unwrap(),
        key: &bytes(&vector, "public_key"),
    };
    let mut draw = |bytes: &mut [u8]| {
        bytes.copy_from_slice(&material);
        Ok(())
    };
    let sealed = seal(&to, vector["answer"].as_str().unwrap(), &mut draw).unwrap();
    assert_eq!(base64::encode(&sealed), vector["sealed"].as_str().unwrap());
}

#[test]
fn does_not_seal_to_a_key_whose_secret_anyone_knows() {
    let to = Mailbox {
        request: &[1; 32],
        did: "did:key:z6Mk",
        key: &[0; 32],
    };
    let mut draw = |bytes: &mut [u8]| {
        bytes.fill(7);
        Ok(())
    };
    assert!(seal(&to, "{}", &mut draw).is_err());
}
