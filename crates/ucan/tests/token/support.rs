//! People with keys, and delegations between them.

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::error::{TokenError, TokenErrorName};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::time::Clock;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::validation::chain::{self, Chain, Circumstances};

pub const NOW: i64 = 1_800_000_000;

/// A person's key; the first byte of every private key is the number.
pub fn key(number: u8) -> SecretKey {
    SecretKey::from_bytes(KeyType::Ed25519, &[number; 32]).unwrap()
}

pub fn did(number: u8) -> Did {
    Did::from_key(&key(number).public_key())
}

pub fn json(text: &str) -> Ipld {
    dag_json::parse(text).unwrap()
}

pub fn policy(text: &str) -> Policy {
    Policy::parse(&json(text)).unwrap()
}

pub fn command(text: &str) -> Command {
    Command::parse(text).unwrap()
}

/// A delegation of `/msg` by `from` to `to` over what `subject` owns, for ever.
pub fn delegation(from: u8, to: u8, subject: u8) -> Delegation {
    Delegation {
        issuer: did(from),
        audience: did(to),
        subject: Some(did(subject)),
        command: command("/msg"),
        policy: Policy::default(),
        nonce: vec![from, to, subject],
        expires_at: None,
        not_before: None,
        meta: None,
    }
}

/// Signs with the key that has the issuer's number.
pub fn sign(delegation: &Delegation) -> Signed<Delegation> {
    let issuer = (0..=255).find(|number| did(*number) == delegation.issuer);
    Signed::sign(delegation, &key(issuer.unwrap())).unwrap()
}

pub fn signed(from: u8, to: u8, subject: u8) -> Signed<Delegation> {
    sign(&delegation(from, to, subject))
}

/// A usual delegation with changes.
pub fn signed_with(
    from: u8,
    to: u8,
    subject: u8,
    change: impl FnOnce(&mut Delegation),
) -> Signed<Delegation> {
    let mut delegation = delegation(from, to, subject);
    change(&mut delegation);
    sign(&delegation)
}

/// Verifies at [`NOW`], with no skew and nothing revoked.
pub fn verify(tokens: &[&Signed<Delegation>]) -> Result<Chain, TokenError> {
    verify_at(tokens, NOW, 0)
}

pub fn verify_at(tokens: &[&Signed<Delegation>], now: i64, skew: u32) -> Result<Chain, TokenError> {
    verify_with(tokens, None, now, skew, &[])
}

pub fn verify_with(
    tokens: &[&Signed<Delegation>],
    leaf: Option<Cid>,
    now: i64,
    skew: u32,
    revoked: &[Cid],
) -> Result<Chain, TokenError> {
    let revoked: BTreeSet<Cid> = revoked.iter().copied().collect();
    let circumstances = Circumstances {
        revoked: &revoked,
        ..Circumstances::at(Clock { now, skew })
    };
    let tokens = tokens.iter().map(|token| (*token).clone()).collect();
    chain::verify(tokens, leaf, circumstances)
}

/// The name of a refusal and the token it is about.
#[track_caller]
pub fn refusal<T: std::fmt::Debug>(result: Result<T, TokenError>) -> (TokenErrorName, Option<Cid>) {
    let error = result.expect_err("must be refused");
    assert!(
        error.message.ends_with('.') && error.message.len() > 15,
        "no sentence: {}",
        error.message
    );
    (error.name, error.cid)
}

#[track_caller]
pub fn refused_as<T: std::fmt::Debug>(result: Result<T, TokenError>, name: TokenErrorName) {
    assert_eq!(refusal(result).0, name);
}
