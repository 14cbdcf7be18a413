#![allow(clippy::unwrap_used)]

use super::*;
use crate::error::VaultErrorCode;
use crate::methods::recovery_code::RecoveryCode;
use crate::methods::unlock_method::SealedKeyFor;
use crate::methods::unlock_proof::NewMethods;
use crate::seal::activity_log::SealedLine;
use crate::testing::{
    Authenticator, Bench, PASSPHRASE as WORDS, account_of, altered, compare_with_vector, leaves,
    make_account, put_in_step, vector,
};
use crate::vault::Vault;
use keyhole_ucan::codec::base64;
use keyhole_ucan::identity::key_type::KeyType;

fn account(bench: &mut Bench) -> Vault {
    let mut vault = account_of(KeyType::Ed25519, Some("Ada"), bench);
    vault
        .generate_key(KeyType::P256, Some("phone"), &mut bench.tools())
        .unwrap();
    vault
        .generate_key(KeyType::Secp256k1, None, &mut bench.tools())
        .unwrap();
    vault
}

/// An account that opens in all three ways.
fn account_of_all(chain_id: &str, bench: &mut Bench) -> (Vault, Authenticator, RecoveryCode) {
    let authenticator = Authenticator::new(1);
    let methods = NewMethods {
        passphrase: Some(WORDS),
        passkey: Some(authenticator.new_passkey()),
        recovery_code: true,
    };
    let (vault, code) =
        make_account(KeyType::Ed25519, Some("Ada"), chain_id, methods, bench).unwrap();
    (vault, authenticator, code.unwrap())
}

fn with_checksum(value: &Value) -> Option<String> {
    SealedState::deserialize(value)
        .ok()?
        .with_checksum()
        .to_text()
        .ok()
}

fn unlock_by(text: &str, proof: UnlockProof<'_>, bench: &mut Bench) -> Result<Vault, VaultError> {
    SealedState::parse(text).and_then(|state| Vault::unlock(state, proof, &mut bench.memory))
}

fn unlock(text: &str, bench: &mut Bench) -> Result<Vault, VaultError> {
    unlock_by(text, UnlockProof::Passphrase(WORDS), bench)
}

#[test]
fn writes_and_opens_the_vector() {
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
                "did": keyhole_ucan::identity::did::Did::from_key(&key.public_key()).as_str(),
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

    // Shipped states open, whatever is written today.
    let vector = vector("seal-v1.json");
    let opened = unlock(vector["state"].as_str().unwrap(), &mut bench).unwrap();
    assert_eq!(opened.label(), Some("Ada"));
    assert_eq!(opened.keys.len(), 3);
    let record = opened
        .open_record("contact/1", vector["record"]["sealed"].as_str().unwrap())
        .unwrap();
    assert_eq!(record.as_str(), "{\"name\":\"Bo\"}");
}

/// Everything that opens an account today, pinned.
#[test]
fn writes_and_opens_the_vector_of_all_methods() {
    let mut bench = Bench::new();
    let (mut vault, authenticator, code) = account_of_all("keyhole-1", &mut bench);
    let entries = [
        json!({"at": 1_790_000_000_000_u64, "act": "unlock"}),
        json!({}),
    ];
    let lines = vault.log_activity(&entries, &mut bench.tools()).unwrap();
    let actual = json!({
        "randomness": "as in seal-v1.json",
        "passphrase": WORDS,
        "passkey": {"credential": authenticator.credential, "prf": authenticator.prf},
        "recovery_code": code.to_text().as_str(),
        "address": vault.state().address,
        "method_labels": vault.private.method_labels,
        "data_key": Bytes(vault.data_key.to_vec()),
        "activity": {"entries": entries, "records": lines},
        "state": vault.state().to_text().unwrap(),
    });
    compare_with_vector("seal-v1-methods.json", &actual);

    let vector = vector("seal-v1-methods.json");
    let text = |name: &str| vector[name].as_str().unwrap();
    let code = RecoveryCode::parse(text("recovery_code")).unwrap();
    for proof in [
        UnlockProof::Passphrase(text("passphrase")),
        authenticator.proof(),
        UnlockProof::RecoveryCode(&code),
    ] {
        let opened = unlock_by(text("state"), proof, &mut bench).unwrap();
        assert_eq!(base64::encode(&opened.data_key[..]), text("data_key"));
        assert_eq!(json!(opened.private.method_labels), vector["method_labels"]);
        let lines = Vec::<SealedLine>::deserialize(&vector["activity"]["records"]).unwrap();
        let read = opened.read_activity(&lines);
        assert!(read.missing.is_empty() && read.lines.iter().all(|line| line.sound));
        let read: Vec<_> = read.lines.into_iter().map(|line| line.entry).collect();
        assert_eq!(json!(read), vector["activity"]["entries"]);
    }
}

