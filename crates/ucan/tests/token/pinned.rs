//! Our own vectors, in `vectors/keyhole/delegation.json`: each algorithm, chains, and refusals. They are made from
//! fixed keys with deterministic signatures, so this test rebuilds them and compares every byte. The TypeScript tests
//! read the same file with the built wasm.

use std::fs;
use std::path::PathBuf;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cbor;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::error::TokenError;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::identity::varsig;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::token::command::Command;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::envelope::Fields;
use keyhole_ucan::token::payload::{Payload, Signed};
use keyhole_ucan::token::read;
use serde_json::{Value, json};

use crate::support::{NOW, verify_with};

const NAMES: [(&str, KeyType, u8); 6] = [
    ("alice", KeyType::Ed25519, 0xa1),
    ("bob", KeyType::P256, 0xb0),
    ("carol", KeyType::Secp256k1, 0xca),
    ("dave", KeyType::Ed25519, 0xda),
    ("erin", KeyType::P256, 0xe1),
    ("frank", KeyType::Secp256k1, 0xf0),
];

fn key(name: &str) -> SecretKey {
    let (_, key_type, byte) = NAMES.iter().find(|(other, ..)| *other == name).unwrap();
    SecretKey::from_bytes(*key_type, &[*byte; 32]).unwrap()
}

fn did(name: &str) -> Did {
    Did::from_key(&key(name).public_key())
}

/// A delegation of `/msg` from one to another, over what `subject` owns.
fn delegation(from: &str, to: &str, subject: &str) -> Delegation {
    Delegation {
        issuer: did(from),
        audience: did(to),
        subject: Some(did(subject)),
        command: Command::parse("/msg").unwrap(),
        policy: Policy::default(),
        nonce: b"twelve bytes".to_vec(),
        expires_at: Some(NOW + 1_000),
        not_before: None,
        meta: None,
    }
}

fn signed(
    from: &str,
    to: &str,
    subject: &str,
    change: impl FnOnce(&mut Delegation),
) -> Signed<Delegation> {
    let mut delegation = delegation(from, to, subject);
    change(&mut delegation);
    Signed::sign(&delegation, &key(from)).unwrap()
}

fn policy(text: &str) -> Policy {
    Policy::parse(&dag_json::parse(text).unwrap()).unwrap()
}

fn dag(value: &Ipld) -> Value {
    serde_json::from_str(&dag_json::to_string(value).unwrap()).unwrap()
}

fn tokens() -> Value {
    let rich = |from, to| {
        signed(from, to, from, |token| {
            token.command = Command::parse("/payment/authorize").unwrap();
            token.policy = policy(
                r#"[["<=",".amount",5000],["==",".currency","EUR"],["any",".to",["like",".","*@example.com"]]]"#,
            );
            token.not_before = Some(NOW - 1_000);
            let meta =
                r#"{"note":"größe","proof":{"/":{"bytes":"AQID"}},"count":9007199254740993}"#;
            let Ok(Ipld::Map(meta)) = dag_json::parse(meta) else {
                panic!("no map");
            };
            token.meta = Some(meta);
        })
    };
    let cases = [
        ("Ed25519", signed("alice", "bob", "alice", |_| {})),
        ("P-256", signed("bob", "carol", "bob", |_| {})),
        ("secp256k1", signed("carol", "alice", "carol", |_| {})),
        ("Ed25519, every field", rich("dave", "erin")),
        ("P-256, every field", rich("erin", "frank")),
        ("secp256k1, every field", rich("frank", "dave")),
    ];
    cases
        .iter()
        .map(|(name, token)| {
            json!({
                "name": name,
                "token": BASE64URL_NOPAD.encode(token.bytes()),
                "cid": token.cid().to_string(),
                "algorithm": token.algorithm(),
                "payload": dag(&Ipld::Map(token.payload().to_fields())),
            })
        })
        .collect()
}

/// A text and its expected answer.
struct Case {
    name: &'static str,
    text: String,
    leaf: Option<Cid>,
    now: i64,
    skew: u32,
    revoked: Vec<Cid>,
}

/// Uncompressed, since deflate's output is not part of the format and may change.
fn plain_container(tokens: &[&Signed<Delegation>]) -> String {
    let mut tokens: Vec<_> = tokens.iter().map(|token| token.bytes().to_vec()).collect();
    tokens.sort();
    let tokens = Ipld::List(tokens.into_iter().map(Ipld::Bytes).collect());
    let container = Ipld::Map([("ctn-v1".to_string(), tokens)].into());
    "C".to_string() + &BASE64URL_NOPAD.encode(&cbor::encode(&container).unwrap())
}

fn case(name: &'static str, tokens: &[&Signed<Delegation>]) -> Case {
    Case {
        name,
        text: plain_container(tokens),
        leaf: None,
        now: NOW,
        skew: 0,
        revoked: Vec::new(),
    }
}

fn bare(name: &'static str, bytes: &[u8]) -> Case {
    Case {
        text: BASE64URL_NOPAD.encode(bytes),
        ..case(name, &[])
    }
}

