#![allow(clippy::unwrap_used)]

use alloc::string::ToString;
use alloc::vec;

use serde_json::{Value, json};

use super::*;
use crate::methods::unlock_proof::{PASSPHRASE as PASSPHRASE_KIND, UnlockProof};
use crate::pay::budget::Budget;
use crate::pay::currency::Currency;
use crate::pay::mandate_error::MandateError;
use crate::pay::mandate_terms::Terms;
use crate::pay::payment::Payment;
use crate::pay::period::Period;
use crate::testing::{Authenticator, Bench, NOW, PASSPHRASE as WORDS, account_of};
use crate::vault::sealed_state::SealedState;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key_type::KeyType;

const OTHER_WORDS: &str = "another passphrase entirely";

fn account(bench: &mut Bench) -> Vault {
    let mut vault = account_of(KeyType::Ed25519, Some("Ada"), bench);
    vault.upgrade(&mut bench.tools()).unwrap();
    vault
}

fn shop() -> Did {
    Did::parse("did:web:shop.example").unwrap()
}

fn pounds() -> Currency {
    Currency::parse("GBP").unwrap()
}

fn mandate(vault: &mut Vault, bench: &mut Bench) -> String {
    let terms = Terms {
        audience: None,
        payees: vec![shop()],
        min: None,
        max: 100,
        currency: pounds(),
        not_before: None,
        expires_at: None,
        budget: Budget {
            period: Period::Day,
            amount: Some(100),
            payments: None,
        },
    };
    let made = vault.make_mandate(&terms, None, &mut bench.tools());
    made.unwrap().1.cid
}

fn spend(vault: &mut Vault, amount: u64, bench: &mut Bench) -> Result<(), MandateError> {
    let payment = Payment::new(shop(), amount, pounds(), "A-1").unwrap();
    let cid = vault.mandates()[0].cid.clone();
    let paid = vault.spend(&cid, &payment, true, 5, &mut bench.tools());
    paid.map(|_| ())
}

fn left(vault: &Vault) -> u64 {
    vault.mandates()[0].remaining(NOW).amount.unwrap()
}

/// Joined in both directions, the result is the same except for the counters' names.
fn both_ways(one: &Vault, other: &Vault, bench: &mut Bench) -> [Vault; 2] {
    let mut all = [one.clone(), other.clone()];
    all[0].join(other, &mut bench.tools()).unwrap();
    all[1].join(one, &mut bench.tools()).unwrap();
    let shape = |vault: &Vault| -> Value {
        let private = &vault.private;
        let methods: Vec<_> = vault.state.methods.iter().map(|m| &m.id).collect();
        let keys: Vec<_> = vault.state.keys.iter().map(|k| &k.id).collect();
        json!({
            "keys": keys,
            "methods": methods,
            "default": vault.state.default_key,
            "revision": vault.state.revision,
            "labels": [json!(private.label), json!(private.key_labels), json!(private.method_labels)],
            "aside": private.second.set_aside,
            "epoch": private.second.epoch,
        })
    };
    assert_eq!(shape(&all[0]), shape(&all[1]));
    // A joined state is a state like any other.
    for vault in &all {
        let state = SealedState::parse(&vault.state.to_text().unwrap()).unwrap();
        assert!(vault.follow(state).is_some());
        assert!(vault.state.revision > one.state.revision.max(other.state.revision));
    }
    all
}

#[test]
fn two_states_of_one_revision_keep_everything_of_both() {
    let mut bench = Bench::new();
    let start = account(&mut bench);
    let (mut one, mut other) = (start.clone(), start);
    let ours = one
        .generate_key(KeyType::P256, Some("laptop"), &mut bench.tools())
        .unwrap();
    let theirs = other
        .generate_key(KeyType::Ed25519, Some("phone"), &mut bench.tools())
        .unwrap();
    assert_eq!(one.state.revision, other.state.revision);
    for vault in both_ways(&one, &other, &mut bench) {
        assert_eq!(vault.keys.len(), 3);
        assert_eq!(vault.key_label(&ours), Some("laptop"));
        assert_eq!(vault.key_label(&theirs), Some("phone"));
        for key in &one.keys {
            assert!(vault.key_of(&key.public_key()).is_some());
        }
    }
}