#[test]
fn any_change_is_damage_and_a_forged_checksum_opens_nothing() {
    let mut bench = Bench::new();
    let (vault, authenticator, code) = account_of_all("keyhole-1", &mut bench);
    let value: Value = serde_json::from_str(&vault.state().to_text().unwrap()).unwrap();
    let paths = leaves(&value);
    assert!(paths.len() > 45, "{paths:?}");
    let mut opened = 0;
    for path in paths {
        let altered = altered(&value, &path);
        let refused = SealedState::parse(&altered.to_string()).unwrap_err();
        assert_eq!(refused.code(), VaultErrorCode::OperationFailed, "{path}");
        if path != "/format" {
            assert_eq!(refused.name(), "StateDamaged", "{path}: {refused}");
        }
        let Some(mended) = with_checksum(&altered).filter(|_| path != "/checksum") else {
            continue;
        };
        // A newer version or an unknown function is reported without a secret.
        let is_told = path == "/format" || path.ends_with("/kind") || path.ends_with("/kdf/name");
        for proof in [
            UnlockProof::Passphrase(WORDS),
            authenticator.proof(),
            UnlockProof::RecoveryCode(&code),
        ] {
            let refused = unlock_by(&mended, proof, &mut bench).err().unwrap();
            let expected = if is_told {
                VaultErrorCode::OperationFailed
            } else {
                VaultErrorCode::InvalidPassphrase
            };
            assert_eq!(
                refused.code(),
                expected,
                "{path} by {}: {refused}",
                proof.kind()
            );
            opened += 1;
        }
    }
    // Nearly all have a right checksum. The exceptions don't parse.
    assert!(opened > 120, "{opened}");
}

#[test]
fn methods_of_another_account_or_of_another_method_open_nothing() {
    let mut bench = Bench::new();
    let (vault, authenticator, code) = account_of_all("keyhole-1", &mut bench);
    let (other, _, other_code) = account_of_all("other-1", &mut bench);
    type Change = fn(&mut SealedState, &SealedState);
    let changes: [(&str, Change); 8] = [
        ("all methods of another account", |state, other| {
            state.methods = other.methods.clone();
        }),
        ("its passphrase", |state, other| {
            state.methods[0] = other.methods[0].clone();
        }),
        ("its passkey", |state, other| {
            state.methods[1] = other.methods[1].clone();
        }),
        ("its recovery code", |state, other| {
            state.methods[2] = other.methods[2].clone();
        }),
        ("the wraps of two methods", |state, _| {
            let wrap = state.methods[0].wrap.clone();
            state.methods[0].wrap = state.methods[2].wrap.clone();
            state.methods[2].wrap = wrap;
        }),
        ("the sealed data keys of two methods", |state, _| {
            let swapped: SealedKeyFor = state.methods[0].data_key.clone();
            state.methods[0].data_key = state.methods[2].data_key.clone();
            state.methods[2].data_key = swapped;
        }),
        ("methods in another order", |state, _| {
            state.methods.swap(0, 2)
        }),
        ("a method removed", |state, _| drop(state.methods.remove(1))),
    ];
    for (what, change) in changes {
        let mut state = vault.state().clone();
        change(&mut state, other.state());
        let text = state.with_checksum().to_text().unwrap();
        for proof in [
            UnlockProof::Passphrase(WORDS),
            authenticator.proof(),
            UnlockProof::RecoveryCode(&code),
            UnlockProof::RecoveryCode(&other_code),
        ] {
            let refused = unlock_by(&text, proof, &mut bench).err().unwrap();
            assert_eq!(
                refused.code(),
                VaultErrorCode::InvalidPassphrase,
                "{what}: {refused}"
            );
        }
    }
}

