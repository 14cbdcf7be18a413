#![allow(clippy::unwrap_used)]

use alloc::format;

use serde_json::{Value, json};

use super::*;
use crate::testing::{
    Bench, NOW, PASSPHRASE as WORDS, altered, compare_with_vector, leaves, vector,
};
use crate::vault_error::VaultErrorCode;

const FILE_WORDS: &str = "words of the backup file";
/// Spaces, order and numbers past 2^53 stay as they were.
const CONTENTS: &str =
    r#"{ "tokens": [{"id": 1, "amount": 18446744073709551617}], "b": null, "a": 1.0 }"#;

fn contents() -> Box<RawValue> {
    RawValue::from_string(CONTENTS.to_string()).unwrap()
}

fn account(bench: &mut Bench) -> Vault {
    let mut vault = Vault::create(
        WORDS,
        KeyType::Ed25519,
        Some("Ada"),
        "keyhole-1",
        &mut bench.tools(),
    )
    .unwrap();
    let id = vault
        .generate_key(KeyType::P256, Some("phone"), &mut bench.tools())
        .unwrap();
    vault.set_default_key(&id, &mut bench.tools()).unwrap();
    vault
}

fn export(vault: &Vault, bench: &mut Bench) -> String {
    vault
        .export(FILE_WORDS, contents(), &mut bench.tools())
        .unwrap()
}

fn open(text: &str, bench: &mut Bench) -> Result<OpenBackup, VaultError> {
    OpenBackup::open(text, FILE_WORDS, &mut bench.memory)
}

fn with_checksum(value: &Value) -> Option<String> {
    let mut file = BackupFile::deserialize(value).ok()?;
    let header = BackupHeader::deserialize(value).ok()?;
    file.checksum = header.checksum(&file.nonce, &file.sealed).ok()?;
    serde_json::to_string(&file).ok()
}

#[test]
fn writes_and_opens_what_the_vector_has() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let actual = json!({
        "randomness": "as in seal-v1.json",
        "export_passphrase": FILE_WORDS,
        "address": vault.state().address,
        "contents": CONTENTS,
        "key_ids": vault.state().keys.iter().map(|key| &key.id).collect::<Vec<_>>(),
        "backup": export(&vault, &mut bench),
    });
    compare_with_vector("backup-v1.json", &actual);

    let vector = vector("backup-v1.json");
    let backup = open(vector["backup"].as_str().unwrap(), &mut bench).unwrap();
    assert_eq!(backup.address(), vector["address"]);
    assert_eq!(backup.contents.get(), CONTENTS);
    assert_eq!(json!(backup.key_ids()), vector["key_ids"]);
}

#[test]
fn an_account_comes_back_from_its_backup_under_a_new_passphrase() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let record = vault
        .seal_record("log/1", "kept", &mut bench.random)
        .unwrap();
    let backup = open(&export(&vault, &mut bench), &mut bench).unwrap();
    let restored = Vault::restore(&backup, "a passphrase of today", &mut bench.tools()).unwrap();

    assert_eq!(restored.state().address, vault.state().address);
    assert_eq!(restored.state().revision, vault.state().revision + 1);
    assert_eq!(restored.state().default_key, vault.state().default_key);
    assert_eq!(restored.label(), Some("Ada"));
    assert_eq!(restored.key_label(&vault.state().keys[1].id), Some("phone"));
    assert_eq!(
        restored.open_record("log/1", &record).unwrap().as_str(),
        "kept"
    );
    let text = restored.state().to_text().unwrap();
    let state = crate::seal::SealedState::parse(&text).unwrap();
    let back = Vault::unlock(state, "a passphrase of today", &mut bench.memory).unwrap();
    for (ours, theirs) in back.keys.iter().zip(&vault.keys) {
        assert_eq!(ours.expose(), theirs.expose());
    }
    assert!(Vault::restore(&backup, "too short", &mut bench.tools()).is_err());
}

