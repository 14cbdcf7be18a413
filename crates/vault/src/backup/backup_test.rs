#![allow(clippy::unwrap_used)]

use alloc::format;
use alloc::vec;

use serde_json::{Value, json};

use super::*;
use crate::error::VaultErrorCode;
use crate::methods::unlock_proof::UnlockProof;
use crate::testing::{
    Authenticator, Bench, NOW, PASSPHRASE as WORDS, altered, compare_with_vector, leaves,
    make_account, put_in_step, vector,
};

const FILE_WORDS: &str = "words of the backup file";
/// Spaces, order and numbers past 2^53 stay as they were.
const CONTENTS: &str =
    r#"{ "tokens": [{"id": 1, "amount": 18446744073709551617}], "b": null, "a": 1.0 }"#;

fn contents() -> Box<RawValue> {
    RawValue::from_string(CONTENTS.to_string()).unwrap()
}

/// An account with two keys, a log of one line, and a recovery code.
fn account_with_code(bench: &mut Bench) -> (Vault, RecoveryCode) {
    let methods = NewMethods {
        passphrase: Some(WORDS),
        recovery_code: true,
        ..NewMethods::default()
    };
    let (mut vault, code) =
        make_account(KeyType::Ed25519, Some("Ada"), "keyhole-1", methods, bench).unwrap();
    let id = vault
        .generate_key(KeyType::P256, Some("phone"), &mut bench.tools())
        .unwrap();
    vault.set_default_key(&id, &mut bench.tools()).unwrap();
    vault
        .log_activity(&[json!({"act": "create"})], &mut bench.tools())
        .unwrap();
    (vault, code.unwrap())
}

fn account(bench: &mut Bench) -> Vault {
    account_with_code(bench).0
}

fn account_on(key_type: KeyType, chain_id: &str, bench: &mut Bench) -> Vault {
    let methods = NewMethods {
        passphrase: Some(WORDS),
        ..NewMethods::default()
    };
    make_account(key_type, None, chain_id, methods, bench)
        .unwrap()
        .0
}

fn export(vault: &Vault, bench: &mut Bench) -> String {
    vault
        .export(FILE_WORDS, contents(), &mut bench.tools())
        .unwrap()
}

fn open(text: &str, bench: &mut Bench) -> Result<OpenBackup, VaultError> {
    OpenBackup::open(text, FILE_WORDS, &mut bench.memory)
}

#[test]
fn opens_the_vector_of_the_first_format() {
    let mut bench = Bench::new();
    let vector = vector("backup-v1.json");
    let text = vector["backup"].as_str().unwrap();
    let backup = open(text, &mut bench).unwrap();
    assert_eq!(backup.header().format, FORMAT_1);
    assert_eq!(backup.address(), vector["address"]);
    assert_eq!(backup.contents.get(), CONTENTS);
    assert_eq!(json!(backup.key_ids()), vector["key_ids"]);
    // It has no slot for a recovery code.
    let code = RecoveryCode::parse("000000000000000000000000000").unwrap();
    let refused = OpenBackup::open_with_code(text, &code).err().unwrap();
    assert_eq!(refused.code(), VaultErrorCode::InvalidPassphrase);
}

#[test]
fn writes_and_opens_the_vector() {
    let mut bench = Bench::new();
    let (vault, code) = account_with_code(&mut bench);
    let actual = json!({
        "randomness": "as in seal-v1.json",
        "export_passphrase": FILE_WORDS,
        "recovery_code": code.to_text().as_str(),
        "address": vault.state().address,
        "contents": CONTENTS,
        "key_ids": vault.state().keys.iter().map(|key| &key.id).collect::<Vec<_>>(),
        "backup": export(&vault, &mut bench),
    });
    compare_with_vector("backup-v2.json", &actual);

    let vector = vector("backup-v2.json");
    let text = vector["backup"].as_str().unwrap();
    let code = RecoveryCode::parse(vector["recovery_code"].as_str().unwrap()).unwrap();
    for backup in [
        open(text, &mut bench),
        OpenBackup::open_with_code(text, &code),
    ] {
        let backup = backup.unwrap();
        assert_eq!(backup.address(), vector["address"]);
        assert_eq!(backup.contents.get(), CONTENTS);
        assert_eq!(json!(backup.key_ids()), vector["key_ids"]);
    }
}