#[test]
fn a_repeated_and_an_unreadable_method_are_refused_without_a_proof() {
    let mut bench = Bench::new();
    let (vault, ..) = account_of_all("keyhole-1", &mut bench);
    for at in 0..3 {
        let mut state = vault.state().clone();
        let mut again = state.methods[at].clone();
        again.id = "again".into();
        state.methods.push(again);
        let refused = SealedState::parse(&state.with_checksum().to_text().unwrap()).unwrap_err();
        assert_eq!(
            refused.code(),
            VaultErrorCode::InvalidPassphrase,
            "{refused}"
        );

        let mut state = vault.state().clone();
        state.methods[at].rest.insert("more".into(), 1.into());
        let refused = SealedState::parse(&state.with_checksum().to_text().unwrap()).unwrap_err();
        assert_eq!(refused.name(), "StateDamaged", "{refused}");
    }
    let mut state = vault.state().clone();
    state.methods[1].kind = "face".into();
    let refused = SealedState::parse(&state.with_checksum().to_text().unwrap()).unwrap_err();
    assert!(
        matches!(refused.name(), "MethodNewer" | "StateNewer"),
        "{refused}"
    );
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
                Some(VaultError::WrongPassphrase),
                "{field} {number}"
            );
        } else {
            let refused = SealedState::parse(&text).unwrap_err();
            assert_eq!(refused.code(), VaultErrorCode::OperationFailed);
            assert_eq!(refused.name(), "KdfParameters", "{refused}");
        }
    }
}

#[test]
fn says_why_a_text_is_not_a_state() {
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
        assert_eq!(refused.name(), "StateDamaged", "{refused}");
    }
    let newer = text.replace("\"format\":\"seal-v1\"", "\"format\":\"seal-v3\"");
    let refused = SealedState::parse(&newer).unwrap_err();
    assert!(
        matches!(refused.name(), "MethodNewer" | "StateNewer"),
        "{refused}"
    );
    let unknown = text.replacen('{', "{\"more\":1,", 1);
    assert!(SealedState::parse(&unknown).is_err());
}

/// serde_json would take the second value, another reader the first: neither is accepted.
#[test]
fn a_repeated_field_of_a_method_is_damage() {
    let mut bench = Bench::new();
    let (vault, ..) = account_of_all("keyhole-1", &mut bench);
    let text = vault.state().to_text().unwrap();
    for field in [
        "\"memory_kib\":19456",
        "\"passes\":2",
        "\"name\":\"webauthn-prf\"",
        "\"name\":\"hkdf-sha256\"",
        "\"relying_party\":\"keyhole.example\"",
        "\"kind\":\"passkey\"",
    ] {
        assert!(text.contains(field), "{field} in {text}");
        let twice = text.replacen(field, &[field, field].join(","), 1);
        let refused = SealedState::parse(&twice).unwrap_err();
        assert_eq!(refused.name(), "StateDamaged", "{refused}");
    }
}

#[test]
fn a_state_that_could_not_be_read_again_is_not_written() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let before = vault.state().clone();
    let long = "x".repeat(MAX_STATE_BYTES / 4 * 3);
    vault.private.rest.insert("more".into(), long.into());
    let refused = vault.set_label("Bo", &mut bench.tools()).unwrap_err();
    assert_eq!(refused.code(), VaultErrorCode::OperationFailed);
    assert_eq!(*vault.state(), before);
}

#[test]
fn spaces_and_the_order_of_fields_do_not_matter() {
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
        secrets.push(keyhole_ucan::codec::base64::encode(&key[..]));
        secrets.push(data_encoding::HEXLOWER.encode(&key[..]));
    }
    for secret in &secrets {
        assert!(!text.contains(secret));
    }
    for secret in &secrets[3..] {
        assert!(!shown.contains(secret));
    }
}

/// An account of the second format with everything that only it has.
fn second_account(bench: &mut Bench) -> (Vault, Vec<SealedLine>) {
    let (mut vault, _, _) = account_of_all("keyhole-1", bench);
    let log = |vault: &mut Vault, act: &str, bench: &mut Bench| {
        let entries = [json!({"act": act})];
        vault.log_activity(&entries, &mut bench.tools()).unwrap()
    };
    let mut lines = log(&mut vault, "create", bench);
    vault.upgrade(&mut bench.tools()).unwrap();
    let id = vault
        .generate_key(KeyType::P256, Some("phone"), &mut bench.tools())
        .unwrap();
    vault.delete_key(&id, &mut bench.tools()).unwrap();
    let proof = UnlockProof::Passphrase(WORDS);
    let other = Authenticator::new(2);
    let method = vault
        .add_passkey(proof, &other.new_passkey(), &mut bench.tools())
        .unwrap();
    let mut copy = vault.clone();
    lines.extend(log(&mut vault, "one", bench));
    lines.extend(log(&mut copy, "other", bench));
    copy.set_label("Ada L.", &mut bench.tools()).unwrap();
    vault.join(&copy, &mut bench.tools()).unwrap();
    vault
        .remove_method(proof, &method, &mut bench.tools())
        .unwrap();
    put_in_step(
        &mut vault,
        "{\"of\":\"all devices\"}",
        "{\"of\":\"this one\"}",
        bench,
    );
    (vault, lines)
}