fn answer(case: &Case) -> Value {
    let result = read::text(&case.text)
        .and_then(read::delegations)
        .and_then(|tokens| {
            let tokens: Vec<_> = tokens.iter().collect();
            verify_with(&tokens, case.leaf, case.now, case.skew, &case.revoked)
        });
    let mut out = json!({
        "name": case.name,
        "token": case.text,
        "now": case.now,
        "skew": case.skew,
    });
    let entries = out.as_object_mut().unwrap();
    if let Some(leaf) = case.leaf {
        entries.insert("leaf".into(), leaf.to_string().into());
    }
    if !case.revoked.is_empty() {
        let cids = case.revoked.iter().map(ToString::to_string).collect();
        entries.insert("revoked".into(), cids);
    }
    match result {
        Ok(chain) => {
            let effective = chain.effective();
            entries.insert(
                "chain".into(),
                chain
                    .tokens()
                    .map(|token| token.cid().to_string())
                    .collect(),
            );
            entries.insert(
                "effective".into(),
                json!({
                    "command": effective.command.as_str(),
                    "policy": dag(&effective.policy.to_ipld()),
                    "not_before": effective.not_before,
                    "expires_at": effective.expires_at,
                }),
            );
        }
        Err(TokenError { name, cid, .. }) => {
            let cid = cid.map(|cid| cid.to_string());
            entries.insert("error".into(), json!({"name": name.as_str(), "cid": cid}));
        }
    }
    out
}

