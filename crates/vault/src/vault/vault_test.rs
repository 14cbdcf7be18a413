#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::error::VaultErrorCode;
use crate::methods::method_kdf::Parameters;
use crate::seal::kdf::Cost;
use crate::testing::{Bench, CHEAP, NOW, PASSPHRASE as WORDS, Stream, account_of, make_account};
use crate::vault::sealed_state::SealedState;

const OTHER_WORDS: &str = "another passphrase entirely";

fn account(bench: &mut Bench) -> Vault {
    account_of(KeyType::Ed25519, Some("Ada"), bench)
}

fn by(passphrase: &str) -> NewMethods<'_> {
    NewMethods {
        passphrase: Some(passphrase),
        ..NewMethods::default()
    }
}

/// A reload: only the text remains.
fn reload(vault: &Vault, passphrase: &str, bench: &mut Bench) -> Result<Vault, VaultError> {
    let state = SealedState::parse(&vault.state().to_text().unwrap())?;
    Vault::unlock(
        state,
        UnlockProof::Passphrase(passphrase),
        &mut bench.memory,
    )
}

fn publics(vault: &Vault) -> Vec<PublicKey> {
    vault.keys.iter().map(SecretKey::public_key).collect()
}

#[test]
fn a_reload_restores_the_whole_account() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let phone = vault
        .generate_key(KeyType::P256, Some("phone"), &mut bench.tools())
        .unwrap();
    vault.set_default_key(&phone, &mut bench.tools()).unwrap();
    let record = vault
        .seal_record("log/1", "opened", &mut bench.random)
        .unwrap();
    let back = reload(&vault, WORDS, &mut bench).unwrap();
    assert_eq!(publics(&back), publics(&vault));
    assert_eq!(back.label(), Some("Ada"));
    assert_eq!(back.key_label(&phone), Some("phone"));
    assert_eq!(back.state(), vault.state());
    assert_eq!(
        back.key(None).unwrap().public_key(),
        vault.keys[1].public_key()
    );
    assert_eq!(
        back.open_record("log/1", &record).unwrap().as_str(),
        "opened"
    );
    assert_eq!(back.state().keys[1].created_at, NOW);
}

#[test]
fn each_type_of_key_can_be_the_first() {
    let mut bench = Bench::new();
    for key_type in [KeyType::Ed25519, KeyType::P256, KeyType::Secp256k1] {
        let vault = make_account(key_type, None, "test-7", by(WORDS), &mut bench)
            .unwrap()
            .0;
        let back = reload(&vault, WORDS, &mut bench).unwrap();
        let key = back.key(None).unwrap();
        assert_eq!(key.key_type(), key_type);
        assert!(key.public_key().verify(b"door", &key.sign(b"door")));
    }
}

#[test]
fn wrong_and_impossible_passphrases_are_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    for wrong in [
        "",
        "correct horse battery stapl",
        "Correct horse battery staple",
        &"p".repeat(2_000),
    ] {
        let refused = reload(&vault, wrong, &mut bench).err();
        assert_eq!(refused, Some(VaultError::WrongPassphrase));
        let refused = vault.check_unlock_proof(UnlockProof::Passphrase(wrong), &mut bench.memory);
        assert_eq!(refused, Err(VaultError::WrongPassphrase));
    }
    assert_eq!(
        vault.check_unlock_proof(UnlockProof::Passphrase(WORDS), &mut bench.memory),
        Ok(())
    );
    let short = make_account(
        KeyType::Ed25519,
        None,
        "keyhole-1",
        by("too short"),
        &mut bench,
    );
    assert_eq!(
        short.err().unwrap().code(),
        VaultErrorCode::InvalidPassphrase
    );
}

#[test]
fn each_change_raises_the_revision_by_one_and_lasts() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    assert_eq!(vault.state().revision, 1);
    let id = vault
        .generate_key(KeyType::Ed25519, None, &mut bench.tools())
        .unwrap();
    vault.label_key(&id, "laptop", &mut bench.tools()).unwrap();
    vault.set_default_key(&id, &mut bench.tools()).unwrap();
    vault.set_label("Ada L.", &mut bench.tools()).unwrap();
    assert_eq!(vault.state().revision, 5);
    let back = reload(&vault, WORDS, &mut bench).unwrap();
    assert_eq!(
        (back.label(), back.key_label(&id)),
        (Some("Ada L."), Some("laptop"))
    );

    vault.label_key(&id, "", &mut bench.tools()).unwrap();
    vault.delete_key(&id, &mut bench.tools()).unwrap();
    let back = reload(&vault, WORDS, &mut bench).unwrap();
    assert_eq!(back.keys.len(), 1);
    assert_eq!(back.state().default_key, back.state().keys[0].id);
    assert_eq!(back.key_label(&id), None);
    assert_eq!(back.state().revision, 7);
}

