//! Properties of every token and every text.

use std::collections::{BTreeMap, BTreeSet};

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cbor;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::policy::selector::Selector;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::time::MAX_TIME;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::container;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::validation::attenuate::{Expiry, Narrowing, attenuate};
use proptest::prelude::*;

use crate::support::{NOW, did, json, key, policy, sign, verify};

fn any_ipld() -> impl Strategy<Value = Ipld> {
    let leaf = prop_oneof![
        Just(Ipld::Null),
        any::<bool>().prop_map(Ipld::Bool),
        (-(1i128 << 64)..(1i128 << 64)).prop_map(Ipld::Integer),
        (-5i128..5).prop_map(Ipld::Integer),
        any::<f64>()
            .prop_filter("finite", |float| float.is_finite())
            .prop_map(|float| Ipld::Float(if float == 0.0 { 0.0 } else { float })),
        ".{0,12}".prop_map(Ipld::String),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Ipld::Bytes),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Ipld::List),
            prop::collection::btree_map("[^/]{0,6}", inner, 0..5).prop_map(Ipld::Map),
        ]
    })
}

fn any_selector() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "\\.[a-c]",
        "\\.[a-z_][a-z0-9_]{0,6}",
        Just("[]".to_string()),
        "\\[-?[0-3]\\]",
        "\\[(-?[0-3])?:(-?[0-3])?\\]",
        "[^\\p{Cc}]{0,5}".prop_map(|key| format!("[{}]", serde_json::to_string(&key).unwrap())),
    ];
    let part =
        (part, prop_oneof![Just(""), Just("?")]).prop_map(|(part, optional)| part + optional);
    prop::collection::vec(part, 0..4).prop_map(|parts| {
        let path = parts.concat();
        if path.starts_with('.') {
            path
        } else {
            ".".to_string() + &path
        }
    })
}

/// Statements that parse, as values.
fn any_statement() -> impl Strategy<Value = Ipld> {
    let text = |text: String| Ipld::String(text);
    let leaf = prop_oneof![
        (prop_oneof!["==", "!="], any_selector(), any_ipld())
            .prop_map(move |(op, path, value)| Ipld::List(vec![text(op), text(path), value])),
        (prop_oneof!["<", "<=", ">", ">="], any_selector(), -5i128..5).prop_map(
            move |(op, path, number)| {
                Ipld::List(vec![text(op), text(path), Ipld::Integer(number)])
            }
        ),
        (any_selector(), "[ab*\\\\]{0,6}").prop_map(move |(path, glob)| {
            Ipld::List(vec![text("like".into()), text(path), text(glob)])
        }),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..3).prop_map(Ipld::List);
        prop_oneof![
            (prop_oneof!["and", "or"], list)
                .prop_map(move |(op, list)| Ipld::List(vec![text(op), list])),
            inner
                .clone()
                .prop_map(move |inner| Ipld::List(vec![text("not".into()), inner])),
            (prop_oneof!["all", "any"], any_selector(), inner)
                .prop_map(move |(op, path, inner)| Ipld::List(vec![text(op), text(path), inner])),
        ]
    })
}

fn any_policy() -> impl Strategy<Value = Policy> {
    prop::collection::vec(any_statement(), 0..4)
        .prop_map(|statements| Policy::parse(&Ipld::List(statements)).unwrap())
}

fn any_moment() -> impl Strategy<Value = Option<i64>> {
    prop::option::of(prop_oneof![-MAX_TIME..=MAX_TIME, NOW - 3..NOW + 3,])
}

fn any_command() -> impl Strategy<Value = Command> {
    prop_oneof![Just("/".to_string()), "(/[ab]{1,2}){1,3}"]
        .prop_map(|text| Command::parse(&text).unwrap())
}