#[test]
fn the_recovery_code_opens_backups_written_while_it_was_the_accounts() {
    let mut bench = Bench::new();
    let (mut vault, code) = account_with_code(&mut bench);
    let before = export(&vault, &mut bench);
    let proof = UnlockProof::Passphrase(WORDS);
    let new = vault.new_recovery_code(proof, &mut bench.tools()).unwrap();
    let after = export(&vault, &mut bench);
    assert!(OpenBackup::open_with_code(&before, &code).is_ok());
    assert!(OpenBackup::open_with_code(&after, &new).is_ok());
    for (text, wrong) in [(&before, &new), (&after, &code)] {
        let refused = OpenBackup::open_with_code(text, wrong).err().unwrap();
        assert_eq!(refused.code(), VaultErrorCode::InvalidPassphrase);
    }
    // Without a code there is no slot.
    let plain = account_on(KeyType::Ed25519, "keyhole-1", &mut bench);
    let text = export(&plain, &mut bench);
    assert!(!text.contains("recovery_code"));
    let refused = OpenBackup::open_with_code(&text, &new).err().unwrap();
    assert_eq!(refused.code(), VaultErrorCode::InvalidPassphrase);
    assert!(open(&text, &mut bench).is_ok());
}

#[test]
fn an_account_without_a_passphrase_is_exported_and_restored_with_one() {
    let mut bench = Bench::new();
    let authenticator = Authenticator::new(1);
    let methods = NewMethods {
        passkey: Some(authenticator.new_passkey()),
        recovery_code: true,
        ..NewMethods::default()
    };
    let (vault, code) =
        make_account(KeyType::Ed25519, None, "keyhole-1", methods, &mut bench).unwrap();
    let backup = OpenBackup::open_with_code(&export(&vault, &mut bench), &code.unwrap()).unwrap();
    let restored = Vault::restore(&backup, "a passphrase of today", &mut bench.tools()).unwrap();
    assert_eq!(restored.state().address, vault.state().address);
    assert_eq!(restored.state().methods.len(), 1);
}

#[test]
fn the_log_goes_with_the_account() {
    let mut bench = Bench::new();
    let (mut vault, _) = account_with_code(&mut bench);
    let mut lines = vault
        .log_activity(&[json!({"n": 2})], &mut bench.tools())
        .unwrap();
    let backup = open(&export(&vault, &mut bench), &mut bench).unwrap();
    let mut restored = Vault::restore(&backup, WORDS, &mut bench.tools()).unwrap();
    lines.extend(
        restored
            .log_activity(&[json!({"n": 3})], &mut bench.tools())
            .unwrap(),
    );
    let read = restored.read_activity(&lines);
    assert_eq!((read.count, read.missing), (3, alloc::vec![[1, 1]]));
    assert!(read.lines.iter().all(|line| line.sound));
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
    let state = crate::vault::sealed_state::SealedState::parse(&text).unwrap();
    let proof = UnlockProof::Passphrase("a passphrase of today");
    let back = Vault::unlock(state, proof, &mut bench.memory).unwrap();
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
        .set_passphrase(
            UnlockProof::Passphrase(WORDS),
            "their new passphrase",
            &mut bench.tools(),
        )
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
    // The newest key here still seals.
    let newest = here.private.ring.keys().last().unwrap().id.clone();
    assert!(record_here.contains(&newest));
    // Merging again changes only the revision.
    assert!(here.merge(&backup, &mut bench.tools()).unwrap().is_empty());
    assert_eq!(here.keys.len(), 4);
}

#[test]
fn another_accounts_backup_is_not_merged() {
    let mut bench = Bench::new();
    let mut here = account(&mut bench);
    let there = account_on(KeyType::P256, "keyhole-1", &mut bench);
    let backup = open(&export(&there, &mut bench), &mut bench).unwrap();
    let before = here.state().clone();
    assert!(here.merge(&backup, &mut bench.tools()).is_err());
    assert_eq!(*here.state(), before);
}

