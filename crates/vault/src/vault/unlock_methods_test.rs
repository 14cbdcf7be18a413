#![allow(clippy::unwrap_used, clippy::panic)]

use alloc::vec::Vec;

use super::*;
use crate::error::VaultErrorCode;
use crate::testing::{Authenticator, Bench, PASSPHRASE as WORDS, Stream, make_account};
use crate::vault::sealed_state::SealedState;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;

const OTHER_WORDS: &str = "another passphrase entirely";

/// An account with two keys that opens in all three ways.
fn account(bench: &mut Bench) -> (Vault, Authenticator, RecoveryCode) {
    let authenticator = Authenticator::new(1);
    let methods = NewMethods {
        passphrase: Some(WORDS),
        passkey: Some(authenticator.new_passkey()),
        recovery_code: true,
    };
    let (mut vault, code) =
        make_account(KeyType::Ed25519, None, "keyhole-1", methods, bench).unwrap();
    vault
        .generate_key(KeyType::P256, None, &mut bench.tools())
        .unwrap();
    (vault, authenticator, code.unwrap())
}

/// A reload: only the text remains.
fn reload(
    state: &SealedState,
    proof: UnlockProof<'_>,
    bench: &mut Bench,
) -> Result<Vault, VaultError> {
    let state = SealedState::parse(&state.to_text().unwrap())?;
    Vault::unlock(state, proof, &mut bench.memory)
}

fn code_of<T>(answer: Result<T, VaultError>) -> Option<VaultErrorCode> {
    answer.err().map(|error| error.code())
}

fn id_of(vault: &Vault, kind: &str) -> String {
    vault.find_kind(kind).unwrap().id.clone()
}

fn private_keys(vault: &Vault) -> Vec<[u8; 32]> {
    vault
        .keys
        .iter()
        .map(|key| *SecretKey::expose(key))
        .collect()
}

#[test]
fn all_three_ways_open_the_same_account() {
    let mut bench = Bench::new();
    let (vault, authenticator, code) = account(&mut bench);
    for proof in [
        UnlockProof::Passphrase(WORDS),
        authenticator.proof(),
        UnlockProof::RecoveryCode(&code),
    ] {
        let back = reload(vault.state(), proof, &mut bench).unwrap();
        assert_eq!(back.state(), vault.state());
        assert_eq!(private_keys(&back), private_keys(&vault));
        assert_eq!(vault.check_unlock_proof(proof, &mut bench.memory), Ok(()));
    }
    let typed = RecoveryCode::parse(&code.to_text().to_lowercase().replace('-', " ")).unwrap();
    assert!(reload(vault.state(), UnlockProof::RecoveryCode(&typed), &mut bench).is_ok());
    let passkey = id_of(&vault, PASSKEY);
    assert_eq!(vault.method_label(&passkey), Some("laptop"));
}

#[test]
fn every_wrong_proof_gets_the_same_refusal() {
    let mut bench = Bench::new();
    let (vault, _, _) = account(&mut bench);
    let (stranger, other_code) = (
        Authenticator::new(2),
        RecoveryCode::make(&mut bench.random).unwrap(),
    );
    for proof in [
        UnlockProof::Passphrase(OTHER_WORDS),
        stranger.proof(),
        UnlockProof::RecoveryCode(&other_code),
    ] {
        let refused = code_of(reload(vault.state(), proof, &mut bench));
        assert_eq!(refused, Some(VaultErrorCode::InvalidPassphrase));
        let refused = code_of(vault.check_unlock_proof(proof, &mut bench.memory));
        assert_eq!(refused, Some(VaultErrorCode::InvalidPassphrase));
    }
}