fn chains() -> Vec<Case> {
    let root = signed("alice", "bob", "alice", |token| {
        token.policy = policy(r#"[["<",".amount",100]]"#);
    });
    let middle = signed("bob", "carol", "alice", |token| {
        token.command = Command::parse("/msg/send").unwrap();
        token.policy = policy(r#"[["==",".currency","EUR"],["<",".amount",100]]"#);
        token.expires_at = Some(NOW + 500);
    });
    let leaf = signed("carol", "dave", "alice", |token| {
        token.command = Command::parse("/msg/send").unwrap();
        token.not_before = Some(NOW - 5);
    });
    let powerline = signed("bob", "carol", "alice", |token| token.subject = None);
    vec![
        case("a root alone", &[&root]),
        case("three algorithms in one chain", &[&leaf, &root, &middle]),
        case("a powerline past the root", &[&root, &powerline]),
        Case {
            leaf: Some(middle.cid()),
            ..case("the leaf is named", &[&root, &middle, &leaf])
        },
        Case {
            now: NOW + 560,
            skew: 60,
            ..case("expired within the skew", &[&root, &middle])
        },
        Case {
            leaf: None,
            ..bare("a bare token", root.bytes())
        },
    ]
}

/// Anything as a token, signed by alice.
fn envelope(signed: &Ipld) -> Vec<u8> {
    let signed = cbor::encode(signed).unwrap();
    [
        &[0x82, 0x58, 0x40][..],
        &key("alice").sign(&signed),
        &signed,
    ]
    .concat()
}

fn with_fields(change: impl FnOnce(&mut Fields)) -> Vec<u8> {
    let mut fields = delegation("alice", "bob", "alice").to_fields();
    change(&mut fields);
    envelope(&Ipld::Map(
        [
            ("h".to_string(), header()),
            ("ucan/dlg@1.0.0".to_string(), Ipld::Map(fields)),
        ]
        .into(),
    ))
}

fn header() -> Ipld {
    Ipld::Bytes(varsig::header(KeyType::Ed25519).to_vec())
}

/// The same token with the other of its two ECDSA signatures.
fn with_high_s(token: &Signed<Delegation>, order: &str) -> Vec<u8> {
    let order = HEXLOWER.decode(order.as_bytes()).unwrap();
    let mut bytes = token.bytes().to_vec();
    let mut borrow = 0;
    for at in (0..32).rev() {
        let difference = i16::from(order[at]) - i16::from(bytes[35 + at]) - borrow;
        borrow = i16::from(difference < 0);
        bytes[35 + at] = difference.rem_euclid(256) as u8;
    }
    bytes
}

fn refused() -> Vec<Case> {
    let root = signed("alice", "bob", "alice", |_| {});
    let middle = signed("bob", "carol", "alice", |_| {});
    let mut cases = vec![
        case(
            "a command that only starts with the same letters",
            &[
                &signed("alice", "bob", "alice", |token| {
                    token.command = Command::parse("/crypto").unwrap();
                }),
                &signed("bob", "carol", "alice", |token| {
                    token.command = Command::parse("/cryptocurrency").unwrap();
                }),
            ],
        ),
        case(
            "a wider command",
            &[
                &root,
                &signed("bob", "carol", "alice", |token| {
                    token.command = Command::parse("/").unwrap()
                }),
            ],
        ),
        case(
            "a root that its subject did not issue",
            &[&signed("bob", "carol", "alice", |_| {})],
        ),
        case(
            "a powerline as the root",
            &[&signed("alice", "bob", "alice", |token| {
                token.subject = None
            })],
        ),
        case(
            "another's subject past the root",
            &[&root, &signed("bob", "carol", "dave", |_| {})],
        ),
        case(
            "a link by somebody else",
            &[&root, &signed("dave", "carol", "alice", |_| {})],
        ),
        case(
            "two leaves",
            &[&root, &middle, &signed("bob", "dave", "alice", |_| {})],
        ),
        case(
            "two chains to one leaf",
            &[
                &root,
                &signed("alice", "bob", "alice", |token| token.nonce = vec![2]),
                &middle,
            ],
        ),
        Case {
            leaf: Some(signed("dave", "erin", "dave", |_| {}).cid()),
            ..case("the named leaf is not there", &[&root, &middle])
        },
        Case {
            now: NOW + 1_001,
            ..case("expired by a second", &[&root])
        },
        case(
            "not begun",
            &[&signed("alice", "bob", "alice", |token| {
                token.not_before = Some(NOW + 1)
            })],
        ),
        Case {
            revoked: vec![root.cid()],
            ..case("revoked at the root", &[&root, &middle])
        },
    ];
    let mut changed = root.bytes().to_vec();
    changed[40] ^= 1;
    cases.push(bare("a changed signature", &changed));
    let mut changed = root.bytes().to_vec();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    cases.push(bare("a changed nonce", &changed));
    cases.push(bare(
        "the higher signature of P-256",
        &with_high_s(
            &signed("bob", "carol", "bob", |_| {}),
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        ),
    ));
    cases.push(bare(
        "the higher signature of secp256k1",
        &with_high_s(
            &signed("carol", "alice", "carol", |_| {}),
            "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
        ),
    ));
    for (name, field, value) in [
        ("an unknown field", "x", "1"),
        ("a float for an expiry", "exp", "1800001000.0"),
        ("an expiry past 53 bits", "exp", "9007199254740992"),
        ("a start that is null", "nbf", "null"),
        ("a command in capitals", "cmd", "\"/Msg\""),
        ("a command with an empty part", "cmd", "\"/msg//send\""),
        (
            "an operator that is not known",
            "pol",
            "[[\"=~\",\".a\",\"b\"]]",
        ),
        (
            "an unknown operator under not",
            "pol",
            "[[\"not\",[\"=~\",\".a\",\"b\"]]]",
        ),
        (
            "a selector that is not understood to its end",
            "pol",
            "[[\"==\",\".a[*]\",1]]",
        ),
        ("an issuer that is no DID", "iss", "\"alice\""),
    ] {
        let bytes = with_fields(|fields| {
            fields.insert(field.to_string(), dag_json::parse(value).unwrap());
        });
        cases.push(bare(name, &bytes));
    }
    cases.push(bare(
        "no policy",
        &with_fields(|fields| drop(fields.remove("pol"))),
    ));
    let payload = || Ipld::Map(delegation("alice", "bob", "alice").to_fields());
    let two_tags = Ipld::Map(
        [
            ("h".to_string(), header()),
            ("ucan/dlg@1.0.0".to_string(), payload()),
            ("ucan/inv@1.0.0".to_string(), payload()),
        ]
        .into(),
    );
    cases.push(bare("a second tag", &envelope(&two_tags)));
    let candidate = Ipld::Map(
        [
            ("h".to_string(), header()),
            ("ucan/dlg@1.0.0-rc.1".to_string(), payload()),
        ]
        .into(),
    );
    cases.push(bare("a release candidate's tag", &envelope(&candidate)));
    let good = root.bytes();
    cases.push(bare(
        "a third element",
        &[&[0x83], &good[1..], &[0xf6]].concat(),
    ));
    cases.push(bare("a byte after the end", &[good, &[0]].concat()));
    cases.push(bare(
        "a length that is not minimal",
        &[&[0x82, 0x59, 0x00, 0x40], &good[3..]].concat(),
    ));
    cases.push(bare(
        "a list without an end",
        &[&[0x9f], &good[1..], &[0xff]].concat(),
    ));
    cases.push(bare("cut off", &good[..good.len() / 2]));
    cases
}

#[test]
fn our_vectors_are_rebuilt_to_the_byte() {
    let principals: serde_json::Map<_, _> = NAMES
        .iter()
        .map(|(name, key_type, byte)| {
            let entry = json!({
                "key_type": key_type.as_str(),
                "secret": HEXLOWER.encode(&[*byte; 32]),
                "did": did(name).as_str(),
            });
            ((*name).to_string(), entry)
        })
        .collect();
    let chains: Vec<_> = chains().iter().map(answer).collect();
    let refused: Vec<_> = refused().iter().map(answer).collect();
    assert!(chains.iter().all(|case| case["error"].is_null()));
    for case in &refused {
        assert!(
            case["error"]["name"].is_string(),
            "{} is accepted",
            case["name"]
        );
    }
    let made = json!({
        "principals": principals,
        "tokens": tokens(),
        "chains": chains,
        "refused": refused,
    });
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keyhole/delegation.json");
    // Only for a new version of the format: shipped vectors are pinned.
    if std::env::var_os("KEYHOLE_WRITE_VECTORS").is_some() {
        fs::write(&path, serde_json::to_string_pretty(&made).unwrap() + "\n").unwrap();
    }
    let pinned: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(made, pinned);
}
