use super::*;
use crate::identity::key::SecretKey;
use alloc::string::ToString;
use serde_json::{Value, json};

fn did(text: &str) -> Did {
    Did::parse(text).unwrap()
}

fn url(text: &str) -> Result<String, DocumentError> {
    locate(&did(text)).map(|location| location.url)
}

fn public_key(key_type: KeyType) -> PublicKey {
    SecretKey::from_bytes(key_type, &[7; 32])
        .unwrap()
        .public_key()
}

fn keys(document: &Value) -> Result<Vec<PublicKey>, DocumentError> {
    signing_keys(&did("did:web:example.com"), document.to_string().as_bytes())
}

fn multibase(key: &PublicKey) -> String {
    format!("z{}", bs58::encode(key.to_multicodec()).into_string())
}

#[test]
fn finds_the_place_of_a_document() {
    let cases = [
        (
            "did:web:example.com",
            "https://example.com/.well-known/did.json",
        ),
        (
            "did:web:example.com:user:alice",
            "https://example.com/user/alice/did.json",
        ),
        (
            "did:web:example.com%3A3000",
            "https://example.com:3000/.well-known/did.json",
        ),
        (
            "did:web:example.com%3A3000:a",
            "https://example.com:3000/a/did.json",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(url(text).as_deref(), Ok(wanted));
    }
    assert_eq!(
        locate(&did("did:web:Example.COM%3A3000")).unwrap().host,
        "example.com"
    );
}

#[test]
fn refuses_places_that_are_more_than_a_host_and_a_path() {
    let did_key = Did::from_key(&public_key(KeyType::Ed25519)).to_string();
    for text in [
        did_key.as_str(),
        "did:web:example.com%2Fevil",
        "did:web:user%40example.com",
        "did:web:example.com%3A99999",
        "did:web:example.com%3A",
        "did:web:example.com:..:secret",
        "did:web:example.com:%2e%2e:secret",
        "did:web:example.com::a",
        "did:web:_dmarc.example.com",
    ] {
        assert_eq!(url(text), Err(DocumentError::NotWeb), "{text}");
    }
}

#[test]
fn reads_keys_of_each_type_in_both_forms() {
    for key_type in [KeyType::Ed25519, KeyType::P256, KeyType::Secp256k1] {
        let key = public_key(key_type);
        let as_multikey = json!({
            "id": "did:web:example.com",
            "verificationMethod": [{
                "id": "did:web:example.com#one",
                "controller": "did:web:example.com",
                "type": "Multikey",
                "publicKeyMultibase": multibase(&key),
            }],
            "assertionMethod": ["#one"],
        });
        assert_eq!(keys(&as_multikey), Ok(alloc::vec![key.clone()]));
        let encode = |bytes: &[u8]| URL.encode(bytes);
        let jwk = match &key {
            PublicKey::Ed25519(key) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(key.as_bytes()) })
            }
            PublicKey::P256(key) => {
                let point = key.to_sec1_point(false);
                json!({ "kty": "EC", "crv": "P-256", "x": encode(&point.as_bytes()[1..33]), "y": encode(&point.as_bytes()[33..]) })
            }
            PublicKey::Secp256k1(key) => {
                let point = key.to_sec1_point(false);
                json!({ "kty": "EC", "crv": "secp256k1", "x": encode(&point.as_bytes()[1..33]), "y": encode(&point.as_bytes()[33..]) })
            }
        };
        let as_jwk = json!({
            "id": "did:web:example.com",
            "authentication": [{ "id": "#two", "controller": "did:web:example.com", "publicKeyJwk": jwk }],
        });
        assert_eq!(keys(&as_jwk), Ok(alloc::vec![key]));
    }
}

#[test]
fn takes_only_keys_that_may_sign_for_this_did() {
    let key = multibase(&public_key(KeyType::Ed25519));
    let document = |controller: &str, relation: &str| {
        json!({
            "id": "did:web:example.com",
            "verificationMethod": [{ "id": "#one", "controller": controller, "publicKeyMultibase": key }],
            relation: ["#one"],
        })
    };
    assert!(keys(&document("did:web:example.com", "capabilityDelegation")).is_ok());
    for (controller, relation) in [
        ("did:web:example.com", "keyAgreement"),
        ("did:web:other.example", "authentication"),
    ] {
        assert_eq!(
            keys(&document(controller, relation)),
            Err(DocumentError::NoKey)
        );
    }
}

#[test]
fn refuses_anything_but_a_document_of_this_did() {
    assert_eq!(keys(&json!([])), Err(DocumentError::Malformed));
    assert_eq!(
        keys(&json!({ "id": "did:web:other.example" })),
        Err(DocumentError::OtherSubject)
    );
    assert_eq!(
        keys(&json!({ "id": "did:web:example.com" })),
        Err(DocumentError::NoKey)
    );
    let did = did("did:web:example.com");
    assert_eq!(signing_keys(&did, b"<html>"), Err(DocumentError::Malformed));
    let long = alloc::vec![b' '; MAX_DOCUMENT_LENGTH + 1];
    assert_eq!(signing_keys(&did, &long), Err(DocumentError::TooLong));
}

#[test]
fn charges_every_key_of_a_document_and_ends_with_the_budget() {
    let key = multibase(&public_key(KeyType::P256));
    let did = did("did:web:example.com");
    let references = alloc::vec!["#one"; 100];
    let document = json!({
        "id": "did:web:example.com",
        "verificationMethod": [{ "id": "#one", "controller": "did:web:example.com", "publicKeyMultibase": key }],
        "authentication": references,
        "assertionMethod": references,
    });
    let document = document.to_string();
    let budget = Budget::new();
    let found = signing_keys_within(&did, document.as_bytes(), &budget);
    assert_eq!(found.map(|keys| keys.len()), Ok(1));
    let unpacked = 2 * MAX_KEYS as u64 * 150_000;
    assert!(budget.spent().work > unpacked, "{:?}", budget.spent());
    let few = 1_000_000;
    budget.leaving(budget.left() - few, || {
        assert_eq!(
            signing_keys_within(&did, document.as_bytes(), &budget),
            Err(DocumentError::TooMuchWork)
        );
    });
}
