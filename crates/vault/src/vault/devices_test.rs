#![allow(clippy::unwrap_used)]

use alloc::vec;

use super::*;
use crate::methods::unlock_proof::{PASSKEY, UnlockProof};
use crate::pay::budget::Budget;
use crate::pay::currency::Currency;
use crate::pay::mandate_error::MandateError;
use crate::pay::mandate_terms::Terms;
use crate::pay::payment::Payment;
use crate::pay::period::Period;
use crate::pay::share::Share;
use crate::seal::primitive;
use crate::testing::{Authenticator, Bench, NOW, PASSPHRASE as WORDS, account_of};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key_type::KeyType;

const INFO: &[u8] = b"test";
const DAY: u64 = 24 * 60 * 60;

fn section(text: &str) -> Section {
    Section(Zeroizing::new(text.to_string()))
}

fn account(bench: &mut Bench) -> Vault {
    let mut vault = account_of(KeyType::Ed25519, Some("Ada"), bench);
    vault.upgrade(&mut bench.tools()).unwrap();
    vault
}

/// An account that is in step with others.
fn shared_account(bench: &mut Bench) -> Vault {
    let mut vault = account(bench);
    let draft = vault.as_draft();
    adopt(&mut vault, &draft, bench);
    vault
}

fn adopt(vault: &mut Vault, draft: &Vault, bench: &mut Bench) {
    let state = draft.shared_state(7, &mut bench.random).unwrap();
    let shared = draft.follow(state).unwrap();
    vault
        .update(&mut bench.tools(), |parts, _| {
            parts.adopt(&shared)?;
            parts.set_shared(section("shared"));
            parts.set_device(Some(section("device")));
            Ok::<_, VaultError>(())
        })
        .unwrap();
}

fn pair(number: u8) -> (Zeroizing<[u8; 32]>, Fixed<32>) {
    let private = Zeroizing::new([number; 32]);
    let mut base = [0; 32];
    base[0] = 9;
    let public = primitive::x25519(&private, &base).unwrap();
    (private, Fixed(*public))
}

#[test]
fn the_shared_state_opens_for_its_receiver() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    vault
        .generate_key(KeyType::P256, Some("phone"), &mut bench.tools())
        .unwrap();
    let (private, public) = pair(3);
    let to = SealedTo {
        public: &public,
        info: INFO,
        binding: b"place",
    };
    let sealed = vault.seal_data_key(to, &mut bench.random).unwrap();
    let state = vault.shared_state(12, &mut bench.random).unwrap();
    assert_eq!(state.revision, 12);
    let open = |private: &_, to: SealedTo<'_>| {
        Vault::open_shared(state.clone(), &sealed, private, to).unwrap()
    };
    let opened = open(&private, to).unwrap();
    assert_eq!(opened.keys.len(), 2);
    // It has no name, log, count or device of this one.
    assert_eq!(opened.label(), None);
    assert!(opened.private.key_labels.is_empty());
    assert!(opened.has_data_key_of(&vault));
    // No other key opens it, and not in another place either.
    assert!(open(&pair(4).0, to).is_none());
    let elsewhere = SealedTo {
        binding: b"other",
        ..to
    };
    assert!(open(&private, elsewhere).is_none());
    let for_other = SealedTo {
        info: b"other",
        ..to
    };
    assert!(open(&private, for_other).is_none());
}

/// Devices that each changed keys or unlock methods alone could not be told apart from two accounts.
#[test]
fn no_device_alone_changes_the_shared_state() {
    let mut bench = Bench::new();
    let mut vault = shared_account(&mut bench);
    let before = vault.state().clone();
    let proof = UnlockProof::Passphrase(WORDS);
    let passkey = Authenticator::new(3);
    assert!(
        vault
            .generate_key(KeyType::Ed25519, None, &mut bench.tools())
            .is_err()
    );
    assert!(
        vault
            .add_passkey(proof, &passkey.new_passkey(), &mut bench.tools())
            .is_err()
    );
    assert!(
        vault
            .set_passphrase(proof, "another passphrase entirely", &mut bench.tools())
            .is_err()
    );
    assert_eq!(*vault.state(), before);
    // This device's own parts can still be changed.
    vault.set_label("Ada L.", &mut bench.tools()).unwrap();
    vault
        .log_activity(&[json!({"act": "unlock"})], &mut bench.tools())
        .unwrap();
    // A draft can change them, and the change applies once it is adopted.
    let mut draft = vault.as_draft();
    let id = draft
        .generate_key(KeyType::Ed25519, None, &mut bench.tools())
        .unwrap();
    draft
        .add_passkey(proof, &passkey.new_passkey(), &mut bench.tools())
        .unwrap();
    draft
        .set_passphrase(proof, "another passphrase entirely", &mut bench.tools())
        .unwrap();
    assert!(vault.key(Some(&id)).is_err());
    adopt(&mut vault, &draft, &mut bench);
    assert!(vault.key(Some(&id)).is_ok());
    let kinds: Vec<_> = vault.state().methods.iter().map(|m| &m.kind).collect();
    assert!(kinds.iter().any(|kind| *kind == PASSKEY));
    assert_eq!(vault.label(), Some("Ada L."));
    let words = UnlockProof::Passphrase("another passphrase entirely");
    let state = SealedState::parse(&vault.state().to_text().unwrap()).unwrap();
    let again = Vault::unlock(state, words, &mut bench.memory).unwrap();
    assert_eq!(again.sections().1, Some(&section("device")));
    assert!(again.is_in_step().unwrap());
}