#[test]
fn a_refused_change_changes_nothing() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let before = vault.state().clone();
    let first = before.keys[0].id.clone();
    let long = "l".repeat(MAX_LABEL_CHARACTERS + 1);
    let tools = &mut bench.tools();
    let refusals = [
        (
            vault.delete_key(&first, tools),
            VaultErrorCode::OperationFailed,
        ),
        (
            vault.delete_key("nothing", tools),
            VaultErrorCode::KeyNotFound,
        ),
        (
            vault.set_default_key("nothing", tools),
            VaultErrorCode::KeyNotFound,
        ),
        (
            vault.label_key("nothing", "x", tools),
            VaultErrorCode::KeyNotFound,
        ),
        (
            vault.label_key(&first, &long, tools),
            VaultErrorCode::OperationFailed,
        ),
        (
            vault.set_label(&long, tools),
            VaultErrorCode::OperationFailed,
        ),
        (
            vault.set_passphrase(
                UnlockProof::Passphrase("not the passphrase"),
                OTHER_WORDS,
                tools,
            ),
            VaultErrorCode::InvalidPassphrase,
        ),
        (
            vault.set_passphrase(UnlockProof::Passphrase(WORDS), "too short", tools),
            VaultErrorCode::InvalidPassphrase,
        ),
    ];
    for (refusal, code) in refusals {
        assert_eq!(refusal.unwrap_err().code(), code);
    }
    assert_eq!(
        vault.key(Some("nothing")).unwrap_err().code(),
        VaultErrorCode::KeyNotFound
    );
    assert_eq!(*vault.state(), before);
}

#[test]
fn randomness_that_fails_midway_changes_nothing() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let before = vault.state().clone();
    for failing_at in 0.. {
        bench.random = Stream::new();
        bench.random.failing_at = failing_at;
        match vault.set_passphrase(
            UnlockProof::Passphrase(WORDS),
            OTHER_WORDS,
            &mut bench.tools(),
        ) {
            Ok(()) => {
                // Key, data key, salt, private half, id, nonces: a change draws more than a few.
                assert!(failing_at > 8);
                break;
            }
            Err(_) => assert_eq!(*vault.state(), before),
        }
    }
    assert!(reload(&vault, OTHER_WORDS, &mut bench).is_ok());
}

#[test]
fn a_new_passphrase_replaces_the_old_one_and_the_data_key() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    vault
        .generate_key(KeyType::Secp256k1, None, &mut bench.tools())
        .unwrap();
    let old = vault.clone();
    let record = vault
        .seal_record("log/1", "before", &mut bench.random)
        .unwrap();
    vault
        .set_passphrase(
            UnlockProof::Passphrase(WORDS),
            OTHER_WORDS,
            &mut bench.tools(),
        )
        .unwrap();

    assert!(reload(&vault, WORDS, &mut bench).is_err());
    let back = reload(&vault, OTHER_WORDS, &mut bench).unwrap();
    assert_eq!(publics(&back), publics(&old));
    assert_ne!(back.data_key, old.data_key);
    for (new, old) in back.state().keys.iter().zip(&old.state().keys) {
        assert_eq!((&new.id, new.created_at), (&old.id, old.created_at));
        assert_ne!(new.sealed, old.sealed);
        assert!(new.open(&back.state().address, &vault.data_key).is_some());
        assert!(
            new.open(&back.state().address, &Zeroizing::new([0; 32]))
                .is_none()
        );
    }
    // Old records open; new ones are sealed under a key that the old ring doesn't have.
    assert_eq!(
        back.open_record("log/1", &record).unwrap().as_str(),
        "before"
    );
    let newer = back
        .seal_record("log/2", "after", &mut bench.random)
        .unwrap();
    assert_eq!(back.open_record("log/2", &newer).unwrap().as_str(), "after");
    assert!(old.open_record("log/2", &newer).is_err());
}

