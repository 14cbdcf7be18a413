#![allow(clippy::unwrap_used)]

use super::*;
use crate::testing::{Bench, CHEAP, NOW, PASSPHRASE as WORDS};

const ADDRESS: &str = "kh1address";

fn method(bench: &mut Bench) -> Method {
    Method::make_passphrase(
        ADDRESS,
        WORDS,
        CHEAP,
        NOW,
        &[7; 32],
        &mut bench.memory,
        &mut bench.random,
    )
    .unwrap()
}

#[test]
fn opens_for_its_passphrase_and_account_only() {
    let mut bench = Bench::new();
    let method = method(&mut bench);
    let memory = &mut bench.memory;
    let opened = method.open_with_passphrase(ADDRESS, WORDS, memory).unwrap();
    assert_eq!(*opened, [7; 32]);
    let wrong = method.open_with_passphrase(ADDRESS, "Correct horse battery staple", memory);
    assert_eq!(wrong.unwrap_err(), VaultError::wrong_passphrase());
    let elsewhere = method.open_with_passphrase("kh1other", WORDS, memory);
    assert_eq!(elsewhere.unwrap_err(), VaultError::wrong_passphrase());
}

#[test]
fn takes_a_new_data_key_without_its_passphrase() {
    let mut bench = Bench::new();
    let mut method = method(&mut bench);
    let wrap = method.wrap.clone();
    method
        .seal_data_key(ADDRESS, &[8; 32], &mut bench.random)
        .unwrap();
    assert_eq!(method.wrap, wrap);
    let opened = method.open_with_passphrase(ADDRESS, WORDS, &mut bench.memory);
    assert_eq!(*opened.unwrap(), [8; 32]);
}

#[test]
fn a_public_half_of_small_order_is_refused() {
    let mut bench = Bench::new();
    let mut method = method(&mut bench);
    method.public_key = Fixed([0; 32]);
    assert!(
        method
            .seal_data_key(ADDRESS, &[8; 32], &mut bench.random)
            .is_err()
    );
}

#[test]
fn the_wrap_is_bound_to_credential_and_relying_party() {
    let mut bench = Bench::new();
    let mut method = method(&mut bench);
    let bound = method.wrap_binding(ADDRESS).unwrap();
    method.rest.insert("credential".into(), "AAAA".into());
    let with_credential = method.wrap_binding(ADDRESS).unwrap();
    method
        .rest
        .insert("relying_party".into(), "keyhole.example".into());
    let with_both = method.wrap_binding(ADDRESS).unwrap();
    assert!(bound != with_credential && with_credential != with_both && bound != with_both);
}
