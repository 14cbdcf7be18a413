//! What a service asks: may it do what this text asks for?

use std::collections::BTreeSet;

use ipld_core::ipld::Ipld;
use keyhole_ucan::error::TokenErrorName::{
    Expired, InvalidAudience, InvalidCommand, MalformedToken, Replayed, UnavailableProof,
};
use keyhole_ucan::{Conditions, Delegation, Invocation, Signed, container, verify};

use crate::support::{NOW, command, did, key, refused_as, signed};

/// Person 2 asks for something on person 1's resource, valid for a minute.
fn asked(proofs: &[&Signed<Delegation>], what: &str) -> Signed<Invocation> {
    let invocation = Invocation {
        issuer: did(2),
        subject: did(1),
        audience: Some(did(3)),
        command: command(what),
        args: [("to".to_string(), Ipld::String("bob".into()))].into(),
        proofs: proofs.iter().map(|token| token.cid()).collect(),
        nonce: vec![7; 12],
        expires_at: Some(NOW + 60),
        issued_at: None,
        meta: None,
        cause: None,
    };
    Signed::sign(&invocation, &key(2)).unwrap()
}

fn text(proofs: &[&Signed<Delegation>], invocation: &Signed<Invocation>) -> String {
    let proofs = proofs.iter().map(|token| token.bytes());
    container::write(proofs.chain([invocation.bytes()]))
}

#[test]
fn what_is_allowed_comes_with_the_delegations_that_allow_it() {
    let grant = signed(1, 2, 1);
    let invocation = asked(&[&grant], "/msg/send");
    let text = text(&[&grant], &invocation);
    let me = did(3);
    let conditions = Conditions {
        audience: Some(&me),
        ..Conditions::at(NOW)
    };
    let allowed = verify(&text, &conditions).unwrap();
    assert_eq!(allowed.chain, [grant.cid()]);
    assert_eq!(allowed.invocation, invocation);

    let seen = BTreeSet::from([invocation.cid()]);
    let again = Conditions {
        seen: &seen,
        ..conditions
    };
    refused_as(verify(&text, &again), Replayed);
    let other = did(4);
    let elsewhere = Conditions {
        audience: Some(&other),
        ..conditions
    };
    refused_as(verify(&text, &elsewhere), InvalidAudience);
    refused_as(verify(&text, &Conditions::at(NOW + 1_000)), Expired);
}

#[test]
fn anything_not_allowed_is_refused_by_name() {
    let grant = signed(1, 2, 1);
    let at = Conditions::at(NOW);
    let other = asked(&[&grant], "/file");
    refused_as(verify(&text(&[&grant], &other), &at), InvalidCommand);
    let alone = asked(&[&grant], "/msg/send");
    refused_as(verify(&text(&[], &alone), &at), UnavailableProof);
    let grants = container::write([grant.bytes()]);
    for nonsense in ["", "nonsense", &grants] {
        refused_as(verify(nonsense, &at), MalformedToken);
    }
}
