#![allow(clippy::unwrap_used)]

use super::*;
use crate::testing::{Bench, PASSPHRASE as WORDS, altered, compare_with_vector, leaves, vector};
use crate::vault::Vault;
use crate::vault_error::VaultErrorCode;

fn account(bench: &mut Bench) -> Vault {
    let mut vault = Vault::create(
        WORDS,
        KeyType::Ed25519,
        Some("Ada"),
        "keyhole-1",
        &mut bench.tools(),
    )
    .unwrap();
    vault
        .generate_key(KeyType::P256, Some("phone"), &mut bench.tools())
        .unwrap();
    vault
        .generate_key(KeyType::Secp256k1, None, &mut bench.tools())
        .unwrap();
    vault
}

/// The state that a person who can write to the disk would leave: the checksum made right again.
fn with_checksum(value: &Value) -> Option<String> {
    let mut state = SealedState::deserialize(value).ok()?;
    state.checksum = state.make_checksum().ok()?;
    state.to_text().ok()
}

fn unlock(text: &str, bench: &mut Bench) -> Result<Vault, VaultError> {
    SealedState::parse(text).and_then(|state| Vault::unlock(state, WORDS, &mut bench.memory))
}

#[test]
fn writes_and_opens_what_the_vector_has() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let record = vault
        .seal_record("contact/1", "{\"name\":\"Bo\"}", &mut bench.random)
        .unwrap();
    let keys = vault.state().keys.iter().zip(&vault.keys);
    let keys: Vec<_> = keys
        .map(|(sealed, key)| {
            json!({
                "id": sealed.id,
                "type": sealed.key_type,
                "did": crate::did::Did::from_key(&key.public_key()).as_str(),
                "label": vault.key_label(&sealed.id),
                "private_key": Bytes(key.expose().to_vec()),
            })
        })
        .collect();
    let actual = json!({
        "randomness": "draw n (from 0) of length bytes: the first bytes of SHA-256(n ‖ 0) ‖ SHA-256(n ‖ 1) ‖ …, numbers as 4 bytes big-endian",
        "passphrase": WORDS,
        "address": vault.state().address,
        "label": vault.label(),
        "keys": keys,
        "data_key": Bytes(vault.data_key.to_vec()),
        "record": {"context": "contact/1", "plaintext": "{\"name\":\"Bo\"}", "sealed": record},
        "state": vault.state().to_text().unwrap(),
    });
    compare_with_vector("seal-v1.json", &actual);

    // What has shipped opens, whatever is written today.
    let vector = vector("seal-v1.json");
    let opened = unlock(vector["state"].as_str().unwrap(), &mut bench).unwrap();
    assert_eq!(opened.label(), Some("Ada"));
    assert_eq!(opened.keys.len(), 3);
    let record = opened
        .open_record("contact/1", vector["record"]["sealed"].as_str().unwrap())
        .unwrap();
    assert_eq!(record.as_str(), "{\"name\":\"Bo\"}");
}

#[test]
fn any_change_is_damage_and_with_the_checksum_mended_still_does_not_open() {
    let mut bench = Bench::new();
    let text = account(&mut bench).state().to_text().unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let paths = leaves(&value);
    assert!(paths.len() > 30, "{paths:?}");
    for path in paths {
        let altered = altered(&value, &path);
        let refused = SealedState::parse(&altered.to_string()).unwrap_err();
        assert_eq!(refused.code, VaultErrorCode::OperationFailed, "{path}");
        if path == "/checksum" {
            continue;
        }
        if path != "/format" {
            assert!(refused.message.contains("damaged"), "{path}: {refused}");
        }
        let Some(mended) = with_checksum(&altered) else {
            continue;
        };
        // What is inconsistent in itself is refused without the passphrase, all else by it.
        if let Ok(state) = SealedState::parse(&mended) {
            let refused = Vault::unlock(state, WORDS, &mut bench.memory).err();
            assert_eq!(refused, Some(VaultError::wrong_passphrase()), "{path}");
        }
    }
}

