//! The primitives, called directly. Their known answers run natively in `crates/vault` and through the built wasm.

use serde_json::{Value, json};

use crate::support::Plugin;

/// 32 bytes of zeros, and 24.
const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const NONCE: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn ask(input: Value) -> Value {
    Plugin::empty().ok("primitive", input)
}

fn refused(input: Value) {
    Plugin::empty().refused("primitive", input, "OPERATION_FAILED");
}

#[test]
fn signs_and_verifies() {
    let private = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";
    for algorithm in ["ed25519", "p256", "secp256k1"] {
        let sign = json!({"algorithm": algorithm, "private_key": private, "message": "AQ"});
        let signed = ask(sign.clone());
        let mut verify = json!({"algorithm": algorithm, "message": "AQ", "public_key": signed["public_key"],
            "signature": signed["signature"]});
        assert_eq!(ask(verify.clone()), json!({"valid": true}));
        verify["message"] = json!("Ag");
        assert_eq!(ask(verify.clone()), json!({"valid": false}));
        verify["public_key"] = json!("AA");
        assert_eq!(ask(verify.clone()), json!({"valid": false}));
        verify["private_key"] = json!(private);
        refused(verify);
    }
    refused(json!({"algorithm": "p256", "private_key": KEY, "message": "AQ"}));
    refused(json!({"algorithm": "ed25519", "private_key": "AQ", "message": "AQ"}));
}

#[test]
fn seals_and_opens() {
    let with = |name: &str, text: &Value| {
        let mut input = json!({"algorithm": "xchacha20-poly1305", "key": KEY, "nonce": NONCE, "associated_data": "AQ"});
        input[name] = text.clone();
        input
    };
    let sealed = ask(with("plaintext", &json!("AgM")))["sealed"].clone();
    assert_eq!(
        ask(with("sealed", &sealed)),
        json!({"valid": true, "plaintext": "AgM"})
    );
    let mut other = with("sealed", &sealed);
    other["associated_data"] = json!("Ag");
    assert_eq!(ask(other.clone()), json!({"valid": false}));
    other["plaintext"] = json!("AQ");
    refused(other);
}

#[test]
fn bounds_what_comes_out() {
    let hkdf = |length: u64| json!({"algorithm": "hkdf-sha256", "ikm": "AQ", "salt": "", "info": "", "length": length});
    assert_eq!(ask(hkdf(8_160))["output"].as_str().unwrap().len(), 10_880);
    refused(hkdf(8_161));
    refused(hkdf(0));
    refused(hkdf(u64::from(u32::MAX)));
    let argon2id = |memory_kib: u64, length: u64| {
        json!({"algorithm": "argon2id", "password": "AQ", "salt": "AAAAAAAAAAA", "memory_kib": memory_kib,
            "passes": 1, "lanes": 1, "length": length})
    };
    assert_eq!(ask(argon2id(64, 4))["output"].as_str().unwrap().len(), 6);
    for (memory_kib, length) in [
        (64, 3),
        (64, 65),
        (7, 32),
        (4_194_304, 32),
        (4_294_967_296, 32),
    ] {
        refused(argon2id(memory_kib, length));
    }
}

#[test]
fn agrees_but_not_on_zeros() {
    let base = "CQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let with =
        |public: &str| json!({"algorithm": "x25519", "private_key": KEY, "public_key": public});
    assert_eq!(ask(with(base))["valid"], true);
    assert_eq!(ask(with(KEY)), json!({"valid": false}));
}

#[test]
fn refuses_what_another_algorithm_takes() {
    refused(json!({"algorithm": "x25519", "private_key": KEY, "public_key": KEY, "message": "AQ"}));
    refused(json!({"algorithm": "rsa", "message": "AQ"}));
    refused(json!({"message": "AQ"}));
    refused(json!({"algorithm": "ed25519", "private_key": KEY, "message": "AQ", "key": KEY}));
}