#[test]
fn an_account_can_have_any_methods_that_the_rule_allows() {
    let mut bench = Bench::new();
    for (passphrase, passkey, recovery_code, allowed) in [
        (true, false, false, true),
        (true, true, false, true),
        (true, false, true, true),
        (true, true, true, true),
        (false, true, true, true),
        (false, true, false, false),
        (false, false, true, false),
        (false, false, false, false),
    ] {
        let authenticator = Authenticator::new(1);
        let methods = NewMethods {
            passphrase: passphrase.then_some(WORDS),
            passkey: passkey.then(|| authenticator.new_passkey()),
            recovery_code,
        };
        let made = make_account(KeyType::Ed25519, None, "keyhole-1", methods, &mut bench);
        assert_eq!(
            made.is_ok(),
            allowed,
            "{passphrase} {passkey} {recovery_code}"
        );
        let Ok((vault, code)) = made else { continue };
        assert_eq!(code.is_some(), recovery_code);
        if passphrase {
            assert!(reload(vault.state(), UnlockProof::Passphrase(WORDS), &mut bench).is_ok());
        }
        if passkey {
            assert!(reload(vault.state(), authenticator.proof(), &mut bench).is_ok());
        }
        if let Some(code) = code {
            assert!(reload(vault.state(), UnlockProof::RecoveryCode(&code), &mut bench).is_ok());
        }
    }
}

/// Everything is sealed again, the other methods still work, and the old data key opens nothing new.
fn assert_rekeyed(old: &Vault, new: &Vault, bench: &mut Bench) {
    assert_ne!(old.data_key, new.data_key);
    assert_eq!(new.state().revision, old.state().revision + 1);
    assert_eq!(private_keys(old), private_keys(new));
    assert!(!new.state().is_authentic(&old.data_key));
    assert!(old.follow(new.state().clone()).is_none());
    let address = &new.state().address;
    for (before, after) in old.state().keys.iter().zip(&new.state().keys) {
        assert_ne!(before.sealed, after.sealed);
        assert!(after.open(address, &old.data_key).is_none());
        assert!(after.open(address, &new.data_key).is_some());
    }
    // The old methods, put back on disk, open nothing: neither the new state nor a mix of both.
    let mut mixed = new.state().clone();
    mixed.methods = old.state().methods.clone();
    mixed.authenticate(&old.data_key).unwrap();
    assert!(code_of(reload(&mixed, UnlockProof::Passphrase(WORDS), bench)).is_some());
    let mut mixed = new.state().clone();
    for (method, before) in mixed.methods.iter_mut().zip(&old.state().methods) {
        method.data_key = before.data_key.clone();
    }
    mixed.authenticate(&old.data_key).unwrap();
    assert!(code_of(reload(&mixed, UnlockProof::Passphrase(WORDS), bench)).is_some());
    // Someone with the old ring can't open what is sealed from now on.
    let record = new.seal_record("log/1", "new", &mut bench.random).unwrap();
    assert!(old.open_record("log/1", &record).is_err());
    let record = old.seal_record("log/1", "old", &mut bench.random).unwrap();
    assert_eq!(new.open_record("log/1", &record).unwrap().as_str(), "old");
}

#[test]
fn removing_a_method_replaces_the_data_key_and_the_others_go_on() {
    let mut bench = Bench::new();
    let (vault, authenticator, code) = account(&mut bench);
    let removed = [PASSPHRASE, PASSKEY, RECOVERY_CODE];
    for kind in removed {
        let mut changed = vault.clone();
        let id = id_of(&vault, kind);
        let proof = if kind == PASSPHRASE {
            authenticator.proof()
        } else {
            UnlockProof::Passphrase(WORDS)
        };
        changed
            .remove_method(proof, &id, &mut bench.tools())
            .unwrap();
        assert_rekeyed(&vault, &changed, &mut bench);
        assert_eq!(changed.method_label(&id), None);
        for proof in [
            UnlockProof::Passphrase(WORDS),
            authenticator.proof(),
            UnlockProof::RecoveryCode(&code),
        ] {
            let back = reload(changed.state(), proof, &mut bench);
            assert_eq!(
                back.is_ok(),
                proof.kind() != kind,
                "{kind} by {}",
                proof.kind()
            );
        }
        // A removed method that is put back on disk is detected, whichever method unlocks.
        let mut restored = changed.state().clone();
        restored.methods = vault.state().methods.clone();
        for (at, method) in restored.methods.iter_mut().enumerate() {
            if let Some(stored) = changed
                .state()
                .methods
                .iter()
                .find(|one| one.id == method.id)
            {
                *method = stored.clone();
            } else {
                assert_eq!(removed[at], kind);
            }
        }
        let restored = restored.with_checksum();
        for proof in [
            UnlockProof::Passphrase(WORDS),
            authenticator.proof(),
            UnlockProof::RecoveryCode(&code),
        ] {
            let refused = code_of(reload(&restored, proof, &mut bench));
            assert_eq!(refused, Some(VaultErrorCode::InvalidPassphrase));
        }
    }
}