/// What someone who can write to the file would leave: the checksum corrected for the changed content.
fn with_checksum(value: &Value) -> Option<String> {
    let mut value = value.clone();
    let fields = value.as_object_mut()?;
    let part = |fields: &serde_json::Map<String, Value>, name: &str| {
        keyhole_ucan::codec::base64::decode(fields.get(name)?.as_str()?)
    };
    let (nonce, sealed) = (part(fields, "nonce")?, part(fields, "sealed")?);
    let mut bound = fields.clone();
    bound.retain(|name, _| !["nonce", "checksum", "sealed"].contains(&name.as_str()));
    let digest = Sha256::new()
        .chain_update(aead::canonical(&Value::Object(bound)).ok()?)
        .chain_update(nonce)
        .chain_update(sealed)
        .finalize();
    fields.insert(
        "checksum".into(),
        keyhole_ucan::codec::base64::encode(&digest).into(),
    );
    Some(value.to_string())
}

#[test]
fn any_change_is_damage_and_a_forged_checksum_opens_nothing() {
    let mut bench = Bench::new();
    let (vault, code) = account_with_code(&mut bench);
    let second = export(&vault, &mut bench);
    let vector = vector("backup-v1.json");
    let first = vector["backup"].as_str().unwrap();
    for (text, count, slots) in [(first, 12, 1), (second.as_str(), 24, 2)] {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(with_checksum(&value).unwrap(), value.to_string());
        let paths = leaves(&value);
        assert_eq!(paths.len(), count, "{paths:?}");
        for path in paths {
            let altered = altered(&value, &path);
            let refused = open(&altered.to_string(), &mut bench).err().unwrap();
            assert_eq!(refused.code(), VaultErrorCode::OperationFailed, "{path}");
            assert!(BackupHeader::read(&altered.to_string()).is_err(), "{path}");
            let Some(mended) = with_checksum(&altered).filter(|_| path != "/checksum") else {
                continue;
            };
            // A text that names another format or function is refused without a secret.
            let expected = if path == "/format" || path.ends_with("/kdf/name") {
                VaultErrorCode::OperationFailed
            } else {
                VaultErrorCode::InvalidPassphrase
            };
            let refused = open(&mended, &mut bench).err().unwrap();
            assert_eq!(refused.code(), expected, "{path}: {refused}");
            if slots == 2 {
                let refused = OpenBackup::open_with_code(&mended, &code).err().unwrap();
                assert_eq!(refused.code(), expected, "{path}: {refused}");
            }
        }
    }
}

#[test]
fn slots_of_another_file_do_not_open_this_one() {
    let mut bench = Bench::new();
    let (vault, code) = account_with_code(&mut bench);
    let (one, other) = (export(&vault, &mut bench), export(&vault, &mut bench));
    let one: Value = serde_json::from_str(&one).unwrap();
    let other: Value = serde_json::from_str(&other).unwrap();
    for slot in ["passphrase", "recovery_code"] {
        let mut mixed = one.clone();
        mixed["slots"][slot] = other["slots"][slot].clone();
        let text = with_checksum(&mixed).unwrap();
        let wrong = VaultErrorCode::InvalidPassphrase;
        assert_eq!(open(&text, &mut bench).err().unwrap().code(), wrong);
        let refused = OpenBackup::open_with_code(&text, &code).err().unwrap();
        assert_eq!(refused.code(), wrong);
    }
    // Removing a slot would keep the code from opening the file.
    let mut without = one.clone();
    without["slots"]
        .as_object_mut()
        .unwrap()
        .remove("recovery_code");
    let refused = open(&with_checksum(&without).unwrap(), &mut bench).err();
    assert_eq!(refused, Some(VaultError::WrongPassphrase));
}