fn any_delegation() -> impl Strategy<Value = Delegation> {
    (
        (1u8..4, 1u8..4, prop::option::of(1u8..4)),
        any_command(),
        any_policy(),
        prop::collection::vec(any::<u8>(), 0..16),
        (any_moment(), any_moment()),
        prop::option::of(prop::collection::btree_map("[a-z]{0,4}", any_ipld(), 0..3)),
    )
        .prop_map(
            |((from, to, subject), command, policy, nonce, (expires_at, not_before), meta)| {
                Delegation {
                    issuer: did(from),
                    audience: did(to),
                    subject: subject.map(did),
                    command,
                    policy,
                    nonce,
                    expires_at,
                    not_before,
                    meta,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn delegations_round_trip(delegation in any_delegation()) {
        let signed = sign(&delegation);
        let read = Signed::<Delegation>::decode(signed.bytes().to_vec()).unwrap();
        prop_assert_eq!(read.payload(), &delegation);
        prop_assert_eq!(read.cid(), signed.cid());
        prop_assert!(read.verify_signature().is_ok());
    }

    #[test]
    fn a_changed_bit_is_never_accepted(delegation in any_delegation(), at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = sign(&delegation).bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(read) = Token::decode(bytes) {
            prop_assert!(read.verify_signature().is_err());
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Token::decode(bytes.clone());
        let _ = read::bytes(&bytes);
        let _ = container::read(&bytes);
        let wrapped = [&[0x82, 0x58, 0x40][..], &[0; 64], &bytes].concat();
        let _ = Token::decode(wrapped);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,80}", header in "[@BCMOP8ge]") {
        let _ = read::text(&text);
        let _ = read::text(&(header + &text));
        let _ = dag_json::parse(&text);
        let _ = Selector::parse(&text);
    }

    #[test]
    fn containers_round_trip(tokens in prop::collection::btree_set(prop::collection::vec(any::<u8>(), 0..400), 0..6)) {
        let text = container::write(tokens.iter().map(Vec::as_slice));
        let read: BTreeSet<_> = container::read(text.as_bytes()).unwrap().into_iter().collect();
        prop_assert_eq!(read, tokens);
    }

    #[test]
    fn dag_json_round_trips(value in any_ipld()) {
        let text = dag_json::to_string(&value).unwrap();
        prop_assert_eq!(dag_json::parse(&text).unwrap(), value);
    }

    #[test]
    fn both_decoders_agree_on_cbor(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let theirs = serde_ipld_dagcbor::from_slice::<Ipld>(&bytes);
        let ours = cbor::decode(&bytes);
        prop_assert_eq!(ours.ok(), theirs.ok());
    }

    #[test]
    fn both_decoders_agree_on_changed_cbor(value in any_ipld(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = cbor::encode(&value).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let theirs = serde_ipld_dagcbor::from_slice::<Ipld>(&bytes);
        prop_assert_eq!(cbor::decode(&bytes).ok(), theirs.ok());
    }

    #[test]
    fn selectors_and_policies_are_kept_as_written(path in any_selector(), statements in prop::collection::vec(any_statement(), 0..4)) {
        let selector = Selector::parse(&path).unwrap();
        prop_assert_eq!(selector.as_str(), path);
        let value = Ipld::List(statements);
        prop_assert_eq!(Policy::parse(&value).unwrap().to_ipld(), value);
    }

    #[test]
    fn every_policy_is_answered(policy in any_policy(), args in any_ipld()) {
        let _ = policy.check(&args);
    }

    #[test]
    fn not_inverts_every_answer(statement in any_statement(), args in any_ipld()) {
        let negated = Ipld::List(vec![Ipld::String("not".into()), statement.clone()]);
        let holds = |statement: Ipld| Policy::parse(&Ipld::List(vec![statement])).unwrap().check(&args).is_ok();
        prop_assert_ne!(holds(statement), holds(negated));
    }

    /// For any request, the result verifies, and allows no argument that the parent refuses, no command that it doesn't
    /// cover, and no time outside its own.
    #[test]
    fn narrowing_never_widens(
        parent_command in any_command(),
        parent_policy in any_policy(),
        parent_times in (any_moment(), any_moment()),
        wanted_command in any_command(),
        wanted_policy in any_policy(),
        expiry in prop_oneof![Just(Expiry::Inherited), any_moment().prop_map(Expiry::At)],
        not_before in any_moment(),
        args in any_ipld(),
    ) {
        let (expires_at, parent_not_before) = parent_times;
        let parent = sign(&Delegation {
            issuer: did(1),
            audience: did(2),
            subject: Some(did(1)),
            command: parent_command.clone(),
            policy: parent_policy.clone(),
            nonce: vec![],
            expires_at,
            not_before: parent_not_before,
            meta: None,
        });
        let narrowing = Narrowing {
            audience: did(3),
            command: wanted_command.clone(),
            policy: wanted_policy.clone(),
            subject: None,
            not_before,
            expiry,
            meta: None,
            nonce: vec![1],
        };
        if let Ok(chain) = attenuate(vec![parent], None, narrowing, &key(2), NOW, &BTreeSet::new()) {
            let effective = chain.effective();
            prop_assert!(parent_command.covers(&effective.command));
            prop_assert_eq!(effective.command, wanted_command);
            let allows = |policy: &Policy| policy.check(&args).is_ok();
            prop_assert_eq!(allows(&effective.policy), allows(&parent_policy) && allows(&wanted_policy));
            if let Some(end) = expires_at {
                prop_assert!(chain.leaf().payload().expires_at.is_some_and(|own| own <= end));
            }
            prop_assert!(effective.not_before >= parent_not_before);
            prop_assert!(effective.expires_at.is_none_or(|end| effective.not_before.is_none_or(|start| start <= end)));
        }
    }
}

/// An example that succeeds, so that the property above is known to test something.
#[test]
fn narrowing_happens() {
    let parent = sign(&Delegation {
        policy: policy(r#"[["==",".a",1]]"#),
        ..crate::support::delegation(1, 2, 1)
    });
    let narrowing = Narrowing {
        audience: did(3),
        command: Command::parse("/msg/send").unwrap(),
        policy: policy(r#"[["==",".b",2]]"#),
        subject: None,
        not_before: None,
        expiry: Expiry::Inherited,
        meta: Some(BTreeMap::from([("a".to_string(), json("1"))])),
        nonce: vec![],
    };
    let chain = attenuate(
        vec![parent.clone()],
        None,
        narrowing,
        &key(2),
        NOW,
        &BTreeSet::new(),
    )
    .unwrap();
    assert_eq!(verify(&[&parent, chain.leaf()]).unwrap(), chain);
}