#[test]
fn replacing_a_passphrase_or_a_recovery_code_replaces_the_data_key() {
    let mut bench = Bench::new();
    let (vault, authenticator, code) = account(&mut bench);
    let mut changed = vault.clone();
    changed
        .set_passphrase(
            UnlockProof::RecoveryCode(&code),
            OTHER_WORDS,
            &mut bench.tools(),
        )
        .unwrap();
    assert_rekeyed(&vault, &changed, &mut bench);
    assert_eq!(id_of(&vault, PASSPHRASE), id_of(&changed, PASSPHRASE));
    assert!(reload(changed.state(), UnlockProof::Passphrase(WORDS), &mut bench).is_err());
    assert!(
        reload(
            changed.state(),
            UnlockProof::Passphrase(OTHER_WORDS),
            &mut bench
        )
        .is_ok()
    );
    assert!(reload(changed.state(), authenticator.proof(), &mut bench).is_ok());
    assert!(
        reload(
            changed.state(),
            UnlockProof::RecoveryCode(&code),
            &mut bench
        )
        .is_ok()
    );

    let mut changed = vault.clone();
    let new = changed
        .new_recovery_code(authenticator.proof(), &mut bench.tools())
        .unwrap();
    assert_rekeyed(&vault, &changed, &mut bench);
    assert_eq!(changed.state().methods.len(), 3);
    assert!(
        reload(
            changed.state(),
            UnlockProof::RecoveryCode(&code),
            &mut bench
        )
        .is_err()
    );
    assert!(reload(changed.state(), UnlockProof::RecoveryCode(&new), &mut bench).is_ok());
    assert!(reload(changed.state(), UnlockProof::Passphrase(WORDS), &mut bench).is_ok());
}

#[test]
fn adding_a_method_leaves_the_data_key() {
    let mut bench = Bench::new();
    let authenticator = Authenticator::new(1);
    let methods = NewMethods {
        passkey: Some(authenticator.new_passkey()),
        recovery_code: true,
        ..NewMethods::default()
    };
    let (mut vault, code) =
        make_account(KeyType::Ed25519, None, "keyhole-1", methods, &mut bench).unwrap();
    let (before, code) = (vault.clone(), code.unwrap());
    vault
        .set_passphrase(UnlockProof::RecoveryCode(&code), WORDS, &mut bench.tools())
        .unwrap();
    let second = Authenticator::new(2);
    let id = vault
        .add_passkey(
            UnlockProof::RecoveryCode(&code),
            &second.new_passkey(),
            &mut bench.tools(),
        )
        .unwrap();
    assert_eq!(vault.data_key, before.data_key);
    assert_eq!(vault.method_label(&id), Some("laptop"));
    for proof in [
        UnlockProof::Passphrase(WORDS),
        authenticator.proof(),
        second.proof(),
        UnlockProof::RecoveryCode(&code),
    ] {
        assert!(
            reload(vault.state(), proof, &mut bench).is_ok(),
            "{}",
            proof.kind()
        );
    }
    let again = vault.add_passkey(
        UnlockProof::Passphrase(WORDS),
        &second.new_passkey(),
        &mut bench.tools(),
    );
    assert_eq!(code_of(again), Some(VaultErrorCode::OperationFailed));
}

#[test]
fn a_recovery_code_is_not_a_strong_proof() {
    let mut bench = Bench::new();
    let (mut vault, _, code) = account(&mut bench);
    let before = vault.state().clone();
    let proof = UnlockProof::RecoveryCode(&code);
    let passkey = id_of(&vault, PASSKEY);
    let refused = code_of(vault.new_recovery_code(proof, &mut bench.tools()));
    assert_eq!(refused, Some(VaultErrorCode::OperationFailed));
    let refused = code_of(vault.remove_method(proof, &passkey, &mut bench.tools()));
    assert_eq!(refused, Some(VaultErrorCode::OperationFailed));
    let refused = code_of(vault.check_strong_unlock_proof(proof, &mut bench.memory));
    assert_eq!(refused, Some(VaultErrorCode::OperationFailed));
    assert_eq!(*vault.state(), before);
}

