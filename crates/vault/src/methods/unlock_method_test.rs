#![allow(clippy::unwrap_used)]

use super::*;
use crate::methods::recovery_code::RecoveryCode;
use crate::methods::unlock_proof::PASSPHRASE;
use crate::testing::{Authenticator, Bench, CHEAP, PASSPHRASE as WORDS};

const ADDRESS: &str = "kh1address";
const DATA_KEY: [u8; 32] = [7; 32];

fn make(new: &NewMethod<'_>, bench: &mut Bench) -> Method {
    Method::make(new, None, ADDRESS, &DATA_KEY, &mut bench.tools()).unwrap()
}

fn open(
    method: &Method,
    address: &str,
    proof: UnlockProof<'_>,
    bench: &mut Bench,
) -> Option<[u8; 32]> {
    let opened = method.open(address, proof, &mut bench.memory).unwrap();
    opened.map(|key| *key)
}

fn code(bench: &mut Bench) -> RecoveryCode {
    RecoveryCode::make(&mut bench.random).unwrap()
}

/// One method of each kind, as it is written down and read again.
fn methods(authenticator: &Authenticator, code: &RecoveryCode, bench: &mut Bench) -> [Method; 3] {
    [
        NewMethod::Passphrase(WORDS, CHEAP),
        NewMethod::Passkey(&authenticator.new_passkey()),
        NewMethod::RecoveryCode(code),
    ]
    .map(|new| {
        let method = make(&new, bench);
        let text = serde_json::to_string(&method).unwrap();
        assert_eq!(serde_json::from_str::<Method>(&text).unwrap(), method);
        method
    })
}

#[test]
fn each_opens_for_its_proof_and_account_only() {
    let mut bench = Bench::new();
    let (authenticator, code) = (Authenticator::new(1), code(&mut bench));
    let methods = methods(&authenticator, &code, &mut bench);
    let proofs = [
        UnlockProof::Passphrase(WORDS),
        authenticator.proof(),
        UnlockProof::RecoveryCode(&code),
    ];
    for (at, method) in methods.iter().enumerate() {
        for (other, proof) in proofs.iter().enumerate() {
            let opened = open(method, ADDRESS, *proof, &mut bench);
            assert_eq!(opened, (at == other).then_some(DATA_KEY), "{at} by {other}");
        }
        assert_eq!(open(method, "kh1other", proofs[at], &mut bench), None);
    }
}

#[test]
fn a_proof_that_differs_by_a_bit_does_not_open() {
    let mut bench = Bench::new();
    let (authenticator, code) = (Authenticator::new(1), code(&mut bench));
    let [passphrase, passkey, recovery_code] = methods(&authenticator, &code, &mut bench);
    let wrong = UnlockProof::Passphrase("Correct horse battery staple");
    assert_eq!(open(&passphrase, ADDRESS, wrong, &mut bench), None);
    for at in [0, 31, 32, 63] {
        let mut answer = Authenticator::new(1);
        answer.prf.0[at] ^= 1;
        assert_eq!(open(&passkey, ADDRESS, answer.proof(), &mut bench), None);
    }
    // The two outputs in the other order.
    let mut answer = Authenticator::new(1);
    answer.prf.0.rotate_left(32);
    assert_eq!(open(&passkey, ADDRESS, answer.proof(), &mut bench), None);
    // Another passkey with the same outputs.
    let mut other = Authenticator::new(1);
    other.credential = Authenticator::new(2).credential;
    assert_eq!(open(&passkey, ADDRESS, other.proof(), &mut bench), None);
    for at in 0..16 {
        let mut wrong = code.clone();
        wrong.0[at] ^= 0x80;
        assert_eq!(
            open(
                &recovery_code,
                ADDRESS,
                UnlockProof::RecoveryCode(&wrong),
                &mut bench
            ),
            None
        );
    }
}

