//! Chains: found in any order, checked in every link, refused by name.

use keyhole_ucan::error::TokenErrorName::{
    Expired, InvalidAudience, InvalidClaim, InvalidCommand, InvalidSignature, InvalidSubject,
    MalformedToken, Revoked, TooEarly, TooMuchWork, UnavailableProof,
};
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read;
use keyhole_ucan::validation::chain::MAX_CHAIN_LENGTH;

use crate::support::{
    NOW, command, did, policy, refusal, refused_as, signed, signed_with, verify, verify_at,
    verify_with,
};

/// 1 owns the resource and gives to 2, who gives to 3, who gives to 4.
fn three() -> [Signed<Delegation>; 3] {
    [signed(1, 2, 1), signed(2, 3, 1), signed(3, 4, 1)]
}

#[test]
fn a_chain_is_found_in_any_order() {
    let [a, b, c] = three();
    for order in [
        [&a, &b, &c],
        [&a, &c, &b],
        [&b, &a, &c],
        [&b, &c, &a],
        [&c, &a, &b],
        [&c, &b, &a],
    ] {
        let chain = verify(&order).unwrap();
        let cids: Vec<_> = chain.tokens().map(Signed::cid).collect();
        assert_eq!(cids, [a.cid(), b.cid(), c.cid()]);
        assert_eq!(chain.leaf(), &c);
        assert_eq!(*chain.subject(), did(1));
    }
}

#[test]
fn its_text_holds_all_of_it_and_is_the_same_for_any_order() {
    let [a, b, c] = three();
    let text = verify(&[&b, &a, &c]).unwrap().to_text();
    assert_eq!(text, verify(&[&c, &b, &a]).unwrap().to_text());
    let read = read::delegations(read::text(&text).unwrap()).unwrap();
    assert_eq!(verify(&read.iter().collect::<Vec<_>>()).unwrap().leaf(), &c);
}