#[test]
fn needless_length_and_repeated_fields_are_refused_unopened() {
    let mut bench = Bench::new();
    let (vault, _) = account_with_code(&mut bench);
    let text = export(&vault, &mut bench);
    let name = "\"name\":\"hkdf-sha256\"";
    let twice = text.replacen(name, &[name, name].join(","), 1);
    assert_ne!(twice, text);
    let refused = BackupHeader::read(&twice).unwrap_err();
    assert_eq!(refused.name(), "BackupDamaged", "{refused}");
    let value: Value = serde_json::from_str(&text).unwrap();
    let many = vec!["AAAA"; 1 << 16];
    for path in [
        "/address",
        "/slots/passphrase/sealed",
        "/slots/recovery_code/kdf/name",
        "/slots/recovery_code/wrap/sealed",
    ] {
        let mut long = value.clone();
        *long.pointer_mut(path).unwrap() = many.concat().into();
        let refused = BackupHeader::read(&with_checksum(&long).unwrap()).unwrap_err();
        assert!(
            matches!(refused.name(), "BackupDamaged" | "BackupTooLong"),
            "{path}: {refused}"
        );
    }
    // What would take many times its text in memory is never parsed.
    let mut nested = value.clone();
    nested["slots"]["recovery_code"]["kdf"] = json!(many);
    let refused = BackupHeader::read(&with_checksum(&nested).unwrap()).unwrap_err();
    assert_eq!(refused.name(), "BackupDamaged", "{refused}");
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
        let kdf = &mut value["slots"]["passphrase"]["kdf"];
        let original = kdf[field].take();
        kdf[field] = number.into();
        bench.memory = KdfMemory::default();
        let refused = open(&with_checksum(&value).unwrap(), &mut bench)
            .err()
            .unwrap();
        assert_eq!(refused.name(), "KdfParameters", "{refused}");
        value["slots"]["passphrase"]["kdf"][field] = original;
    }
}

#[test]
fn a_wrong_passphrase_and_anything_but_a_backup_are_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let text = export(&vault, &mut bench);
    let refused = OpenBackup::open(&text, WORDS, &mut bench.memory).err();
    assert_eq!(refused, Some(VaultError::WrongPassphrase));
    let newer = text.replace("keyhole-backup-v2", "keyhole-backup-v4");
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
        assert_eq!(refused.code(), VaultErrorCode::OperationFailed);
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

/// What someone who knows the file's passphrase could put together is still refused.
#[test]
fn a_backup_that_is_not_consistent_is_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let other = account_on(KeyType::Ed25519, "other-1", &mut bench);
    type Change = fn(&mut Vault, &Vault);
    let changes: [(&str, Change); 6] = [
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
        // A record's text is split at its dots, so one sealed under such a key would not open again.
        ("a metadata key's id that is none", |vault, _| {
            let ring = json!([{"id": "a.b", "key": keyhole_ucan::codec::base64::encode(&[7; 32])}]);
            vault.private.ring = serde_json::from_value(ring).unwrap();
        }),
    ];
    for (what, change) in changes {
        let mut forged = vault.clone();
        change(&mut forged, &other);
        let tools = &mut bench.tools();
        let (text, ..) = forged
            .write_backup(FORMAT, Some(FILE_WORDS), contents(), tools)
            .unwrap();
        let refused = open(&text, &mut bench).err().unwrap();
        assert_eq!(refused.name(), "BackupDamaged", "{what}: {refused}");
        // An export is read back before it is handed out, so such a file never is.
        let refused = forged.export(FILE_WORDS, contents(), &mut bench.tools());
        assert_eq!(
            refused.unwrap_err().code(),
            VaultErrorCode::OperationFailed,
            "{what}"
        );
    }
}

#[test]
fn no_secret_is_in_the_text() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let text = export(&vault, &mut bench);
    for key in &vault.keys {
        assert!(!text.contains(&keyhole_ucan::codec::base64::encode(&key.expose()[..])));
    }
    for secret in ["Ada", "phone", "tokens", FILE_WORDS] {
        assert!(!text.contains(secret));
    }
    assert!(format!("{:?}", BackupHeader::read(&text).unwrap()).contains("kh1"));
}

#[test]
fn a_large_backup_is_exported_and_restored() {
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
    assert_eq!(refused.unwrap_err().code(), VaultErrorCode::OperationFailed);
}

const CHUNK: &str = "{\"tokens\":[]}";

/// An account of `seal-v2` with a mandate that two copies have counted, a deleted key and parts of devices.
fn second_account(bench: &mut Bench) -> (Vault, RecoveryCode) {
    let (mut vault, code) = account_with_code(bench);
    vault.upgrade(&mut bench.tools()).unwrap();
    let id = vault
        .generate_key(KeyType::Ed25519, Some("gone"), &mut bench.tools())
        .unwrap();
    vault.delete_key(&id, &mut bench.tools()).unwrap();
    put_in_step(&mut vault, "of all devices", "of this one alone", bench);
    (vault, code)
}