#[test]
fn merging_keeps_both_sides() {
    let mut bench = Bench::new();
    let mut here = account(&mut bench);
    let mut there = here.clone();
    let only_here = here
        .generate_key(KeyType::Ed25519, Some("here"), &mut bench.tools())
        .unwrap();
    here.label_key(
        &here.state().keys[1].id.clone(),
        "renamed",
        &mut bench.tools(),
    )
    .unwrap();
    let first = there.state().keys[0].id.clone();
    there
        .label_key(&first, "first", &mut bench.tools())
        .unwrap();
    let only_there = there
        .generate_key(KeyType::Secp256k1, Some("there"), &mut bench.tools())
        .unwrap();
    there
        .change_passphrase(WORDS, "their new passphrase", &mut bench.tools())
        .unwrap();
    let record_here = here
        .seal_record("log/1", "here", &mut bench.random)
        .unwrap();
    let record_there = there
        .seal_record("log/2", "there", &mut bench.random)
        .unwrap();

    let backup = open(&export(&there, &mut bench), &mut bench).unwrap();
    let revision = here.state().revision;
    let added = here.merge(&backup, &mut bench.tools()).unwrap();
    assert_eq!(added, core::slice::from_ref(&only_there));
    assert_eq!(here.state().revision, revision + 1);
    assert_eq!(here.keys.len(), 4);
    assert_eq!(here.key_label(&only_here), Some("here"));
    assert_eq!(here.key_label(&only_there), Some("there"));
    assert_eq!(here.key_label(&first), Some("first"));
    assert_eq!(here.key_label(&here.state().keys[1].id), Some("renamed"));
    assert_eq!(
        here.open_record("log/1", &record_here).unwrap().as_str(),
        "here"
    );
    assert_eq!(
        here.open_record("log/2", &record_there).unwrap().as_str(),
        "there"
    );
    // What is newest here stays what seals.
    let newest = here.private.ring.keys().last().unwrap().id.clone();
    assert!(record_here.contains(&newest));
    // Once more changes nothing but the revision.
    assert!(here.merge(&backup, &mut bench.tools()).unwrap().is_empty());
    assert_eq!(here.keys.len(), 4);
}

#[test]
fn another_accounts_backup_is_not_merged() {
    let mut bench = Bench::new();
    let mut here = account(&mut bench);
    let there = Vault::create(WORDS, KeyType::P256, None, "keyhole-1", &mut bench.tools()).unwrap();
    let backup = open(&export(&there, &mut bench), &mut bench).unwrap();
    let before = here.state().clone();
    assert!(here.merge(&backup, &mut bench.tools()).is_err());
    assert_eq!(*here.state(), before);
}

#[test]
fn any_change_is_damage_and_with_the_checksum_mended_still_does_not_open() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let value: Value = serde_json::from_str(&export(&vault, &mut bench)).unwrap();
    let paths = leaves(&value);
    assert_eq!(paths.len(), 12, "{paths:?}");
    for path in paths {
        let altered = altered(&value, &path);
        let refused = open(&altered.to_string(), &mut bench).err().unwrap();
        assert_eq!(refused.code, VaultErrorCode::OperationFailed, "{path}");
        assert!(BackupHeader::read(&altered.to_string()).is_err(), "{path}");
        if let (Some(mended), true) = (with_checksum(&altered), path != "/checksum") {
            let refused = open(&mended, &mut bench).err();
            if !["/format", "/kdf/name"].contains(&path.as_str()) {
                assert_eq!(refused, Some(VaultError::wrong_passphrase()), "{path}");
            }
            assert!(refused.is_some(), "{path}");
        }
    }
}

#[test]
fn an_impossible_cost_is_refused_at_once() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let mut value: Value = serde_json::from_str(&export(&vault, &mut bench)).unwrap();
    for (field, number) in [
        ("memory_kib", 4 * 1_024 * 1_024),
        ("passes", 1_000),
        ("lanes", 0),
        ("memory_kib", 1),
    ] {
        let original = value["kdf"][field].take();
        value["kdf"][field] = number.into();
        bench.memory = KdfMemory::default();
        let refused = open(&with_checksum(&value).unwrap(), &mut bench)
            .err()
            .unwrap();
        assert!(refused.message.contains("Argon2id"), "{refused}");
        value["kdf"][field] = original;
    }
}