#[test]
fn every_limit_along_a_chain_applies() {
    let chain = verify(&[
        &signed_with(1, 2, 1, |root| {
            root.policy = policy(r#"[["<",".amount",100]]"#);
            root.expires_at = Some(NOW + 500);
            root.not_before = Some(NOW - 10);
        }),
        &signed_with(2, 3, 1, |middle| {
            middle.policy = policy(r#"[["==",".currency","EUR"],["<",".amount",100]]"#);
            middle.command = command("/msg/send");
            middle.expires_at = Some(NOW + 100);
            middle.not_before = Some(NOW - 30);
        }),
        &signed_with(3, 4, 1, |leaf| {
            leaf.policy = policy(r#"[["<",".amount",10]]"#);
            leaf.command = command("/msg/send/now");
            leaf.expires_at = Some(NOW + 300);
        }),
    ])
    .unwrap();
    let effective = chain.effective();
    assert_eq!(effective.command, command("/msg/send/now"));
    assert_eq!(
        effective.policy,
        policy(r#"[["<",".amount",100],["==",".currency","EUR"],["<",".amount",10]]"#)
    );
    assert_eq!(effective.expires_at, Some(NOW + 100));
    assert_eq!(effective.not_before, Some(NOW - 10));
}

#[test]
fn a_chain_without_bounds_has_none() {
    let effective = verify(&[&signed(1, 2, 1)]).unwrap().effective();
    assert_eq!((effective.not_before, effective.expires_at), (None, None));
}

#[test]
fn each_link_is_checked() {
    let [a, b, c] = three();
    let to_another = signed(5, 4, 1);
    assert_eq!(
        refusal(verify(&[&a, &b, &to_another])),
        (InvalidAudience, Some(to_another.cid()))
    );
    let about_another = signed(2, 3, 9);
    assert_eq!(
        refusal(verify(&[&a, &about_another, &c])),
        (InvalidSubject, Some(about_another.cid()))
    );
    let wider = signed_with(2, 3, 1, |wider| wider.command = command("/"));
    assert_eq!(
        refusal(verify(&[&a, &wider, &c])),
        (InvalidCommand, Some(wider.cid()))
    );
}

#[test]
fn crypto_does_not_cover_cryptocurrency() {
    let crypto = signed_with(1, 2, 1, |root| root.command = command("/crypto"));
    let below = |path: &str| signed_with(2, 3, 1, |leaf| leaf.command = command(path));
    assert!(verify(&[&crypto, &below("/crypto/sign")]).is_ok());
    let currency = below("/cryptocurrency");
    assert_eq!(
        refusal(verify(&[&crypto, &currency])),
        (InvalidCommand, Some(currency.cid()))
    );
}

#[test]
fn a_root_is_issued_by_its_subject() {
    let stolen = signed(2, 3, 1);
    assert_eq!(
        refusal(verify(&[&stolen])),
        (InvalidSubject, Some(stolen.cid()))
    );
    let chain = [signed(2, 3, 1), signed(3, 4, 1)];
    assert_eq!(
        refusal(verify(&[&chain[0], &chain[1]])),
        (InvalidSubject, Some(chain[0].cid()))
    );
}

#[test]
fn a_powerline_continues_a_chain_and_never_starts_one() {
    let powerline = signed_with(2, 3, 1, |line| line.subject = None);
    assert_eq!(
        refusal(verify(&[&powerline])),
        (InvalidClaim, Some(powerline.cid()))
    );
    let chain = verify(&[&signed(1, 2, 1), &powerline, &signed(3, 4, 1)]).unwrap();
    assert_eq!(*chain.subject(), did(1));
    let leaf = verify(&[&powerline, &signed(1, 2, 1)]).unwrap();
    assert_eq!(leaf.leaf(), &powerline);
    refused_as(
        verify(&[&signed(1, 2, 1), &powerline, &signed(3, 4, 9)]),
        InvalidSubject,
    );
}

#[test]
fn time_bounds_hold_at_both_ends_with_the_skew() {
    let token = signed_with(1, 2, 1, |token| {
        token.not_before = Some(NOW);
        token.expires_at = Some(NOW + 100);
    });
    for (now, skew, wanted) in [
        (NOW, 0, None),
        (NOW + 100, 0, None),
        (NOW - 1, 0, Some(TooEarly)),
        (NOW + 101, 0, Some(Expired)),
        (NOW - 60, 60, None),
        (NOW + 160, 60, None),
        (NOW - 61, 60, Some(TooEarly)),
        (NOW + 161, 60, Some(Expired)),
    ] {
        let result = verify_at(&[&token], now, skew);
        assert_eq!(result.err().map(|error| error.name), wanted, "{now} {skew}");
    }
}

#[test]
fn any_link_can_have_expired_or_not_started() {
    let [a, _, c] = three();
    let expired = signed_with(2, 3, 1, |token| token.expires_at = Some(NOW - 1));
    assert_eq!(
        refusal(verify(&[&a, &expired, &c])),
        (Expired, Some(expired.cid()))
    );
    let early = signed_with(2, 3, 1, |token| token.not_before = Some(NOW + 1));
    assert_eq!(
        refusal(verify(&[&a, &early, &c])),
        (TooEarly, Some(early.cid()))
    );
}

#[test]
fn bounds_need_not_nest() {
    let root = signed_with(1, 2, 1, |token| token.expires_at = Some(NOW + 1));
    let leaf = signed_with(2, 3, 1, |token| token.expires_at = Some(NOW + 1000));
    assert!(verify(&[&root, &leaf]).is_ok());
}

#[test]
fn a_revoked_link_ends_the_chain() {
    let [a, b, c] = three();
    for revoked in [&a, &b, &c] {
        let result = verify_with(&[&a, &b, &c], None, NOW, 0, &[revoked.cid()]);
        assert_eq!(refusal(result), (Revoked, Some(revoked.cid())));
    }
    let stranger = signed(7, 8, 7).cid();
    assert!(verify_with(&[&a, &b, &c], None, NOW, 0, &[stranger]).is_ok());
}

#[test]
fn a_changed_byte_of_any_signature_is_found() {
    let [a, b, c] = three();
    for at in [3, 34, 66] {
        let mut bytes = b.bytes().to_vec();
        bytes[at] ^= 1;
        let forged = Signed::<Delegation>::decode(bytes).unwrap();
        assert_eq!(
            refusal(verify(&[&a, &forged, &c])),
            (InvalidSignature, Some(forged.cid()))
        );
    }
}

#[test]
fn an_issuer_whose_key_is_elsewhere_cannot_be_checked() {
    // The signature stays 2's; the text of the issuer is as long as a did:web's.
    let token = signed_with(2, 3, 2, |_| {});
    let key = did(2).as_str().as_bytes().to_vec();
    let mut web = b"did:web:".to_vec();
    web.resize(key.len(), b'a');
    let mut bytes = token.bytes().to_vec();
    while let Some(at) = bytes.windows(key.len()).position(|part| part == key) {
        bytes[at..at + key.len()].copy_from_slice(&web);
    }
    let token = Signed::<Delegation>::decode(bytes).unwrap();
    assert_eq!(token.payload().issuer.method(), "web");
    refused_as(verify(&[&token]), InvalidSignature);
}

#[test]
fn the_leaf_can_be_named() {
    let [a, b, c] = three();
    let named = |cid| verify_with(&[&a, &b, &c], Some(cid), NOW, 0, &[]);
    assert_eq!(named(b.cid()).unwrap().leaf(), &b);
    assert_eq!(named(a.cid()).unwrap().tokens().count(), 1);
    let elsewhere = signed(7, 8, 7).cid();
    assert_eq!(
        refusal(named(elsewhere)),
        (UnavailableProof, Some(elsewhere))
    );
}

#[test]
fn what_someone_passes_to_themselves_comes_last() {
    let root = signed(1, 2, 1);
    let own = signed_with(2, 2, 1, |own| own.policy = policy(r#"[["==",".a",1]]"#));
    let chain = verify(&[&own, &root]).unwrap();
    assert_eq!(chain.leaf(), &own);
    assert_eq!(chain.tokens().count(), 2);
    // Two of them are two leaves, and one passed on is not the last.
    let other = signed_with(2, 2, 1, |own| own.nonce = vec![9]);
    refused_as(verify(&[&own, &other, &root]), MalformedToken);
    let on = signed(2, 3, 1);
    let named = verify_with(&[&own, &root], Some(root.cid()), NOW, 0, &[]);
    assert_eq!(named.unwrap().leaf(), &root);
    refused_as(verify(&[&own, &root, &on]), MalformedToken);
}

#[test]
fn two_leaves_are_ambiguous_unless_one_is_named() {
    let root = signed(1, 2, 1);
    let (left, right) = (signed(2, 3, 1), signed(2, 4, 1));
    let all = [&root, &left, &right];
    refused_as(verify(&all), MalformedToken);
    let named = verify_with(&all, Some(right.cid()), NOW, 0, &[]).unwrap();
    assert_eq!(named.leaf(), &right);
    refused_as(verify(&[&root, &signed(7, 8, 7)]), MalformedToken);
}

#[test]
fn two_valid_paths_are_ambiguous() {
    let narrow = signed_with(1, 2, 1, |root| root.policy = policy(r#"[["==",".a",1]]"#));
    let wide = signed(1, 2, 1);
    let leaf = signed(2, 3, 1);
    let all = [&narrow, &wide, &leaf];
    refused_as(verify(&all), MalformedToken);
    refused_as(
        verify_with(&all, Some(leaf.cid()), NOW, 0, &[]),
        MalformedToken,
    );
}

#[test]
fn an_expired_or_forged_duplicate_of_a_link_does_no_harm() {
    let root = signed(1, 2, 1);
    let leaf = signed(2, 3, 1);
    let spent = signed_with(1, 2, 1, |root| root.expires_at = Some(NOW - 1000));
    let mut bytes = signed_with(1, 2, 1, |root| root.nonce = vec![9])
        .bytes()
        .to_vec();
    bytes[10] ^= 1;
    let forged = Signed::<Delegation>::decode(bytes).unwrap();
    let chain = verify(&[&spent, &forged, &root, &leaf]).unwrap();
    assert_eq!(chain.tokens().next(), Some(&root));
    let error = verify(&[&spent, &forged, &leaf]).unwrap_err();
    assert!(matches!(error.name, Expired | InvalidSignature));
}

#[test]
fn others_delegations_in_the_same_container_do_no_harm() {
    let [a, b, c] = three();
    let other_owner = signed(9, 2, 9);
    let narrower = signed_with(1, 2, 1, |root| root.command = command("/other"));
    let chain = verify(&[&other_owner, &narrower, &a, &b, &c]).unwrap();
    assert_eq!(chain.tokens().next(), Some(&a));
}

#[test]
fn circles_end() {
    let around = [signed(1, 2, 5), signed(2, 3, 5), signed(3, 1, 5)];
    refused_as(
        verify(&[&around[0], &around[1], &around[2]]),
        MalformedToken,
    );
    let result = verify_with(
        &[&around[0], &around[1], &around[2]],
        Some(around[0].cid()),
        NOW,
        0,
        &[],
    );
    refused_as(result, InvalidSubject);
    // Back to the owner: the root stays a root, even if it could continue another.
    let chain = verify(&[&signed(1, 2, 1), &signed(2, 1, 1)]).unwrap();
    assert_eq!(chain.leaf().payload().audience, did(1));
    assert!(verify(&[&signed(1, 1, 1)]).is_ok());
}

#[test]
fn an_empty_list_is_not_a_chain() {
    refused_as(verify(&[]), MalformedToken);
}

#[test]
fn a_chain_is_as_long_as_the_limit_and_no_longer() {
    let links: Vec<_> = (0..=MAX_CHAIN_LENGTH as u8)
        .map(|at| signed(at + 1, at + 2, 1))
        .collect();
    let longest: Vec<_> = links.iter().take(MAX_CHAIN_LENGTH).collect();
    assert_eq!(verify(&longest).unwrap().tokens().count(), MAX_CHAIN_LENGTH);
    refused_as(verify(&links.iter().collect::<Vec<_>>()), MalformedToken);
}

/// Sixty-four layers of two have 2^64 paths.
#[test]
fn very_many_paths_are_refused_and_not_walked() {
    for (subject, name) in [(1, MalformedToken), (99, TooMuchWork)] {
        let doubles: Vec<_> = (1..=60)
            .flat_map(|at| {
                [0, 1].map(|double| {
                    signed_with(at, at + 1, subject, |token| token.nonce = vec![double])
                })
            })
            .collect();
        let all: Vec<_> = doubles.iter().collect();
        let result = verify_with(&all, Some(doubles[119].cid()), NOW, 0, &[]);
        refused_as(result, name);
    }
}