/// This release reads what the next one writes of an account of `seal-v2`.
#[test]
fn opens_the_vector_of_the_second_kind_of_account() {
    let mut bench = Bench::new();
    let (vault, code) = second_account(&mut bench);
    let whole = export(&vault, &mut bench);
    let about = RawValue::from_string("{}".to_string()).unwrap();
    let (head, mut sealer) = vault
        .begin_export(Some(FILE_WORDS), about, &mut bench.tools())
        .unwrap();
    let chunk = sealer
        .seal(
            &RawValue::from_string(CHUNK.to_string()).unwrap(),
            true,
            &mut bench.random,
        )
        .unwrap();
    let actual = json!({
        "randomness": "as in seal-v1.json",
        "export_passphrase": FILE_WORDS,
        "recovery_code": code.to_text().as_str(),
        "address": vault.state().address,
        "contents": CONTENTS,
        "counter": vault.private.second.counter,
        "backup": whole,
        "head": head,
        "chunk": chunk,
    });
    compare_with_vector("backup-v4.json", &actual);

    let vector = vector("backup-v4.json");
    let text = |name: &str| vector[name].as_str().unwrap();
    let backup = open(text("backup"), &mut bench).unwrap();
    assert_eq!(backup.header().format, FORMAT_4);
    assert_eq!(backup.contents.get(), CONTENTS);
    assert!(backup.chunks().is_none());
    let head = open(text("head"), &mut bench).unwrap();
    assert_eq!(head.header().format, FORMAT_5);
    let opened = head.chunks().unwrap().open(text("chunk")).unwrap();
    assert_eq!((opened.0.get(), opened.1), (CHUNK, true));
    let code = RecoveryCode::parse(text("recovery_code")).unwrap();
    assert!(OpenBackup::open_with_code(text("backup"), &code).is_ok());
    for backup in [backup, head] {
        let restored = Vault::restore(&backup, WORDS, &mut bench.tools()).unwrap();
        assert!(restored.is_second());
        let second = &restored.private.second;
        assert_eq!(second.deleted_keys, vault.private.second.deleted_keys);
        assert_eq!(second.sync, vault.private.second.sync);
        // It is another copy: it has its own counter, and is not a device.
        assert_ne!(json!(second.counter), vector["counter"]);
        assert!(second.device.is_none());
    }
}

/// A file without a passphrase: its head, and the one chunk after it.
fn export_for_code(vault: &Vault, bench: &mut Bench) -> (String, String) {
    let about = RawValue::from_string("{}".to_string()).unwrap();
    let (head, mut sealer) = vault.begin_export(None, about, &mut bench.tools()).unwrap();
    let contents = RawValue::from_string(CHUNK.to_string()).unwrap();
    let chunk = sealer.seal(&contents, true, &mut bench.random).unwrap();
    (head, chunk)
}

#[test]
fn only_the_recovery_code_opens_a_file_without_a_passphrase() {
    let mut bench = Bench::new();
    let (mut vault, code) = account_with_code(&mut bench);
    let (first, first_chunk) = export_for_code(&vault, &mut bench);
    vault.upgrade(&mut bench.tools()).unwrap();
    let (second, second_chunk) = export_for_code(&vault, &mut bench);
    let actual = json!({
        "randomness": "as in seal-v1.json",
        "recovery_code": code.to_text().as_str(),
        "address": vault.state().address,
        "contents": CHUNK,
        "files": [
            {"head": first, "chunk": first_chunk},
            {"head": second, "chunk": second_chunk},
        ],
    });
    compare_with_vector("backup-v6.json", &actual);

    let vector = vector("backup-v6.json");
    let code = RecoveryCode::parse(vector["recovery_code"].as_str().unwrap()).unwrap();
    let files = vector["files"].as_array().unwrap().iter();
    for (file, format) in files.zip([FORMAT_6, FORMAT_7]) {
        let head = file["head"].as_str().unwrap();
        assert!(!head.contains("argon2id"));
        let backup = OpenBackup::open_with_code(head, &code).unwrap();
        assert_eq!(backup.header().format, format);
        assert_eq!(backup.address(), vector["address"]);
        let mut chunks = backup.chunks().unwrap();
        let opened = chunks.open(file["chunk"].as_str().unwrap()).unwrap();
        assert_eq!((opened.0.get(), opened.1), (CHUNK, true));
        let restored = Vault::restore(&backup, WORDS, &mut bench.tools()).unwrap();
        assert_eq!(restored.is_second(), format == FORMAT_7);
        let refused = open(head, &mut bench).err();
        assert_eq!(refused, Some(VaultError::BackupWithoutPassphrase));
    }
}

