#![allow(clippy::unwrap_used)]

use alloc::vec::Vec;

use super::*;
use crate::testing::{Bench, PASSPHRASE as WORDS, account_of};
use keyhole_ucan::identity::key_type::KeyType;

const INFO: &[u8] = b"test";

#[test]
fn only_the_proof_of_a_method_opens_what_was_sealed_to_it() {
    let mut bench = Bench::new();
    let mut vault = account_of(KeyType::Ed25519, None, &mut bench);
    let proof = UnlockProof::Passphrase(WORDS);
    let code = vault.new_recovery_code(proof, &mut bench.tools()).unwrap();
    let keys: Vec<_> = vault.method_keys().copied().collect();
    assert_eq!(keys.len(), 2);
    let sealed = keys.iter().map(|public| {
        let to = SealedTo {
            public,
            info: INFO,
            binding: b"place",
        };
        SealedKeyFor::seal(&[7; 32], to, &mut bench.random).unwrap()
    });
    let sealed: Vec<_> = sealed.collect();
    let proofs = [proof, UnlockProof::RecoveryCode(&code)];
    for (at, proof) in proofs.into_iter().enumerate() {
        let method = vault.open_method(proof, &mut bench.memory).unwrap();
        assert_eq!(*method.public_key(), keys[at]);
        let opened = method.unseal(&sealed[at], INFO, b"place");
        assert_eq!(opened.as_deref(), Some(&[7; 32]));
        assert!(method.unseal(&sealed[1 - at], INFO, b"place").is_none());
        assert!(method.unseal(&sealed[at], INFO, b"other").is_none());
        assert!(method.unseal(&sealed[at], b"other", b"place").is_none());
    }
    let wrong = UnlockProof::Passphrase("not the passphrase");
    let refused = vault.open_method(wrong, &mut bench.memory);
    assert_eq!(refused.err(), Some(VaultError::WrongPassphrase));
}

/// A method's proof must not be taken for an account that someone sealed to the same method.
#[test]
fn a_method_of_another_data_key_is_refused() {
    let mut bench = Bench::new();
    let vault = account_of(KeyType::Ed25519, None, &mut bench);
    let mut other = vault.clone();
    other.data_key = Zeroizing::new([9; 32]);
    let proof = UnlockProof::Passphrase(WORDS);
    let refused = other.open_method(proof, &mut bench.memory);
    assert_eq!(refused.err(), Some(VaultError::WrongPassphrase));
}