#[test]
fn a_key_that_was_deleted_in_one_state_does_not_come_back_from_the_other() {
    let mut bench = Bench::new();
    let mut start = account(&mut bench);
    let id = start
        .generate_key(KeyType::P256, Some("old"), &mut bench.tools())
        .unwrap();
    start.set_default_key(&id, &mut bench.tools()).unwrap();
    let (mut one, mut other) = (start.clone(), start);
    let key = one.key(Some(&id)).unwrap().clone();
    one.delete_key(&id, &mut bench.tools()).unwrap();
    other.set_label("Ada L.", &mut bench.tools()).unwrap();
    let [mut vault, _] = both_ways(&one, &other, &mut bench);
    assert!(vault.key(Some(&id)).is_err());
    assert_eq!(vault.key_label(&id), None);
    assert_eq!(vault.state.default_key, vault.state.keys[0].id);
    // Importing it again brings it back, and then it stays, whichever of the two it is joined with.
    vault.import_key(key, None, &mut bench.tools()).unwrap();
    for before in [&one, &other] {
        for joined in both_ways(&vault, before, &mut bench) {
            assert!(joined.key(Some(&id)).is_ok());
        }
    }
    vault.delete_key(&id, &mut bench.tools()).unwrap();
    for joined in both_ways(&vault, &other, &mut bench) {
        assert!(joined.key(Some(&id)).is_err());
    }
}

#[test]
fn the_name_that_was_not_chosen_is_stored() {
    let mut bench = Bench::new();
    let start = account(&mut bench);
    let (mut one, mut other) = (start.clone(), start);
    one.set_label("Ada at home", &mut bench.tools()).unwrap();
    other.set_label("Ada at work", &mut bench.tools()).unwrap();
    let [vault, _] = both_ways(&one, &other, &mut bench);
    let name = vault.private.second.set_aside[0].strip_prefix("account ");
    let mut names = vec![vault.label().unwrap(), name.unwrap()];
    names.sort_unstable();
    assert_eq!(names, ["Ada at home", "Ada at work"]);
}

#[test]
fn a_method_removed_in_one_state_does_not_open_the_joined_one() {
    let mut bench = Bench::new();
    let mut start = account(&mut bench);
    let lost = Authenticator::new(7);
    let proof = UnlockProof::Passphrase(WORDS);
    let id = start
        .add_passkey(proof, &lost.new_passkey(), &mut bench.tools())
        .unwrap();
    let (mut one, mut other) = (start.clone(), start);
    one.remove_method(proof, &id, &mut bench.tools()).unwrap();
    let new = Authenticator::new(8);
    other
        .add_passkey(proof, &new.new_passkey(), &mut bench.tools())
        .unwrap();
    for vault in both_ways(&one, &other, &mut bench) {
        assert_ne!(vault.data_key, one.data_key);
        assert_ne!(vault.data_key, other.data_key);
        let open = |proof: UnlockProof<'_>, bench: &mut Bench| {
            Vault::unlock(vault.state.clone(), proof, &mut bench.memory)
        };
        assert!(open(lost.proof(), &mut bench).is_err());
        assert!(open(new.proof(), &mut bench).is_ok());
        assert!(open(proof, &mut bench).is_ok());
    }
}

#[test]
fn a_passphrase_that_was_replaced_in_one_state_is_replaced() {
    let mut bench = Bench::new();
    let start = account(&mut bench);
    let (mut one, mut other) = (start.clone(), start);
    let proof = UnlockProof::Passphrase(WORDS);
    one.set_passphrase(proof, OTHER_WORDS, &mut bench.tools())
        .unwrap();
    for number in 0..3 {
        let label = ["Ada ", &number.to_string()].concat();
        other.set_label(&label, &mut bench.tools()).unwrap();
    }
    for vault in both_ways(&one, &other, &mut bench) {
        let kinds: Vec<_> = vault
            .state
            .methods
            .iter()
            .map(|m| m.kind.as_str())
            .collect();
        assert_eq!(kinds, [PASSPHRASE_KIND]);
        let new = UnlockProof::Passphrase(OTHER_WORDS);
        assert!(Vault::unlock(vault.state.clone(), new, &mut bench.memory).is_ok());
        assert!(Vault::unlock(vault.state.clone(), proof, &mut bench.memory).is_err());
        assert_eq!(vault.label(), Some("Ada 2"));
    }
}