#[test]
fn a_file_without_a_passphrase_needs_a_recovery_code() {
    let mut bench = Bench::new();
    let plain = account_on(KeyType::Ed25519, "keyhole-1", &mut bench);
    let about = RawValue::from_string("{}".to_string()).unwrap();
    let refused = plain.begin_export(None, about, &mut bench.tools()).err();
    assert_eq!(refused.unwrap().code(), VaultErrorCode::InvalidPassphrase);
}

#[test]
fn what_opens_a_file_is_what_its_format_says() {
    let mut bench = Bench::new();
    let (vault, code) = account_with_code(&mut bench);
    for (passphrase, format) in [(Some(FILE_WORDS), FORMAT_6), (None, FORMAT_3)] {
        let (text, _, _) = vault
            .write_backup(format, passphrase, contents(), &mut bench.tools())
            .unwrap();
        for refused in [
            open(&text, &mut bench).err(),
            OpenBackup::open_with_code(&text, &code).err(),
        ] {
            assert_eq!(refused.unwrap().name(), "BackupDamaged");
        }
    }
}

#[test]
fn a_backup_has_nothing_that_belongs_to_one_device() {
    let mut bench = Bench::new();
    let (vault, _) = second_account(&mut bench);
    let text = export(&vault, &mut bench);
    let written = SealedBackup::read(&text).unwrap();
    let (_, content, _) = written.open(FILE_WORDS, &mut bench.memory).unwrap();
    let content = core::str::from_utf8(&content).unwrap();
    assert!(content.contains("of all devices"));
    assert!(!content.contains("of this one alone"));
}

#[test]
fn no_backup_of_any_version_restores_a_deleted_key() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let first = export(&vault, &mut bench);
    vault.upgrade(&mut bench.tools()).unwrap();
    let second = export(&vault, &mut bench);
    let id = vault.state().keys[1].id.clone();
    vault.delete_key(&id, &mut bench.tools()).unwrap();
    for text in [&first, &second] {
        let backup = open(text, &mut bench).unwrap();
        let added = vault.merge(&backup, &mut bench.tools()).unwrap();
        assert_eq!((added.len(), vault.state().keys.len()), (0, 1));
    }
    // A key that was deleted in the backed-up copy is deleted here too.
    let late = export(&vault, &mut bench);
    let backup = open(&second, &mut bench).unwrap();
    let mut here = Vault::restore(&backup, WORDS, &mut bench.tools()).unwrap();
    assert_eq!(here.state().keys.len(), 2);
    let backup = open(&late, &mut bench).unwrap();
    here.merge(&backup, &mut bench.tools()).unwrap();
    assert_eq!(here.state().keys.len(), 1);
    assert_eq!(here.state().default_key, here.state().keys[0].id);
}

#[test]
fn parts_of_one_version_in_a_file_of_another_are_damage() {
    let mut bench = Bench::new();
    let (second, _) = second_account(&mut bench);
    let first = account(&mut bench);
    for (vault, format) in [(second, FORMAT), (first, FORMAT_4)] {
        let (text, _, _) = vault
            .write_backup(format, Some(FILE_WORDS), contents(), &mut bench.tools())
            .unwrap();
        let refused = open(&text, &mut bench).err().unwrap();
        assert!(matches!(refused, VaultError::BackupDamaged { .. }));
    }
}

/// An account that is not upgraded yet takes what it knows from the backup of one that is.
#[test]
fn a_backup_of_the_second_kind_is_merged_into_an_account_of_the_first() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let mut other = vault.clone();
    other.upgrade(&mut bench.tools()).unwrap();
    let id = other
        .generate_key(KeyType::Ed25519, Some("new"), &mut bench.tools())
        .unwrap();
    let backup = open(&export(&other, &mut bench), &mut bench).unwrap();
    assert_eq!(vault.merge(&backup, &mut bench.tools()).unwrap(), [id]);
    assert!(!vault.is_second());
    let text = vault.state().to_text().unwrap();
    let state = crate::vault::sealed_state::SealedState::parse(&text).unwrap();
    assert!(Vault::unlock(state, UnlockProof::Passphrase(WORDS), &mut bench.memory).is_ok());
}