#[test]
fn a_key_from_elsewhere_can_be_the_first() {
    let mut bench = Bench::new();
    let key = SecretKey::from_bytes(KeyType::P256, &[9; 32]).unwrap();
    let public = key.public_key();
    let new = NewAccount {
        key: FirstKey::Given(key),
        methods: by(WORDS),
        label: None,
        chain_id: "keyhole-1",
    };
    let (vault, code) = Vault::create(new, &mut bench.tools()).unwrap();
    assert!(code.is_none());
    assert_eq!(
        vault.state().address,
        derive_address("keyhole-1", &public).unwrap()
    );
    let back = reload(&vault, WORDS, &mut bench).unwrap();
    assert_eq!(publics(&back), [public]);
}

#[test]
fn a_newer_state_of_the_same_data_key_is_followed() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let mut other_tab = vault.clone();
    let id = other_tab
        .generate_key(KeyType::Ed25519, Some("made there"), &mut bench.tools())
        .unwrap();
    let followed = vault.follow(other_tab.state().clone()).unwrap();
    assert_eq!(followed.key_label(&id), Some("made there"));
    assert_eq!(publics(&followed), publics(&other_tab));

    // An altered state, another account's, or one under another data key is not.
    let mut altered = other_tab.state().clone();
    altered.revision += 1;
    assert!(vault.follow(altered).is_none());
    let stranger = make_account(KeyType::Ed25519, None, "other-1", by(WORDS), &mut bench)
        .unwrap()
        .0;
    assert!(vault.follow(stranger.state().clone()).is_none());
    other_tab
        .set_passphrase(
            UnlockProof::Passphrase(WORDS),
            OTHER_WORDS,
            &mut bench.tools(),
        )
        .unwrap();
    assert!(vault.follow(other_tab.state().clone()).is_none());
}

fn cost(vault: &Vault) -> Cost {
    match vault.state().methods[0].parameters() {
        Ok(Parameters::Passphrase(kdf)) => kdf.cost(),
        other => panic!("no passphrase: {other:?}"),
    }
}

#[test]
fn a_lower_cost_is_raised_once() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    assert_eq!(cost(&vault), CHEAP);
    assert_eq!(vault.raise_cost(WORDS, &mut bench.tools()), Ok(true));
    let mut back = reload(&vault, WORDS, &mut bench).unwrap();
    assert_eq!(cost(&back), Cost::TODAY);
    // The same method, with its label and its id.
    assert_eq!(back.state().methods[0].id, vault.state().methods[0].id);
    assert_eq!(back.state().revision, 2);
    assert_eq!(back.raise_cost(WORDS, &mut bench.tools()), Ok(false));
    assert_eq!(back.state().revision, 2);
}

#[test]
fn a_record_opens_in_its_place_only() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let record = vault
        .seal_record("contact/1", "Bo", &mut bench.random)
        .unwrap();
    assert!(vault.open_record("contact/2", &record).is_err());
    let other = make_account(KeyType::Ed25519, None, "other-1", by(WORDS), &mut bench)
        .unwrap()
        .0;
    assert!(other.open_record("contact/1", &record).is_err());
    for text in [
        "",
        "m1",
        "m1..",
        "m2.a.b",
        "m1.nobody.AAAA",
        &record[..record.len() - 4],
        &[&record, "A"].concat(),
    ] {
        let refused = vault.open_record("contact/1", text).unwrap_err();
        assert_eq!(refused.code(), VaultErrorCode::OperationFailed, "{text}");
    }
    let long = "c".repeat(crate::seal::ring::MAX_CONTEXT_BYTES + 1);
    assert!(vault.seal_record(&long, "Bo", &mut bench.random).is_err());
}

#[test]
fn keys_are_at_most_256() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    vault
        .change(&mut bench.tools(), |vault, tools| {
            for _ in 1..MAX_KEYS {
                let key = make_key(KeyType::Ed25519, tools.random)?;
                vault.add_key(key, NOW, None, tools.random)?;
            }
            Ok(())
        })
        .unwrap();
    assert!(
        vault
            .generate_key(KeyType::Ed25519, None, &mut bench.tools())
            .is_err()
    );
    assert_eq!(
        reload(&vault, WORDS, &mut bench).unwrap().keys.len(),
        MAX_KEYS
    );
}
