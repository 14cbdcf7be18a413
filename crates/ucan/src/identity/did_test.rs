use super::*;
use crate::identity::key::SecretKey;
use crate::identity::key_type::KeyType;

#[test]
fn round_trips_a_key_of_each_type() {
    for (key_type, start) in [
        (KeyType::Ed25519, "did:key:z6Mk"),
        (KeyType::P256, "did:key:zDn"),
        (KeyType::Secp256k1, "did:key:zQ3s"),
    ] {
        let public = SecretKey::from_bytes(key_type, &[5; 32])
            .unwrap()
            .public_key();
        let did = Did::from_key(&public);
        assert!(did.as_str().starts_with(start), "{did}");
        assert_eq!(Did::parse(did.as_str()).unwrap().key().unwrap(), public);
    }
}

#[test]
fn reads_other_methods_without_a_key() {
    let did = Did::parse("did:web:example.com%3A8443:agents").unwrap();
    assert_eq!(did.key(), Err(DidError::NotKey));
}

#[test]
fn refuses_text_that_is_not_a_did() {
    for text in [
        "",
        "did",
        "did:key",
        "did:key:",
        "did::x",
        "did:Key:z6Mk",
        "did:web:a b",
        "did:web:a%2",
        "did:web:a:",
        "did:web:a/b",
        "did:web:a#b",
    ] {
        assert_eq!(Did::parse(text), Err(DidError::Malformed), "{text}");
    }
    let long = alloc::format!("did:key:z{}", "6".repeat(MAX_BASE58_LENGTH + 1));
    let mut cut_off = KeyType::Ed25519.multicodec().to_vec();
    cut_off.extend_from_slice(&[7; 31]);
    let cut_off = alloc::format!("did:key:z{}", bs58::encode(cut_off).into_string());
    for text in ["did:key:z", "did:key:f00", "did:key:z0OIl", &cut_off, &long] {
        assert!(matches!(Did::parse(text), Err(DidError::Key(_))), "{text}");
    }
}

#[test]
fn checks_the_point_when_the_key_is_asked_for() {
    let unknown_type = Did::parse("did:key:zzzzzzzz").unwrap();
    assert_eq!(
        unknown_type.key(),
        Err(DidError::Key(KeyError::UnknownType))
    );
    let mut no_point = KeyType::P256.multicodec().to_vec();
    no_point.extend_from_slice(&[0xff; 33]);
    let text = alloc::format!("did:key:z{}", bs58::encode(no_point).into_string());
    let did = Did::parse(&text).unwrap();
    assert_eq!(did.key(), Err(DidError::Key(KeyError::Invalid)));
}