/// The second format, which is read one release before it is written, pinned.
#[test]
fn opens_the_vector_of_the_second_format_and_writes_that_format() {
    let mut bench = Bench::new();
    let (vault, lines) = second_account(&mut bench);
    let actual = json!({
        "randomness": "as in seal-v1.json",
        "passphrase": WORDS,
        "address": vault.state().address,
        "private": vault.private,
        "data_key": Bytes(vault.data_key.to_vec()),
        "lines": lines,
        "state": vault.state().to_text().unwrap(),
    });
    compare_with_vector("seal-v2.json", &actual);

    let vector = vector("seal-v2.json");
    let mut opened = unlock(vector["state"].as_str().unwrap(), &mut bench).unwrap();
    assert!(opened.is_second());
    assert_eq!(json!(opened.private), vector["private"]);
    let lines = Vec::<SealedLine>::deserialize(&vector["lines"]).unwrap();
    let read = opened.read_activity(&lines);
    assert_eq!((read.lines.len(), read.aside.len()), (2, 1));
    assert!(read.lines.iter().chain(&read.aside).all(|line| line.sound));
    // A change preserves what it doesn't know.
    opened.set_label("Bo", &mut bench.tools()).unwrap();
    let again = unlock(&opened.state().to_text().unwrap(), &mut bench).unwrap();
    assert!(again.is_second());
    let mut private = json!(again.private);
    private["label"] = vector["private"]["label"].clone();
    assert_eq!(private, vector["private"]);
}

#[test]
fn an_account_of_the_first_format_stays_one_until_it_is_upgraded() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let id = vault.state().keys[1].id.clone();
    vault.delete_key(&id, &mut bench.tools()).unwrap();
    let text = vault.state().to_text().unwrap();
    let back = unlock(&text, &mut bench).unwrap();
    assert!(!back.is_second());
    assert_eq!(json!(back.private)["second"], Value::Null);
    let mut upgraded = back.clone();
    upgraded.upgrade(&mut bench.tools()).unwrap();
    let state = upgraded.state().clone();
    assert_eq!((state.format.as_str(), state.revision), ("seal-v2", 5));
    upgraded.upgrade(&mut bench.tools()).unwrap();
    assert_eq!(*upgraded.state(), state);
    // Its methods and keys were not sealed again.
    assert_eq!(state.keys, back.state().keys);
    assert_eq!(state.methods, back.state().methods);
    assert!(unlock(&state.to_text().unwrap(), &mut bench).is_ok());
}

/// Someone who can write to the disk can't make a state of one format be read as the other.
#[test]
fn a_state_under_the_name_of_another_format_does_not_open() {
    let mut bench = Bench::new();
    let (second, _) = second_account(&mut bench);
    let first = account(&mut bench);
    for (vault, other) in [(second, "seal-v1"), (first, "seal-v2")] {
        let mut state = vault.state().clone();
        state.format = other.to_string();
        let text = state.with_checksum().to_text().unwrap();
        let refused = unlock(&text, &mut bench).err().unwrap();
        assert_eq!(refused.code(), VaultErrorCode::InvalidPassphrase);
    }
}

/// Not even if someone with the data key writes it.
#[test]
fn a_state_with_parts_of_another_format_does_not_open() {
    let mut bench = Bench::new();
    let (second, _) = second_account(&mut bench);
    let forge = |vault: &Vault, format: &str, bench: &mut Bench| {
        let mut vault = vault.clone();
        vault.state.format = format.to_string();
        vault.commit(&mut bench.random).unwrap();
        vault.state().to_text().unwrap()
    };
    let as_first = forge(&second, "seal-v1", &mut bench);
    assert!(unlock(&as_first, &mut bench).is_err());
    let as_second = forge(&account(&mut bench), "seal-v2", &mut bench);
    assert!(unlock(&as_second, &mut bench).is_err());
    let mut newer = second;
    let critical = &mut newer.private.second.critical;
    critical.push("moon_phase".to_string());
    let newer = forge(&newer, "seal-v2", &mut bench);
    assert_eq!(
        unlock(&newer, &mut bench).err().unwrap(),
        VaultError::StateNewer
    );
}