#[test]
fn no_method_changes_without_a_proof() {
    let mut bench = Bench::new();
    let (mut vault, _, _) = account(&mut bench);
    let before = vault.state().clone();
    let stranger = Authenticator::new(2);
    let other_code = RecoveryCode::make(&mut bench.random).unwrap();
    let passkey = id_of(&vault, PASSKEY);
    for proof in [
        UnlockProof::Passphrase(OTHER_WORDS),
        stranger.proof(),
        UnlockProof::RecoveryCode(&other_code),
    ] {
        let tools = &mut bench.tools();
        let is_code = matches!(proof, UnlockProof::RecoveryCode(_));
        let weak = Some(VaultErrorCode::InvalidPassphrase);
        let strong = if is_code {
            Some(VaultErrorCode::OperationFailed)
        } else {
            weak
        };
        assert_eq!(
            code_of(vault.set_passphrase(proof, OTHER_WORDS, tools)),
            weak
        );
        assert_eq!(
            code_of(vault.add_passkey(proof, &stranger.new_passkey(), tools)),
            weak
        );
        assert_eq!(code_of(vault.new_recovery_code(proof, tools)), strong);
        assert_eq!(code_of(vault.remove_method(proof, &passkey, tools)), strong);
    }
    assert_eq!(*vault.state(), before);
}

#[test]
fn the_rule_for_methods_holds_whatever_is_removed() {
    let mut bench = Bench::new();
    let (full, authenticator, _) = account(&mut bench);
    let words = UnlockProof::Passphrase(WORDS);
    let remove = |vault: &mut Vault, proof, kind: &str, bench: &mut Bench| {
        let id = id_of(vault, kind);
        vault.remove_method(proof, &id, &mut bench.tools())
    };
    // A passphrase alone is enough.
    let mut vault = full.clone();
    remove(&mut vault, words, PASSKEY, &mut bench).unwrap();
    // It can't be removed, with or without a recovery code.
    assert!(remove(&mut vault, words, PASSPHRASE, &mut bench).is_err());
    remove(&mut vault, words, RECOVERY_CODE, &mut bench).unwrap();
    assert!(remove(&mut vault, words, PASSPHRASE, &mut bench).is_err());
    assert_eq!(vault.state().methods.len(), 1);

    // A passkey needs another method: a recovery code or a second passkey.
    let mut vault = full.clone();
    remove(&mut vault, words, PASSPHRASE, &mut bench).unwrap();
    let proof = authenticator.proof();
    assert!(remove(&mut vault, proof, RECOVERY_CODE, &mut bench).is_err());
    assert!(remove(&mut vault, proof, PASSKEY, &mut bench).is_err());
    let second = Authenticator::new(2);
    vault
        .add_passkey(proof, &second.new_passkey(), &mut bench.tools())
        .unwrap();
    remove(&mut vault, proof, RECOVERY_CODE, &mut bench).unwrap();
    assert!(remove(&mut vault, proof, PASSKEY, &mut bench).is_err());
    assert_eq!(vault.state().methods.len(), 2);

    let missing = vault.remove_method(proof, "nothing", &mut bench.tools());
    assert_eq!(code_of(missing), Some(VaultErrorCode::OperationFailed));
}

#[test]
fn methods_are_named_while_the_account_is_open() {
    let mut bench = Bench::new();
    let (mut vault, _, _) = account(&mut bench);
    let id = id_of(&vault, RECOVERY_CODE);
    vault
        .label_method(&id, "in the safe", &mut bench.tools())
        .unwrap();
    // Replacing keeps the name.
    vault
        .new_recovery_code(UnlockProof::Passphrase(WORDS), &mut bench.tools())
        .unwrap();
    let back = reload(vault.state(), UnlockProof::Passphrase(WORDS), &mut bench).unwrap();
    assert_eq!(back.method_label(&id), Some("in the safe"));
    vault.label_method(&id, "", &mut bench.tools()).unwrap();
    assert_eq!(vault.method_label(&id), None);
    assert!(
        vault
            .label_method("nothing", "x", &mut bench.tools())
            .is_err()
    );
    let long = "l".repeat(201);
    assert!(vault.label_method(&id, &long, &mut bench.tools()).is_err());
}

