use super::*;
use crate::cases::{bytes_of, cases};
use crate::error::VaultErrorCode;
use alloc::borrow::ToOwned;

const PHRASE: &str = "legal winner thank year wave sausage worth useful legal winner thank yellow";

fn foreign(text: &str) -> ForeignKey<'_> {
    ForeignKey {
        text,
        ..ForeignKey::default()
    }
}

/// The code and words of a refusal.
#[track_caller]
fn refusal(key: ForeignKey<'_>) -> VaultError {
    match key.read() {
        Ok(_) => panic!("it was read"),
        Err(refused) => refused,
    }
}

#[test]
fn recognises_each_format_and_reads_it_the_same_when_it_is_named() {
    let all = cases("keys/openssl.json")
        .into_iter()
        .chain(cases("keys/rfc.json"));
    for case in all {
        let format = KeyFormat::parse(case["format"].as_str().unwrap());
        let text = case["text"].as_str().unwrap();
        assert_eq!(Some(KeyFormat::recognise(text)), format, "{case}");
        for named in [None, format] {
            let read = ForeignKey {
                format: named,
                ..foreign(text)
            }
            .read()
            .unwrap();
            assert_eq!(
                read.key.public_key().to_multicodec(),
                bytes_of(case["public"].as_str().unwrap())
            );
            assert_eq!(read.path, None);
        }
    }
    for case in cases("keys/bip39.json") {
        let words = case["words"].as_str().unwrap();
        assert_eq!(KeyFormat::recognise(words), KeyFormat::Bip39);
    }
    assert_eq!(KeyFormat::parse("pem"), None);
}

#[test]
fn derives_by_the_path_of_the_type_or_the_one_that_is_given() {
    let read = |key_type, path| {
        let key = ForeignKey {
            key_type,
            path,
            ..foreign(PHRASE)
        }
        .read()
        .unwrap();
        (key.key.key_type(), key.path.unwrap(), key.key.expose())
    };
    let ed25519 = read(None, None);
    assert_eq!(
        (ed25519.0, &ed25519.1[..]),
        (KeyType::Ed25519, "m/44'/0'/0'")
    );
    assert_eq!(ed25519, read(Some(KeyType::Ed25519), Some("m/44h/0h/0h")));
    let secp256k1 = read(Some(KeyType::Secp256k1), None);
    assert_eq!(
        (secp256k1.0, &secp256k1.1[..]),
        (KeyType::Secp256k1, "m/44'/60'/0'/0/0")
    );
    assert_ne!(
        secp256k1.2,
        read(Some(KeyType::Secp256k1), Some("m/44'/60'/0'/0/1")).2
    );
}

#[test]
fn derives_the_accounts_that_wallets_show() {
    // Ethereum's best known phrase: Hardhat's and Anvil's first account.
    let phrase = "test test test test test test test test test test test junk";
    let key_type = Some(KeyType::Secp256k1);
    let read = ForeignKey {
        key_type,
        ..foreign(phrase)
    }
    .read()
    .unwrap();
    let known = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
    assert_eq!(read.key.expose().to_vec(), bytes_of(known));
}

#[test]
fn refuses_another_type_than_was_expected() {
    for case in cases("keys/rfc.json") {
        let text = case["text"].as_str().unwrap();
        for key_type in [KeyType::Ed25519, KeyType::P256, KeyType::Secp256k1] {
            let key = ForeignKey {
                key_type: Some(key_type),
                ..foreign(text)
            };
            if key_type.as_str() == case["type"] {
                assert!(key.read().is_ok());
            } else {
                assert_eq!(refusal(key).code(), VaultErrorCode::InvalidKeyType);
            }
        }
    }
    let p256 = ForeignKey {
        key_type: Some(KeyType::P256),
        ..foreign(PHRASE)
    };
    assert_eq!(refusal(p256).code(), VaultErrorCode::InvalidKeyType);
}

#[test]
fn refuses_a_path_or_passphrase_without_a_phrase() {
    let rfc = cases("keys/rfc.json");
    for case in &rfc {
        let text = case["text"].as_str().unwrap();
        let with_path = ForeignKey {
            path: Some("m"),
            ..foreign(text)
        };
        let with_passphrase = ForeignKey {
            mnemonic_passphrase: Some(""),
            ..foreign(text)
        };
        for key in [with_path, with_passphrase] {
            assert_eq!(refusal(key).name(), "PathWithoutPhrase");
        }
    }
}

#[test]
fn limits_a_text_before_reading_it() {
    let long = "abandon ".repeat(MAX_TEXT_BYTES / 8 + 1);
    assert_eq!(refusal(foreign(&long)).name(), "KeyTextTooLong");
    let path = "m/0'".to_owned() + &"/0'".repeat(MAX_PATH_BYTES / 3);
    let key = ForeignKey {
        path: Some(&path),
        ..foreign(PHRASE)
    };
    assert_eq!(refusal(key).name(), "PathTooLong");
}

#[test]
fn says_why_a_text_is_not_in_the_named_format() {
    for (format, name) in [(KeyFormat::Pkcs8, "NotPkcs8"), (KeyFormat::Jwk, "NotJwk")] {
        let key = ForeignKey {
            format: Some(format),
            ..foreign(PHRASE)
        };
        assert_eq!(refusal(key).name(), name);
    }
    let key = ForeignKey {
        format: Some(KeyFormat::Bip39),
        ..foreign("{}")
    };
    assert_eq!(refusal(key), VaultError::WordCount { count: 1 });
    // Another language's list.
    let french = foreign(
        "abaisser abandon abdiquer abeille abolir aborder aboutir aboyer abrasif abreuver abriter abroger",
    );
    assert_eq!(refusal(french).name(), "WordUnknown");
    let japanese = foreign(
        "あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん あいこくしん \
        あいこくしん あいこくしん あいこくしん あおぞら",
    );
    assert_eq!(refusal(japanese), VaultError::WordUnknown { place: 1 });
}
