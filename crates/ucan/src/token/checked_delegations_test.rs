use super::*;
use crate::identity::did::Did;
use crate::identity::key::SecretKey;
use crate::identity::key_type::KeyType;
use crate::policy::statement::Policy;
use crate::token::command::Command;
use crate::token::read::{self, Token};

fn key(number: u8) -> SecretKey {
    SecretKey::from_bytes(KeyType::Ed25519, &[number; 32]).unwrap()
}

/// A delegation that was read and whose signature was checked, one of many.
fn delegation(nonce: u32) -> Signed<Delegation> {
    let token = unchecked(nonce, Vec::new());
    token.verify_signature().unwrap();
    token
}

fn unchecked(nonce: u32, filling: Vec<u8>) -> Signed<Delegation> {
    let did = |number| Did::from_key(&key(number).public_key());
    let delegation = Delegation {
        issuer: did(1),
        audience: did(2),
        subject: Some(did(1)),
        command: Command::parse("/msg").unwrap(),
        policy: Policy::default(),
        nonce: [nonce.to_be_bytes().to_vec(), filling].concat(),
        expires_at: None,
        not_before: None,
        meta: None,
    };
    Signed::sign(&delegation, &key(1)).unwrap()
}

fn text(token: &Signed<Delegation>) -> alloc::string::String {
    crate::token::container::write([token.bytes()])
}

#[test]
fn a_delegation_is_known_after_its_second_use() {
    let mut table = CheckedDelegations::default();
    let token = delegation(0);
    table.note(&token);
    assert!(table.find(token.bytes()).is_none());
    table.note(&token);
    assert_eq!(table.find(token.bytes()), Some(token.clone()));
    let read = read::text_with(
        &text(&token),
        &mut table,
        &crate::work_budget::Budget::new(),
    )
    .unwrap();
    let [Token::Delegation(found)] = read.as_slice() else {
        panic!("one delegation");
    };
    // Not marked as checked until this call asks.
    assert!(!found.is_checked());
    assert_eq!(found.verify_signature(), Ok(()));
    assert_eq!(table.count(), 1);
}

#[test]
fn other_bytes_are_another_token() {
    let mut table = CheckedDelegations::default();
    let token = delegation(0);
    table.note(&token);
    table.note(&token);
    for at in 0..token.bytes().len() {
        let mut bytes = token.bytes().to_vec();
        bytes[at] ^= 1;
        assert!(table.find(&bytes).is_none());
    }
}

#[test]
fn a_verdict_that_can_change_is_not_kept() {
    let mut table = CheckedDelegations::default();
    let forged = {
        let mut bytes = delegation(0).bytes().to_vec();
        bytes[40] ^= 1;
        Signed::<Delegation>::decode(bytes).unwrap()
    };
    assert!(forged.verify_signature().is_err());
    let never_asked = Signed::<Delegation>::decode(delegation(1).bytes().to_vec()).unwrap();
    let long = unchecked(2, vec![0; MAX_STORED_LENGTH]);
    long.verify_signature().unwrap();
    for token in [forged, never_asked, long] {
        for _ in 0..3 {
            table.note(&token);
        }
        assert!(table.find(token.bytes()).is_none());
    }
    assert_eq!(table.count(), 0);
}

#[test]
fn a_strangers_tokens_evict_no_regular_and_memory_stays_bounded() {
    let mut table = CheckedDelegations::default();
    let honest = delegation(0);
    for _ in 0..3 {
        table.note(&honest);
        table.find(honest.bytes());
    }
    let most = MAX_PROBATION + MAX_REGULARS;
    for nonce in 1..4_000 {
        let token = delegation(nonce);
        // Once, twice, and now and then often.
        table.note(&token);
        table.note(&token);
        if nonce % 4 == 0 {
            table.find(token.bytes());
        }
        assert!(table.weight() <= most);
    }
    assert!(table.count() < 4_000);
    assert!(table.find(honest.bytes()).is_some());
    let by_weight: usize = table.entries.values().map(|place| place.weight).sum();
    assert_eq!(by_weight, table.weight());
}

#[test]
fn the_longest_unused_regular_goes_first() {
    let mut table = CheckedDelegations::default();
    let tokens: Vec<_> = (0..6_000).map(delegation).collect();
    for token in &tokens {
        table.note(token);
        table.note(token);
        table.find(token.bytes());
    }
    assert!(table.weight() <= MAX_PROBATION + MAX_REGULARS);
    assert!(table.find(tokens[0].bytes()).is_none());
    assert!(table.find(tokens[5_999].bytes()).is_some());
}

#[test]
fn a_known_token_counts_towards_what_one_text_may_hold() {
    let mut table = CheckedDelegations::default();
    let token = delegation(0);
    table.note(&token);
    table.note(&token);
    let known = table.find(token.bytes()).unwrap();
    assert_eq!(known.values(), unchecked(0, Vec::new()).values());
    assert!(known.values() > 0);
}