/// 60 and 60 of 100 are more than 100, in whichever direction the states are joined and under whichever names they
/// count.
#[test]
fn spending_of_two_states_is_counted_once_each() {
    let mut bench = Bench::new();
    let mut start = account(&mut bench);
    mandate(&mut start, &mut bench);
    spend(&mut start, 20, &mut bench).unwrap();
    let (mut one, mut other) = (start.clone(), start.clone());
    spend(&mut one, 40, &mut bench).unwrap();
    spend(&mut other, 40, &mut bench).unwrap();
    let [vault, _] = both_ways(&one, &other, &mut bench);
    assert_eq!(left(&vault), 0);
    assert!(!vault.mandates()[0].suspended);
    // A state that only lacks the last payments adds nothing.
    let [vault, _] = both_ways(&one, &start, &mut bench);
    assert_eq!(left(&vault), 40);
    // Joining again with what it was made from adds nothing.
    let [joined, _] = both_ways(&one, &other, &mut bench);
    let [again, _] = both_ways(&joined, &other, &mut bench);
    assert_eq!(left(&again), 0);
}

/// Two copies that were upgraded separately have different names.
#[test]
fn separately_upgraded_copies_never_count_too_little() {
    let mut bench = Bench::new();
    let mut start = account_of(KeyType::Ed25519, None, &mut bench);
    mandate(&mut start, &mut bench);
    spend(&mut start, 20, &mut bench).unwrap();
    let (mut one, mut other) = (start.clone(), start);
    for vault in [&mut one, &mut other] {
        spend(vault, 20, &mut bench).unwrap();
        vault.upgrade(&mut bench.tools()).unwrap();
        assert_eq!(left(vault), 60);
        spend(vault, 10, &mut bench).unwrap();
    }
    // 20 + 20 + 20 + 10 + 10 were spent; each side counts the first 20.
    for vault in both_ways(&one, &other, &mut bench) {
        assert_eq!(left(&vault), 0);
    }
    // The same state, upgraded twice, is one copy.
    let mut first = account_of(KeyType::Ed25519, None, &mut bench);
    mandate(&mut first, &mut bench);
    spend(&mut first, 30, &mut bench).unwrap();
    let mut second = first.clone();
    first.upgrade(&mut bench.tools()).unwrap();
    second.upgrade(&mut bench.tools()).unwrap();
    for vault in both_ways(&first, &second, &mut bench) {
        assert_eq!(left(&vault), 70);
    }
}

/// However the payments of two states interleave: the count is never below what was spent, and exact if there were few
/// enough.
#[test]
fn a_joined_count_is_never_below_what_was_spent() {
    for (before, ours, theirs) in [(0, 1, 1), (3, 2, 5), (10, 10, 3), (20, 14, 14), (20, 17, 2)] {
        let mut bench = Bench::new();
        let mut start = account(&mut bench);
        mandate(&mut start, &mut bench);
        let pay = |vault: &mut Vault, times: u64, bench: &mut Bench| {
            for _ in 0..times {
                spend(vault, 1, bench).unwrap();
            }
        };
        pay(&mut start, before, &mut bench);
        let (mut one, mut other) = (start.clone(), start);
        pay(&mut one, ours, &mut bench);
        pay(&mut other, theirs, &mut bench);
        let spent = before + ours + theirs;
        for vault in both_ways(&one, &other, &mut bench) {
            let counted = 100 - left(&vault);
            assert!(counted >= spent, "{counted} of {spent}");
            if ours.max(theirs) < 16 && before > 0 {
                assert_eq!(counted, spent);
            }
        }
    }
}