#[test]
fn gets_a_new_data_key_without_its_proof() {
    let mut bench = Bench::new();
    let (authenticator, code) = (Authenticator::new(1), code(&mut bench));
    let proofs = [
        UnlockProof::Passphrase(WORDS),
        authenticator.proof(),
        UnlockProof::RecoveryCode(&code),
    ];
    for (mut method, proof) in methods(&authenticator, &code, &mut bench)
        .into_iter()
        .zip(proofs)
    {
        let wrap = method.wrap.clone();
        method
            .seal_data_key(ADDRESS, &[8; 32], &mut bench.random)
            .unwrap();
        assert_eq!(method.wrap, wrap);
        assert_eq!(open(&method, ADDRESS, proof, &mut bench), Some([8; 32]));
    }
}

#[test]
fn a_public_half_of_small_order_is_refused() {
    let mut bench = Bench::new();
    let mut method = make(&NewMethod::Passphrase(WORDS, CHEAP), &mut bench);
    method.public_key = Fixed([0; 32]);
    assert!(
        method
            .seal_data_key(ADDRESS, &[8; 32], &mut bench.random)
            .is_err()
    );
}

#[test]
fn the_wrap_is_bound_to_everything_that_says_how_it_opens() {
    let mut bench = Bench::new();
    let authenticator = Authenticator::new(1);
    let method = make(
        &NewMethod::Passkey(&authenticator.new_passkey()),
        &mut bench,
    );
    let bound = method.wrap_binding(ADDRESS).unwrap();
    type Change = fn(&mut Method);
    let changes: [(&str, Change); 7] = [
        ("id", |method| method.id.push('A')),
        ("kind", |method| method.kind = PASSPHRASE.to_string()),
        ("time", |method| method.created_at += 1),
        ("salt", |method| method.kdf["salt"] = "AAAA".into()),
        ("public half", |method| method.public_key.0[0] ^= 1),
        ("credential", |method| {
            drop(method.rest.insert("credential".into(), "AAAA".into()))
        }),
        ("relying party", |method| {
            method
                .rest
                .insert("relying_party".into(), "other.example".into());
        }),
    ];
    for (what, change) in changes {
        let mut changed = method.clone();
        change(&mut changed);
        assert_ne!(changed.wrap_binding(ADDRESS).unwrap(), bound, "{what}");
        let opened = changed.open(ADDRESS, authenticator.proof(), &mut bench.memory);
        assert!(!matches!(opened, Ok(Some(_))), "{what}");
    }
}

#[test]
fn a_method_of_another_form_than_its_kind_is_refused() {
    let mut bench = Bench::new();
    let (authenticator, code) = (Authenticator::new(1), code(&mut bench));
    let methods = methods(&authenticator, &code, &mut bench);
    type Change = fn(&mut Method);
    let changes: [(usize, Change); 14] = [
        (0, |method| method.kdf["salt"] = "AAAA".into()),
        (0, |method| method.kdf["more"] = 1.into()),
        (0, |method| {
            drop(method.rest.insert("credential".into(), "AAAA".into()))
        }),
        (1, |method| method.kdf["name"] = "hkdf-sha256".into()),
        (1, |method| {
            method.kdf["salt"] = base64::encode(&[0; 63]).into()
        }),
        (1, |method| drop(method.rest.remove("credential"))),
        (1, |method| drop(method.rest.remove("relying_party"))),
        (1, |method| {
            drop(method.rest.insert("more".into(), 1.into()))
        }),
        (1, |method| {
            drop(method.rest.insert("credential".into(), "".into()))
        }),
        (1, |method| {
            drop(
                method
                    .rest
                    .insert("credential".into(), "A".repeat(1_368).into()),
            )
        }),
        (1, |method| {
            drop(
                method
                    .rest
                    .insert("relying_party".into(), "a".repeat(254).into()),
            )
        }),
        (2, |method| method.kdf["name"] = "webauthn-prf".into()),
        (2, |method| {
            method.kdf["salt"] = base64::encode(&[0; 64]).into()
        }),
        (2, |method| method.kind = "something else".into()),
    ];
    for (at, (kind, change)) in changes.into_iter().enumerate() {
        let mut method = methods[kind].clone();
        assert!(method.parameters().is_ok());
        change(&mut method);
        assert!(method.parameters().is_err(), "change {at}");
    }
}
