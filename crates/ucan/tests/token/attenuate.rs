//! Narrowing: its result, and everything that it refuses before signing.

use std::collections::BTreeSet;

use keyhole_ucan::error::TokenError;
use keyhole_ucan::error::TokenErrorName::{
    Expired, InvalidAudience, InvalidClaim, InvalidCommand, InvalidSignature, InvalidSubject,
    MalformedToken, Revoked,
};
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::time::MAX_TIME;
use keyhole_ucan::token::delegation::{Delegation, issue};
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::validation::attenuate::{Expiry, Narrowing, attenuate};
use keyhole_ucan::validation::chain::{Chain, MAX_CHAIN_LENGTH};

use crate::support::{
    NOW, command, delegation, did, key, policy, refused_as, signed, signed_with, verify,
};

fn narrowing() -> Narrowing {
    Narrowing {
        audience: did(3),
        command: command("/msg/send"),
        policy: Policy::default(),
        subject: None,
        not_before: None,
        expiry: Expiry::Inherited,
        meta: None,
        nonce: vec![7; 12],
    }
}

/// Narrows as 2, whom the parent is addressed to.
fn narrow(parent: &[Signed<Delegation>], narrowing: Narrowing) -> Result<Chain, TokenError> {
    attenuate(
        parent.to_vec(),
        None,
        narrowing,
        &key(2),
        NOW,
        &BTreeSet::new(),
    )
}