#[test]
fn an_older_record_opens_after_another_device_replaced_the_data_key() {
    let mut bench = Bench::new();
    let mut vault = shared_account(&mut bench);
    let record = vault
        .seal_record("contact/1", "Bo", &mut bench.random)
        .unwrap();
    let mut draft = vault.as_draft();
    draft
        .update(&mut bench.tools(), |parts, tools| {
            parts.replace_data_key(tools)
        })
        .unwrap();
    adopt(&mut vault, &draft, &mut bench);
    assert_eq!(
        vault.open_record("contact/1", &record).unwrap().as_str(),
        "Bo"
    );
    // From now on records are sealed under the new key.
    let after = vault
        .seal_record("contact/1", "Bo", &mut bench.random)
        .unwrap();
    assert_ne!(record.split('.').nth(1), after.split('.').nth(1));
}

#[test]
fn another_accounts_state_is_not_adopted() {
    let mut bench = Bench::new();
    let mut vault = shared_account(&mut bench);
    let mut other = account_of(KeyType::P256, None, &mut bench);
    other.upgrade(&mut bench.tools()).unwrap();
    let refused = vault.update(&mut bench.tools(), |parts, _| parts.adopt(&other));
    assert_eq!(refused.unwrap_err(), VaultError::ImportOfOtherAccount);
}

fn shop() -> Did {
    Did::parse("did:web:shop.example").unwrap()
}

fn mandate(vault: &mut Vault, bench: &mut Bench) -> String {
    let terms = Terms {
        audience: None,
        payees: vec![shop()],
        min: None,
        max: 100,
        currency: Currency::parse("GBP").unwrap(),
        not_before: None,
        expires_at: None,
        budget: Budget {
            period: Period::Day,
            amount: Some(100),
            payments: Some(10),
        },
    };
    let made = vault.make_mandate(&terms, None, &mut bench.tools());
    made.unwrap().1.cid
}

fn spend_at(
    now: u64,
    vault: &mut Vault,
    cid: &str,
    amount: u64,
    bench: &mut Bench,
) -> Result<(), MandateError> {
    let payment = Payment::new(shop(), amount, Currency::parse("GBP").unwrap(), "A-1").unwrap();
    let mut tools = bench.tools();
    tools.now = now;
    vault.spend(cid, &payment, true, 5, &mut tools).map(|_| ())
}

fn give(vault: &mut Vault, cid: &str, shares: &[(u64, u64)], bench: &mut Bench) {
    let shares = shares.iter().map(|(since, amount)| Share {
        since: *since,
        amount: Some(*amount),
        payments: Some(5),
        answers: false,
    });
    let shares = Some(Shares(shares.collect()));
    vault
        .update(&mut bench.tools(), |parts, _| {
            parts.set_shares(cid, shares);
            Ok::<_, VaultError>(())
        })
        .unwrap();
}

/// A device spends its shares, whatever its clock says. Without a share for a period it spends nothing in it.
#[test]
fn a_device_spends_only_its_own_shares() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let cid = mandate(&mut vault, &mut bench);
    let today = NOW - NOW % DAY;
    give(
        &mut vault,
        &cid,
        &[(today, 40), (today + DAY, 30)],
        &mut bench,
    );
    assert!(spend_at(NOW, &mut vault, &cid, 41, &mut bench).is_err());
    spend_at(NOW, &mut vault, &cid, 40, &mut bench).unwrap();
    assert!(spend_at(NOW, &mut vault, &cid, 1, &mut bench).is_err());
    spend_at(NOW + DAY, &mut vault, &cid, 30, &mut bench).unwrap();
    // Set back, the clock is still in the period that was counted last. Set ahead, there is no share.
    assert!(spend_at(NOW, &mut vault, &cid, 1, &mut bench).is_err());
    assert!(spend_at(NOW + 2 * DAY, &mut vault, &cid, 1, &mut bench).is_err());
    assert!(spend_at(NOW + 900 * DAY, &mut vault, &cid, 1, &mut bench).is_err());
    give(&mut vault, &cid, &[(today + DAY, 36)], &mut bench);
    for _ in 0..4 {
        spend_at(NOW + DAY, &mut vault, &cid, 1, &mut bench).unwrap();
    }
    // The share also limits the number of payments to five.
    assert!(spend_at(NOW + DAY, &mut vault, &cid, 1, &mut bench).is_err());
}