#[test]
fn a_mandate_that_was_ended_in_either_state_has_ended_in_both() {
    let mut bench = Bench::new();
    let mut start = account(&mut bench);
    let cid = mandate(&mut start, &mut bench);
    let (mut one, mut other) = (start.clone(), start);
    one.end_mandate(&cid, &mut bench.tools()).unwrap();
    spend(&mut other, 5, &mut bench).unwrap();
    for mut vault in both_ways(&one, &other, &mut bench) {
        assert!(spend(&mut vault, 1, &mut bench).is_err());
        assert_eq!(left(&vault), 95);
    }
}

#[test]
fn the_lines_of_both_states_stay_sound() {
    let mut bench = Bench::new();
    let mut start = account(&mut bench);
    let log = |vault: &mut Vault, name: &str, bench: &mut Bench| {
        let entries = [json!({"act": name})];
        vault.log_activity(&entries, &mut bench.tools()).unwrap()
    };
    let mut lines = log(&mut start, "before", &mut bench);
    let (mut one, mut other) = (start.clone(), start.clone());
    for name in ["one 1", "one 2", "one 3"] {
        lines.extend(log(&mut one, name, &mut bench));
    }
    for name in ["other 1", "other 2"] {
        lines.extend(log(&mut other, name, &mut bench));
    }
    // A line that is given twice counts once.
    lines.extend(lines.clone());
    for mut vault in both_ways(&one, &other, &mut bench) {
        let read = vault.read_activity(&lines);
        let names = |lines: &[crate::seal::activity_log::Line]| -> Vec<String> {
            let entries = lines.iter().filter(|line| line.sound);
            entries
                .map(|line| line.entry["act"].as_str().unwrap().to_string())
                .collect()
        };
        assert_eq!(names(&read.lines), ["before", "one 1", "one 2", "one 3"]);
        assert_eq!(names(&read.aside), ["other 1", "other 2"]);
        assert_eq!(read.aside.len(), 2);
        assert!(read.missing.is_empty());
        // It goes on, and both sides stay.
        let mut more = lines.clone();
        more.extend(log(&mut vault, "after", &mut bench));
        let read = vault.read_activity(&more);
        assert_eq!(names(&read.lines).len(), 5);
        assert_eq!(names(&read.aside).len(), 2);
        // A rewritten line of the other side is found.
        let mut rewritten = lines.clone();
        rewritten.retain(|line| {
            vault
                .open_record(&format_of(line.seq), &line.sealed)
                .is_ok_and(|text| !text.contains("other 1"))
        });
        let read = vault.read_activity(&rewritten);
        assert_eq!(names(&read.aside), ["other 2"]);
    }
    // A state that only lacks the last lines leaves no side behind.
    for vault in both_ways(&one, &start, &mut bench) {
        let read = vault.read_activity(&lines[..4]);
        assert_eq!((read.lines.len(), read.aside.len()), (4, 0));
        assert!(read.lines.iter().all(|line| line.sound));
    }
}

fn format_of(seq: u64) -> String {
    alloc::format!("activity:{seq}")
}

#[test]
fn a_failed_join_changes_nothing() {
    let mut bench = Bench::new();
    let first = account_of(KeyType::Ed25519, None, &mut bench);
    let mut second = account(&mut bench);
    let before = second.state.clone();
    // Another account, and a state that isn't upgraded.
    let mut other = account_of(KeyType::P256, None, &mut bench);
    other.upgrade(&mut bench.tools()).unwrap();
    assert!(second.join(&other, &mut bench.tools()).is_err());
    assert!(second.join(&first, &mut bench.tools()).is_err());
    // Past the limits.
    let mut full = second.clone();
    let mut more = second.clone();
    for _ in 0..200 {
        full.generate_key(KeyType::Ed25519, None, &mut bench.tools())
            .unwrap();
        more.generate_key(KeyType::Ed25519, None, &mut bench.tools())
            .unwrap();
    }
    assert_eq!(
        full.clone().join(&more, &mut bench.tools()).unwrap_err(),
        VaultError::TooManyKeys
    );
    // Itself.
    let same = second.clone();
    second.join(&same, &mut bench.tools()).unwrap();
    assert_eq!(second.state, before);
}