#[test]
fn swapped_removed_and_repeated_parts_do_not_open() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    type Change = fn(&mut SealedState);
    let changes: [(&str, Change); 7] = [
        ("keys swapped", |state| state.keys.swap(1, 2)),
        ("first key swapped", |state| state.keys.swap(0, 1)),
        ("key removed", |state| drop(state.keys.pop())),
        ("key repeated", |state| {
            state.keys.push(state.keys[1].clone())
        }),
        ("sealed parts of two keys swapped", |state| {
            let (nonce, sealed) = (state.keys[1].nonce, state.keys[1].sealed.clone());
            state.keys[1].nonce = state.keys[2].nonce;
            state.keys[1].sealed = state.keys[2].sealed.clone();
            (state.keys[2].nonce, state.keys[2].sealed) = (nonce, sealed);
        }),
        ("methods removed", |state| state.methods.clear()),
        ("another default key", |state| {
            state.default_key = state.keys[2].id.clone();
        }),
    ];
    for (what, change) in changes {
        let mut state = vault.state().clone();
        change(&mut state);
        state.checksum = state.make_checksum().unwrap();
        assert!(
            unlock(&state.to_text().unwrap(), &mut bench).is_err(),
            "{what}"
        );
    }
    assert!(unlock(&vault.state().to_text().unwrap(), &mut bench).is_ok());
}

#[test]
fn a_lower_cost_does_not_open_and_an_impossible_one_is_refused_at_once() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    for (field, number, opens) in [
        ("memory_kib", 20 * 1_024, true),
        ("passes", 3, true),
        ("lanes", 2, true),
        ("memory_kib", 4 * 1_024 * 1_024, false),
        ("memory_kib", 8, false),
        ("passes", 1, false),
        ("lanes", 17, false),
    ] {
        let mut state = vault.state().clone();
        state.methods[0].kdf[field] = number.into();
        state.checksum = state.make_checksum().unwrap();
        let text = state.to_text().unwrap();
        if opens {
            let refused = unlock(&text, &mut bench).err();
            assert_eq!(
                refused,
                Some(VaultError::wrong_passphrase()),
                "{field} {number}"
            );
        } else {
            let refused = SealedState::parse(&text).unwrap_err();
            assert_eq!(refused.code, VaultErrorCode::OperationFailed);
            assert!(refused.message.contains("Argon2id"), "{refused}");
        }
    }
}

#[test]
fn what_is_no_state_is_refused_in_words() {
    let mut bench = Bench::new();
    let text = account(&mut bench).state().to_text().unwrap();
    let long = " ".repeat(MAX_STATE_BYTES + 1);
    for input in [
        "",
        "null",
        "{}",
        "[]",
        "{\"format\":\"seal-v1\"}",
        &text[..text.len() - 2],
        &long,
    ] {
        let refused = SealedState::parse(input).unwrap_err();
        assert!(refused.message.contains("damaged"), "{refused}");
    }
    let newer = text.replace("\"format\":\"seal-v1\"", "\"format\":\"seal-v2\"");
    let refused = SealedState::parse(&newer).unwrap_err();
    assert!(refused.message.contains("newer"), "{refused}");
    let unknown = text.replacen('{', "{\"more\":1,", 1);
    assert!(SealedState::parse(&unknown).is_err());
}

#[test]
fn spaces_and_the_order_of_fields_are_no_damage() {
    let mut bench = Bench::new();
    let text = account(&mut bench).state().to_text().unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    assert!(unlock(&pretty, &mut bench).is_ok());
}

#[test]
fn no_secret_is_in_the_text_or_in_debug() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let text = vault.state().to_text().unwrap();
    let shown = alloc::format!("{:?} {:?}", vault.state(), vault.private);
    let mut secrets = alloc::vec![WORDS.to_string(), "Ada".to_string(), "phone".to_string()];
    let ring = vault.private.ring.keys().iter().map(|key| &key.key.0);
    let keys = vault.keys.iter().map(SecretKey::expose);
    for key in ring.cloned().chain(keys).chain([vault.data_key.clone()]) {
        secrets.push(crate::base64::encode(&key[..]));
        secrets.push(data_encoding::HEXLOWER.encode(&key[..]));
    }
    for secret in &secrets {
        assert!(!text.contains(secret));
    }
    for secret in &secrets[3..] {
        assert!(!shown.contains(secret));
    }
}