#[test]
fn other_devices_spending_is_counted_under_their_names() {
    let mut bench = Bench::new();
    let mut vault = account(&mut bench);
    let cid = mandate(&mut vault, &mut bench);
    spend_at(NOW, &mut vault, &cid, 10, &mut bench).unwrap();
    let today = NOW - NOW % DAY;
    let spent = |since: u64, amount: u64| Used {
        since,
        amount,
        payments: 1,
    };
    let tell = |vault: &mut Vault, name: &str, what: Used, bench: &mut Bench| {
        vault
            .update(&mut bench.tools(), |parts, _| {
                parts.add_spent(&cid, name, &what);
                Ok::<_, VaultError>(parts.count_of(&cid, name).unwrap())
            })
            .unwrap()
    };
    tell(&mut vault, "d2", spent(today, 20), &mut bench);
    tell(&mut vault, "d2", spent(today, 5), &mut bench);
    // From a device whose clock is wrong, and from one that has moved on.
    tell(&mut vault, "d3", spent(today + 900 * DAY, 90), &mut bench);
    let late = tell(&mut vault, "d3", spent(today, 7), &mut bench);
    assert_eq!((late.used.amount, late.total.amount), (90, 97));
    let left = vault.mandates()[0].remaining(NOW);
    assert_eq!((left.amount, left.payments), (Some(65), Some(7)));
    assert!(spend_at(NOW, &mut vault, &cid, 66, &mut bench).is_err());
    spend_at(NOW, &mut vault, &cid, 65, &mut bench).unwrap();
    // What it has counted stays counted when it counts under a new name.
    vault
        .update(&mut bench.tools(), |parts, _| {
            parts.count_as("d1");
            Ok::<_, VaultError>(())
        })
        .unwrap();
    assert_eq!(vault.mandates()[0].remaining(NOW).amount, Some(0));
    assert_eq!(vault.counter(), Some("d1"));
}

/// A copy of a device's state is opened elsewhere. The device goes on counting, so the copy must not go on from the same count.
#[test]
fn a_copy_that_leaves_its_devices_has_no_device_and_pays_nothing_unasked() {
    let mut bench = Bench::new();
    let mut vault = shared_account(&mut bench);
    let cid = mandate(&mut vault, &mut bench);
    let other = mandate(&mut vault, &mut bench);
    give(&mut vault, &other, &[(NOW - NOW % DAY, 40)], &mut bench);
    let ended = mandate(&mut vault, &mut bench);
    vault.end_mandate(&ended, &mut bench.tools()).unwrap();
    spend_at(NOW, &mut vault, &cid, 60, &mut bench).unwrap();
    let line = json!({"act": "grant"});
    let lines = vault.log_activity(&[line], &mut bench.tools()).unwrap();
    let record = vault
        .seal_record("contact/1", "Bo", &mut bench.random)
        .unwrap();
    let mut copy = vault.clone();
    assert!(copy.leave_devices(&mut bench.tools()).unwrap());
    assert_eq!(copy.state().revision, vault.state().revision + 1);
    assert_eq!(copy.sections(), (vault.sections().0, None));
    assert_ne!(copy.counter(), vault.counter());
    // What was counted stays counted, under the device's name, and nothing more is spent before a person says so.
    let suspended: Vec<_> = copy.mandates().iter().map(|one| one.suspended).collect();
    assert_eq!(suspended, [true, true, false]);
    assert!(spend_at(NOW, &mut copy, &cid, 1, &mut bench).is_err());
    copy.suspend_mandate(&cid, false, &mut bench.tools())
        .unwrap();
    assert!(spend_at(NOW, &mut copy, &cid, 41, &mut bench).is_err());
    spend_at(NOW, &mut copy, &cid, 10, &mut bench).unwrap();
    // A share belongs to the device.
    copy.suspend_mandate(&other, false, &mut bench.tools())
        .unwrap();
    assert!(spend_at(NOW, &mut copy, &other, 1, &mut bench).is_err());
    // Both counts are known apart.
    spend_at(NOW, &mut vault, &cid, 20, &mut bench).unwrap();
    let mut both = copy.clone();
    both.join(&vault, &mut bench.tools()).unwrap();
    assert_eq!(both.mandates()[0].remaining(NOW).amount, Some(10));
    // Everything else is there, and keys can be changed again.
    assert_eq!(copy.label(), Some("Ada"));
    assert_eq!(copy.state().keys, vault.state().keys);
    let read = copy.read_activity(&lines);
    assert_eq!(read.lines.len(), 1);
    assert_eq!(
        copy.open_record("contact/1", &record).unwrap().as_str(),
        "Bo"
    );
    copy.generate_key(KeyType::Ed25519, None, &mut bench.tools())
        .unwrap();
    let state = SealedState::parse(&copy.state().to_text().unwrap()).unwrap();
    let again = Vault::unlock(state, UnlockProof::Passphrase(WORDS), &mut bench.memory).unwrap();
    assert!(again.sections().1.is_none());
}

#[test]
fn an_account_without_devices_has_none_to_leave() {
    let mut bench = Bench::new();
    let first = account_of(KeyType::Ed25519, Some("Ada"), &mut bench);
    for mut vault in [first, account(&mut bench)] {
        let before = vault.state().clone();
        assert!(!vault.leave_devices(&mut bench.tools()).unwrap());
        assert_eq!(*vault.state(), before);
    }
}