#[test]
fn wrong_words_and_what_is_no_backup_are_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let text = export(&vault, &mut bench);
    let refused = OpenBackup::open(&text, WORDS, &mut bench.memory).err();
    assert_eq!(refused, Some(VaultError::wrong_passphrase()));
    let newer = text.replace("keyhole-backup-v1", "keyhole-backup-v2");
    let state = vault.state().to_text().unwrap();
    let long = " ".repeat(MAX_BACKUP_BYTES + 1);
    for input in [
        "",
        "[]",
        "{}",
        &text[..text.len() / 2],
        &newer,
        &state,
        &long,
    ] {
        let refused = open(input, &mut bench).err().unwrap();
        assert_eq!(refused.code, VaultErrorCode::OperationFailed);
        assert!(BackupHeader::read(input).is_err());
    }
    assert!(
        vault
            .export("too short", contents(), &mut bench.tools())
            .is_err()
    );
    let header = BackupHeader::read(&text).unwrap();
    assert_eq!(
        (header.address.as_str(), header.created_at),
        (vault.state().address.as_str(), NOW)
    );
}

/// What someone who knows the file's passphrase could put together: it is refused all the same.
#[test]
fn a_backup_that_is_not_consistent_is_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let other =
        Vault::create(WORDS, KeyType::Ed25519, None, "other-1", &mut bench.tools()).unwrap();
    type Change = fn(&mut Vault, &Vault);
    let changes: [(&str, Change); 5] = [
        ("another first key", |vault, _| {
            vault.keys.swap(0, 1);
            vault.state.keys.swap(0, 1);
        }),
        ("an id that is another key's", |vault, _| {
            vault.state.keys[1].id = "AAAAAAAAAAAAAAAA".into()
        }),
        ("a key twice", |vault, _| {
            vault.keys.push(vault.keys[1].clone());
            vault.state.keys.push(vault.state.keys[1].clone());
        }),
        ("another's address", |vault, other| {
            vault.state.address = other.state.address.clone()
        }),
        ("a default key that is missing", |vault, _| {
            vault.state.default_key = "AAAA".into()
        }),
    ];
    for (what, change) in changes {
        let mut forged = vault.clone();
        change(&mut forged, &other);
        let text = export(&forged, &mut bench);
        let refused = open(&text, &mut bench).err().unwrap();
        assert!(refused.message.contains("damaged"), "{what}: {refused}");
    }
}

#[test]
fn no_secret_is_in_the_text() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let text = export(&vault, &mut bench);
    for key in &vault.keys {
        assert!(!text.contains(&crate::base64::encode(&key.expose()[..])));
    }
    for secret in ["Ada", "phone", "tokens", FILE_WORDS] {
        assert!(!text.contains(secret));
    }
    assert!(format!("{:?}", BackupHeader::read(&text).unwrap()).contains("kh1"));
}

#[test]
fn a_large_backup_goes_out_and_comes_back() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let long = format!("\"{}\"", "x".repeat(20 << 20));
    let contents = RawValue::from_string(long).unwrap();
    let text = vault
        .export(FILE_WORDS, contents.clone(), &mut bench.tools())
        .unwrap();
    let backup = open(&text, &mut bench).unwrap();
    assert!(backup.contents.get() == contents.get());
    let longer = format!("\"{}\"", "x".repeat(MAX_BACKUP_BYTES / 4 * 3));
    let longer = RawValue::from_string(longer).unwrap();
    let refused = vault.export(FILE_WORDS, longer, &mut bench.tools());
    assert_eq!(refused.unwrap_err().code, VaultErrorCode::OperationFailed);
}