#[test]
fn methods_are_at_most_32() {
    let mut bench = Bench::new();
    let (mut vault, authenticator, _) = account(&mut bench);
    for number in 2..=30 {
        let passkey = Authenticator::new(number);
        vault
            .add_passkey(
                authenticator.proof(),
                &passkey.new_passkey(),
                &mut bench.tools(),
            )
            .unwrap();
    }
    assert_eq!(vault.state().methods.len(), MAX_METHODS);
    let one_more = Authenticator::new(31);
    let refused = vault.add_passkey(
        authenticator.proof(),
        &one_more.new_passkey(),
        &mut bench.tools(),
    );
    assert_eq!(code_of(refused), Some(VaultErrorCode::OperationFailed));
    // Replacing adds no method.
    vault
        .new_recovery_code(authenticator.proof(), &mut bench.tools())
        .unwrap();
    assert!(reload(vault.state(), Authenticator::new(30).proof(), &mut bench).is_ok());
}

#[test]
fn randomness_that_fails_midway_changes_nothing() {
    let mut bench = Bench::new();
    let (vault, authenticator, _) = account(&mut bench);
    let passkey = id_of(&vault, PASSKEY);
    let second = Authenticator::new(2);
    type Change<'a> = &'a dyn Fn(&mut Vault, &mut Bench) -> Result<(), VaultError>;
    let changes: [Change<'_>; 3] = [
        &|vault, bench| vault.remove_method(authenticator.proof(), &passkey, &mut bench.tools()),
        &|vault, bench| {
            vault
                .new_recovery_code(authenticator.proof(), &mut bench.tools())
                .map(drop)
        },
        &|vault, bench| {
            vault
                .add_passkey(
                    authenticator.proof(),
                    &second.new_passkey(),
                    &mut bench.tools(),
                )
                .map(drop)
        },
    ];
    for change in changes {
        let mut changed = vault.clone();
        for failing_at in 0.. {
            bench.random = Stream::new();
            bench.random.failing_at = failing_at;
            match change(&mut changed, &mut bench) {
                Ok(()) => {
                    assert!(failing_at > 4);
                    break;
                }
                Err(_) => assert_eq!(changed.state(), vault.state()),
            }
        }
        assert_eq!(changed.state().revision, vault.state().revision + 1);
    }
}

#[test]
fn an_invalid_passkey_is_refused() {
    let mut bench = Bench::new();
    let (mut vault, authenticator, _) = account(&mut bench);
    let other = Authenticator::new(2);
    let long = "A".repeat(1_368);
    let label = "l".repeat(201);
    for (credential, relying_party, label) in [
        ("", "keyhole.example", None),
        ("no base64url!", "keyhole.example", None),
        (long.as_str(), "keyhole.example", None),
        ("AAAA", "", None),
        ("AAAA", "https://keyhole.example", None),
        ("AAAA", "keyhole.example", Some(label.as_str())),
    ] {
        let passkey = NewPasskey {
            credential,
            relying_party,
            label,
            ..other.new_passkey()
        };
        let refused = vault.add_passkey(authenticator.proof(), &passkey, &mut bench.tools());
        assert_eq!(
            code_of(refused),
            Some(VaultErrorCode::OperationFailed),
            "{credential} {relying_party}"
        );
    }
    // Overwritten, as an answer is after it was passed on.
    for from in [0, 32] {
        let mut used = Authenticator::new(3);
        used.prf.0[from..from + 32].fill(0);
        let refused = vault.add_passkey(
            authenticator.proof(),
            &used.new_passkey(),
            &mut bench.tools(),
        );
        assert_eq!(code_of(refused), Some(VaultErrorCode::OperationFailed));
    }
    assert_eq!(vault.state().revision, 2);
}
