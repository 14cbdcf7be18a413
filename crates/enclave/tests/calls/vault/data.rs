use keyhole_ucan::identity::did::Did;
use serde_json::{Value, json};

use crate::support::Plugin;

#[test]
fn data_is_signed_under_a_prefix_and_verified_by_did() {
    let mut plugin = Plugin::unlocked();
    for key_type in ["ed25519", "p256", "secp256k1"] {
        let key = plugin.ok("generate_key", json!({"key_type": key_type}))["key"].clone();
        let signed = plugin.ok(
            "sign_data",
            json!({"data": [0, 255, 7], "key_id": key["key_id"]}),
        );
        let signature = signed["signature"].clone();
        assert_eq!(signature.as_array().unwrap().len(), 64);
        let mut check = |data: [u8; 3], did: &str| {
            plugin.ok(
                "verify_data",
                json!({"data": data, "signature": signature, "did": did}),
            )["valid"]
                .clone()
        };
        let did = key["did"].as_str().unwrap();
        assert_eq!(check([0, 255, 7], did), true);
        assert_eq!(check([0, 255, 8], did), false);
        let first = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
        assert_eq!(check([0, 255, 7], first), false);

        let again = json!({"data": "AP8H", "key_id": key["key_id"]});
        let again = plugin.ok("sign_data", again)["signature"].clone();
        let both = json!({"data": [0, 255, 7], "signature": again, "did": did});
        assert_eq!(plugin.ok("verify_data", both)["valid"], true);

        // The prefix is part of what is signed: the bytes alone are not.
        let public = Did::parse(did).unwrap().key().unwrap();
        let bytes: Vec<u8> = serde_json::from_value(signature.clone()).unwrap();
        assert!(public.verify(b"keyhole data v1\0\x00\xff\x07", &bytes));
        assert!(!public.verify(b"\x00\xff\x07", &bytes));
    }
}

#[test]
fn without_a_did_the_default_key_is_used_even_while_locked() {
    let mut plugin = Plugin::unlocked();
    let signature = plugin.ok("sign_data", json!({"data": []}))["signature"].clone();
    plugin.ok("lock_vault", json!({}));
    assert_eq!(
        plugin.ok("verify_data", json!({"data": [], "signature": signature}))["valid"],
        true
    );
    assert_eq!(
        plugin.ok("verify_data", json!({"data": [], "signature": [1, 2]}))["valid"],
        false
    );
    for did in ["", "did:key:zzz", "did:web:example.com", "no did"] {
        let input = json!({"data": [], "signature": signature, "did": did});
        plugin.refused("verify_data", input, "OPERATION_FAILED");
    }
}

#[test]
fn data_is_bytes_and_nothing_else() {
    let mut plugin = Plugin::unlocked();
    for data in [
        json!("AP8="),
        json!("AP9"),
        json!("a b"),
        json!("é"),
        json!([256]),
        json!([-1]),
        json!([1.5]),
        json!(["1"]),
        json!({}),
        json!(null),
        json!(7),
    ] {
        plugin.refused("sign_data", json!({"data": data}), "OPERATION_FAILED");
    }
}

#[test]
fn get_issuer_did_gives_the_did_and_the_address() {
    let mut plugin = Plugin::unlocked();
    let status = plugin.status();
    let issuer = plugin.ok("get_issuer_did", json!({}));
    assert_eq!(
        issuer,
        json!({"issuer_did": status["issuer_did"], "address": status["address"], "chain_id": "keyhole-1"})
    );
    // Empty input is an object without fields.
    let answer = plugin.raw("get_issuer_did", b"");
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), issuer);
}

#[test]
fn lists_longer_than_a_lock_may_wait_for_are_refused() {
    let mut plugin = Plugin::unlocked();
    let many = "0,".repeat(5_000_000);
    let did = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
    for (call, input) in [
        ("sign_data", format!(r#"{{"data":[{many}0]}}"#)),
        (
            "verify_data",
            format!(r#"{{"data":"","did":"{did}","signature":[{many}0]}}"#),
        ),
    ] {
        let answer = plugin.raw(call, input.as_bytes());
        assert!(answer.contains(r#""name":"InvalidInput""#), "{answer}");
    }
    // A signature of another length is invalid.
    let short = json!({"data": "", "did": did, "signature": vec![0; 65]});
    assert_eq!(plugin.ok("verify_data", short)["valid"], false);
}
