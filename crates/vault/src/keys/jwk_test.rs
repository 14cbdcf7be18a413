use super::*;
use crate::cases::{bytes_of, cases};
use alloc::string::ToString;
use serde_json::{Value, json};

/// RFC 8037 appendix A.1.
fn ed25519() -> Value {
    json!({"kty": "OKP", "crv": "Ed25519", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})
}

/// RFC 7517 appendix A.2.
fn p256() -> Value {
    json!({"kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "d": "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"})
}

fn without(mut jwk: Value, name: &str) -> Value {
    jwk.as_object_mut().unwrap().remove(name);
    jwk
}

fn with(mut jwk: Value, name: &str, value: impl Into<Value>) -> Value {
    jwk[name] = value.into();
    jwk
}

#[test]
fn reads_the_examples_of_the_rfcs() {
    let all = cases("keys/rfc.json");
    for case in all.iter().filter(|case| case["format"] == "jwk") {
        let key = read(case["text"].as_str().unwrap()).unwrap();
        let public = bytes_of(case["public"].as_str().unwrap());
        assert_eq!(key.public_key().to_multicodec(), public, "{case}");
    }
}

#[test]
fn reads_secp256k1_and_ignores_what_a_key_is_for() {
    // SLIP-0010's first key, with its two halves.
    let key = SecretKey::from_bytes(KeyType::Secp256k1, &[7; 32]).unwrap();
    let keyhole_ucan::identity::key::PublicKey::Secp256k1(public) = key.public_key() else {
        unreachable!()
    };
    let point = public.to_sec1_point(false);
    let (x, y) = point.as_bytes()[1..].split_at(32);
    let jwk = json!({"kty": "EC", "crv": "secp256k1", "x": keyhole_ucan::codec::base64::encode(x), "y": keyhole_ucan::codec::base64::encode(y),
        "d": keyhole_ucan::codec::base64::encode(&[7; 32]), "kid": "a", "alg": "ES256K", "key_ops": ["sign"], "ext": true});
    assert_eq!(
        read(&jwk.to_string()).unwrap().public_key(),
        key.public_key()
    );
}

#[test]
fn says_why_a_key_is_not_supported() {
    for (jwk, code, name) in [
        (
            json!({"kty": "RSA", "n": "AQAB", "e": "AQAB", "d": "AQAB"}),
            "INVALID_KEY_TYPE",
            "KeyTypeOfJwk",
        ),
        (
            json!({"kty": "oct", "k": "AQAB"}),
            "INVALID_KEY_TYPE",
            "KeyTypeOfJwk",
        ),
        (
            with(p256(), "crv", "P-384"),
            "INVALID_KEY_TYPE",
            "KeyTypeOfJwk",
        ),
        (
            with(ed25519(), "crv", "X25519"),
            "INVALID_KEY_TYPE",
            "KeyTypeOfJwk",
        ),
        (
            with(ed25519(), "kty", "EC"),
            "INVALID_KEY_TYPE",
            "KeyTypeOfJwk",
        ),
        (without(ed25519(), "d"), "OPERATION_FAILED", "PublicKeyOnly"),
        (without(p256(), "d"), "OPERATION_FAILED", "PublicKeyOnly"),
        (json!({"keys": [ed25519()]}), "OPERATION_FAILED", "NotJwk"),
        (json!([ed25519()]), "OPERATION_FAILED", "NotJwk"),
    ] {
        let refused = read(&jwk.to_string()).unwrap_err();
        assert_eq!(refused.code().as_str(), code, "{jwk}");
        assert_eq!(refused.name(), name, "{jwk}: {refused}");
    }
}

#[test]
fn refuses_halves_of_two_keys() {
    let other = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA";
    for jwk in [
        with(ed25519(), "x", other),
        with(ed25519(), "d", other),
        with(p256(), "d", other),
        with(p256(), "x", other),
        with(p256(), "y", other),
    ] {
        assert_eq!(
            read(&jwk.to_string()).unwrap_err(),
            halves::other_half(),
            "{jwk}"
        );
    }
}

#[test]
fn refuses_what_does_not_parse_strictly() {
    let twice = ed25519().to_string().replacen(
        '{',
        r#"{"d":"AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA","#,
        1,
    );
    let padded = with(
        ed25519(),
        "x",
        "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    )
    .to_string();
    let second_encoding = with(
        ed25519(),
        "d",
        "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2B",
    )
    .to_string();
    let trailing = ed25519().to_string() + "{}";
    for text in [
        twice,
        padded,
        second_encoding,
        trailing,
        without(ed25519(), "x").to_string(),
        without(p256(), "y").to_string(),
        with(
            ed25519(),
            "y",
            "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA",
        )
        .to_string(),
        with(p256(), "d", "AA").to_string(),
        with(p256(), "d", "A".repeat(43)).to_string(),
        with(p256(), "d", 7).to_string(),
        "{".to_string(),
        "{}".to_string(),
    ] {
        assert_eq!(read(&text).unwrap_err(), malformed(), "{text}");
    }
}