#[test]
fn gives_a_chain_that_verifies_with_every_limit_in_it() {
    let parent = signed_with(1, 2, 1, |root| {
        root.policy = policy(r#"[["<",".n",9]]"#);
        root.expires_at = Some(NOW + 100);
    });
    let chain = narrow(
        core::slice::from_ref(&parent),
        Narrowing {
            policy: policy(r#"[[">",".n",1]]"#),
            ..narrowing()
        },
    )
    .unwrap();
    let leaf = chain.leaf().payload();
    assert_eq!((&leaf.issuer, &leaf.audience), (&did(2), &did(3)));
    assert_eq!(leaf.subject, Some(did(1)));
    assert_eq!(leaf.expires_at, Some(NOW + 100));
    assert_eq!(
        chain.effective().policy,
        policy(r#"[["<",".n",9],[">",".n",1]]"#)
    );
    assert_eq!(verify(&[&parent, chain.leaf()]).unwrap(), chain);
}

#[test]
fn a_powerline_parent_passes_on_its_chains_subject() {
    let powerline = signed_with(9, 2, 1, |line| line.subject = None);
    let chain = narrow(&[powerline, signed(1, 9, 1)], narrowing()).unwrap();
    assert_eq!(chain.leaf().payload().subject, Some(did(1)));
}

#[test]
fn the_parents_leaf_can_be_named() {
    let parents = [signed(1, 2, 1), signed(1, 5, 1)];
    refused_as(narrow(&parents, narrowing()), MalformedToken);
    let named = attenuate(
        parents.to_vec(),
        Some(parents[0].cid()),
        narrowing(),
        &key(2),
        NOW,
        &BTreeSet::new(),
    );
    assert_eq!(named.unwrap().tokens().count(), 2);
}

#[test]
fn refuses_a_command_that_is_not_covered() {
    let crypto = signed_with(1, 2, 1, |root| root.command = command("/crypto"));
    for text in ["/cryptocurrency", "/", "/msg"] {
        let wanted = Narrowing {
            command: command(text),
            ..narrowing()
        };
        refused_as(
            narrow(core::slice::from_ref(&crypto), wanted),
            InvalidCommand,
        );
    }
}

#[test]
fn refuses_another_subject() {
    let wanted = |subject| Narrowing {
        subject: Some(subject),
        ..narrowing()
    };
    let parent = [signed(1, 2, 1)];
    assert!(narrow(&parent, wanted(did(1))).is_ok());
    refused_as(narrow(&parent, wanted(did(2))), InvalidSubject);
}

#[test]
fn refuses_a_parent_for_someone_else() {
    refused_as(narrow(&[signed(1, 5, 1)], narrowing()), InvalidAudience);
}

#[test]
fn refuses_a_chain_back_to_an_earlier_holder() {
    let to_itself = signed(2, 2, 2);
    refused_as(
        narrow(core::slice::from_ref(&to_itself), narrowing()),
        InvalidAudience,
    );
    let parent = signed(1, 2, 1);
    for holder in [1, 2] {
        let back = Narrowing {
            audience: did(holder),
            ..narrowing()
        };
        refused_as(
            narrow(core::slice::from_ref(&parent), back),
            InvalidAudience,
        );
    }
}

#[test]
fn refuses_a_parent_that_does_not_verify() {
    let expired = signed_with(1, 2, 1, |root| root.expires_at = Some(NOW - 1));
    refused_as(narrow(&[expired], narrowing()), Expired);

    let parent = signed(1, 2, 1);
    let revoked = BTreeSet::from([parent.cid()]);
    let result = attenuate(
        vec![parent.clone()],
        None,
        narrowing(),
        &key(2),
        NOW,
        &revoked,
    );
    refused_as(result, Revoked);

    let mut bytes = parent.bytes().to_vec();
    bytes[40] ^= 1;
    let forged = Signed::decode(bytes).unwrap();
    refused_as(narrow(&[forged], narrowing()), InvalidSignature);

    refused_as(narrow(&[signed(9, 2, 1)], narrowing()), InvalidSubject);
    refused_as(narrow(&[], narrowing()), MalformedToken);
    let broken = [signed(1, 5, 1), signed(6, 2, 1)];
    refused_as(narrow(&broken, narrowing()), InvalidAudience);
}

#[test]
fn refuses_to_outlast_the_chain() {
    let chain = [
        signed_with(1, 5, 1, |root| root.expires_at = Some(NOW + 10)),
        signed_with(5, 2, 1, |leaf| leaf.expires_at = Some(NOW + 99)),
    ];
    let until = |moment| Narrowing {
        expiry: Expiry::At(moment),
        ..narrowing()
    };
    assert!(narrow(&chain, until(Some(NOW + 10))).is_ok());
    refused_as(narrow(&chain, until(Some(NOW + 11))), InvalidClaim);
    refused_as(narrow(&chain, until(None)), InvalidClaim);
    let endless = [signed(1, 2, 1)];
    assert!(narrow(&endless, until(None)).is_ok());
    assert!(narrow(&endless, until(Some(MAX_TIME))).is_ok());
}

#[test]
fn refuses_what_can_never_be_used() {
    let late = [signed_with(1, 2, 1, |root| {
        root.not_before = Some(NOW + 50);
        root.expires_at = Some(NOW + 100);
    })];
    let before = Narrowing {
        expiry: Expiry::At(Some(NOW + 49)),
        ..narrowing()
    };
    refused_as(narrow(&late, before), InvalidClaim);
    let after = Narrowing {
        not_before: Some(NOW + 101),
        ..narrowing()
    };
    refused_as(narrow(&late, after), InvalidClaim);
    let past = Narrowing {
        expiry: Expiry::At(Some(NOW - 1)),
        ..narrowing()
    };
    refused_as(narrow(&[signed(1, 2, 1)], past), Expired);
}

#[test]
fn a_parent_that_starts_later_can_be_narrowed_now() {
    let late = [signed_with(1, 2, 1, |root| {
        root.not_before = Some(NOW + 50)
    })];
    assert!(narrow(&late, narrowing()).is_ok());
    let never = [
        signed_with(1, 5, 1, |root| root.not_before = Some(NOW + 50)),
        signed_with(5, 2, 1, |leaf| leaf.expires_at = Some(NOW + 49)),
    ];
    refused_as(narrow(&never, narrowing()), InvalidClaim);
}

#[test]
fn refuses_to_grow_past_the_longest_chain() {
    let mut links: Vec<_> = (10..10 + MAX_CHAIN_LENGTH as u8 - 1)
        .map(|at| signed(at, at + 1, 10))
        .collect();
    links.push(signed(10 + MAX_CHAIN_LENGTH as u8 - 1, 2, 10));
    refused_as(narrow(&links, narrowing()), MalformedToken);
}

#[test]
fn a_root_is_refused_where_it_could_not_be_used() {
    let attempt = |change: fn(&mut Delegation)| {
        let mut root = delegation(1, 2, 1);
        change(&mut root);
        issue(&root, &key(1), NOW)
    };
    assert!(attempt(|_| {}).is_ok());
    assert!(attempt(|root| root.subject = None).is_ok());
    assert!(attempt(|root| root.audience = Did::parse("did:web:example.com").unwrap()).is_ok());
    refused_as(attempt(|root| root.subject = Some(did(9))), InvalidSubject);
    refused_as(
        attempt(|root| root.audience = Did::parse("did:key:zzzzzzzz").unwrap()),
        InvalidAudience,
    );
    refused_as(
        attempt(|root| root.command = command("/ucan/attest")),
        InvalidCommand,
    );
    refused_as(attempt(|root| root.expires_at = Some(NOW - 1)), Expired);
    refused_as(
        attempt(|root| {
            root.not_before = Some(NOW + 9);
            root.expires_at = Some(NOW + 8);
        }),
        InvalidClaim,
    );
    refused_as(
        attempt(|root| root.expires_at = Some(MAX_TIME + 1)),
        MalformedToken,
    );
    refused_as(
        attempt(|root| root.nonce = vec![0; 1 << 20]),
        MalformedToken,
    );
    refused_as(issue(&delegation(1, 2, 1), &key(2), NOW), InvalidSignature);
}
