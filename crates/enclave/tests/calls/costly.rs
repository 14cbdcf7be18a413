//! Strangers' inputs that ask for far more work than their size suggests: each is answered or refused by name, and none
//! traps. `bench/` measures what they take, from the files that this writes if KEYHOLE_WRITE_COSTLY names a directory.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cbor;
use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::identity::varsig;
use keyhole_ucan::token::container;
use keyhole_ucan::work_budget::MAX_ANSWER;
use serde_json::{Value, json};

use crate::support::{NOW, Plugin};

type Map = BTreeMap<String, Ipld>;

fn key(number: u32) -> SecretKey {
    key_of(KeyType::Ed25519, number)
}

fn key_of(key_type: KeyType, number: u32) -> SecretKey {
    let mut bytes = [1; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    SecretKey::from_bytes(key_type, &bytes).unwrap()
}

fn did(number: u32) -> String {
    Did::from_key(&key(number).public_key()).as_str().to_owned()
}

fn text(text: impl Into<String>) -> Ipld {
    Ipld::String(text.into())
}

fn map<const N: usize>(entries: [(&str, Ipld); N]) -> Map {
    let entries = entries.into_iter();
    entries
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn ipld(value: &Value) -> Ipld {
    dag_json::parse(&value.to_string()).unwrap()
}

/// A token's bytes, signed by anyone: what is signed isn't checked here.
fn token(tag: &str, payload: Map, key: &SecretKey, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let header = Ipld::Bytes(varsig::header(key.key_type()).to_vec());
    let signed = cbor::encode(&Ipld::Map(map([("h", header), (tag, Ipld::Map(payload))]))).unwrap();
    [&[0x82, 0x58, 0x40][..], &sign(&signed), &signed].concat()
}

fn signed(tag: &str, payload: Map, key: &SecretKey) -> Vec<u8> {
    token(tag, payload, key, |bytes| key.sign(bytes).to_vec())
}

const DELEGATION: &str = "ucan/dlg@1.0.0";
const INVOCATION: &str = "ucan/inv@1.0.0";

/// A delegation of `/msg`, with changes.
fn delegation(iss: &str, aud: &str, sub: &str, nonce: u32) -> Map {
    map([
        ("iss", text(iss)),
        ("aud", text(aud)),
        ("sub", text(sub)),
        ("cmd", text("/msg")),
        ("pol", Ipld::List(vec![])),
        ("nonce", Ipld::Bytes(nonce.to_be_bytes().to_vec())),
        ("exp", Ipld::Null),
    ])
}

fn with(mut payload: Map, name: &str, value: Ipld) -> Map {
    payload.insert(name.to_owned(), value);
    payload
}

/// So many delegations from each of these people to the next, over what zero owns.
fn ways(people: Range<u32>, count: u32, change: impl Fn(Map) -> Map) -> Vec<Vec<u8>> {
    let from = |at: u32, way| {
        signed(
            DELEGATION,
            change(delegation(&did(at), &did(at + 1), &did(0), way)),
            &key(at),
        )
    };
    people
        .flat_map(|at| (0..count).map(move |way| (at, way)))
        .map(|(at, way)| from(at, way))
        .collect()
}

fn link(bytes: &[u8]) -> Ipld {
    Ipld::Link(Cid::of(bytes).to_raw())
}

/// An invocation of `/msg` by one person on another's resource, with these proofs.
fn invocation(iss: u32, sub: u32, proofs: &[Vec<u8>], args: Ipld, nonce: u32) -> Vec<u8> {
    let payload = map([
        ("iss", text(did(iss))),
        ("sub", text(did(sub))),
        ("cmd", text("/msg")),
        ("args", args),
        (
            "prf",
            Ipld::List(proofs.iter().map(|token| link(token)).collect()),
        ),
        ("nonce", Ipld::Bytes(nonce.to_be_bytes().to_vec())),
        ("exp", Ipld::Null),
    ]);
    signed(INVOCATION, payload, &key(iss))
}

fn pack<'a>(tokens: impl IntoIterator<Item = &'a Vec<u8>>) -> String {
    container::write(tokens.into_iter().map(Vec::as_slice))
}

fn args(value: Ipld) -> Ipld {
    Ipld::Map(map([("a", value)]))
}

fn policy(statements: Vec<Ipld>) -> Ipld {
    Ipld::List(statements)
}

fn statement<const N: usize>(parts: [Ipld; N]) -> Ipld {
    Ipld::List(parts.to_vec())
}

/// One has a policy from zero and calls with these arguments.
fn call_under(pol: Ipld, args: Ipld) -> Value {
    let grant = signed(
        DELEGATION,
        with(delegation(&did(0), &did(1), &did(0), 0), "pol", pol),
        &key(0),
    );
    let call = invocation(1, 0, std::slice::from_ref(&grant), args, 1);
    json!({"invocation": pack([&grant, &call])})
}

/// A call, its input, and the names it may be refused by; "valid" if it may be valid.
struct Costly {
    name: &'static str,
    call: &'static str,
    input: Value,
    answers: &'static [&'static str],
}

fn costly(
    name: &'static str,
    call: &'static str,
    input: Value,
    answers: &'static [&'static str],
) -> Costly {
    Costly {
        name,
        call,
        input,
        answers,
    }
}

const TOO_MUCH: &[&str] = &["TooMuchWork"];
const VALID: &[&str] = &["valid"];

fn all_stars() -> Costly {
    let strings = Ipld::List((0..4_469).map(|_| text("x")).collect());
    let like = statement([text("like"), text("."), text("*".repeat(60_000))]);
    let pol = policy(vec![statement([text("all"), text(".a"), like])]);
    costly(
        "all over 4,469 strings, like 60,000 stars",
        "validate_invocation",
        call_under(pol, args(strings)),
        VALID,
    )
}

fn long_commands() -> Costly {
    let command = format!("/{}", "a".repeat(89_999));
    // Ten people, seven ways from each to the next.
    let mut tokens = ways(0..10, 7, |payload| {
        with(payload, "cmd", text(command.clone()))
    });
    let last = delegation(&did(10), &did(11), &did(0), 0);
    tokens.push(signed(
        DELEGATION,
        with(last, "cmd", text(command)),
        &key(10),
    ));
    costly(
        "71 delegations with commands of 90,000 letters",
        "verify_token",
        json!({"token": pack(&tokens)}),
        TOO_MUCH,
    )
}

fn long_keys() -> Costly {
    let prefix = "k".repeat(996);
    let fields = (0..900).map(|at| (format!("{prefix}{at:04}"), Ipld::Null));
    let args = Ipld::Map(fields.collect());
    let grants: Vec<Vec<u8>> = (0..6)
        .map(|at| {
            let statements = (0..970).map(|which| {
                let path = format!(".[\"{prefix}{which:04}\"]");
                statement([text("=="), text(path), Ipld::Null])
            });
            let payload = delegation(&did(at), &did(at + 1), &did(0), at);
            let payload = with(payload, "pol", policy(statements.collect()));
            signed(DELEGATION, payload, &key(at))
        })
        .collect();
    let call = invocation(6, 0, &grants, args, 9);
    costly(
        "970 selectors with keys of 1,000 letters over six links",
        "validate_invocation",
        json!({"invocation": pack(grants.iter().chain([&call]))}),
        TOO_MUCH,
    )
}

/// Revocations of `target` by zero's friends, each allowed by a policy that is expensive to check.
fn costly_revocations(target: &[u8], count: u32) -> Vec<String> {
    let strings = Ipld::List((0..4_000).map(|_| text("y".repeat(40))).collect());
    let like = statement([text("like"), text("."), text("*y".repeat(12) + "*z")]);
    let pol = policy(vec![
        statement([text("=="), text(".revoke"), link(target)]),
        statement([text("not"), statement([text("any"), text(".path"), like])]),
    ]);
    let revocation = |at: u32| {
        let grant = delegation(&did(0), &did(100 + at), &did(0), at);
        let grant = with(with(grant, "pol", pol.clone()), "cmd", text("/ucan/revoke"));
        let grant = signed(DELEGATION, grant, &key(0));
        let payload = map([
            ("iss", text(did(100 + at))),
            ("sub", text(did(0))),
            ("cmd", text("/ucan/revoke")),
            (
                "args",
                Ipld::Map(map([("revoke", link(target)), ("path", strings.clone())])),
            ),
            ("prf", Ipld::List(vec![link(&grant)])),
            ("nonce", Ipld::Bytes(vec![])),
            ("exp", Ipld::Null),
        ]);
        pack([&grant, &signed(INVOCATION, payload, &key(100 + at))])
    };
    (0..count).map(revocation).collect()
}

fn many_costly_revocations() -> Costly {
    let grant = signed(
        DELEGATION,
        delegation(&did(0), &did(1), &did(0), 0),
        &key(0),
    );
    let revocations = costly_revocations(&grant, 20);
    costly(
        "20 revocations with costly policies",
        "verify_token",
        json!({"token": pack([&grant]), "revocations": revocations}),
        &["TooMuchWork", "Revoked"],
    )
}

fn dangling_leaves() -> Costly {
    let tokens: Vec<_> = (0..1_000)
        .map(|at| {
            let long = |kind: &str| format!("did:web:{}{kind}{at:04}", "a".repeat(2_000));
            let payload = delegation(&long("i"), &long("a"), &long("s"), at);
            token(DELEGATION, payload, &key(0), |_| vec![7; 64])
        })
        .collect();
    costly(
        "1,000 dangling leaves with DIDs of 2 KB",
        "verify_token",
        json!({"token": pack(&tokens)}),
        &["TooMuchWork", "MalformedToken"],
    )
}

fn forged(count: u32, key: &SecretKey) -> Vec<Vec<u8>> {
    let own = Did::from_key(&key.public_key()).as_str().to_owned();
    let signature = key.sign(b"something else").to_vec();
    (0..count)
        .map(|at| {
            let payload = delegation(&own, &did(1), &own, at);
            token(DELEGATION, payload, key, |_| signature.clone())
        })
        .collect()
}

fn forged_p256(call: &'static str, name: &'static str, answers: &'static [&'static str]) -> Costly {
    let tokens = forged(1_000, &key_of(KeyType::P256, 1));
    costly(name, call, json!({"token": pack(&tokens)}), answers)
}

fn forged_p256_apart() -> Costly {
    let tokens = forged(1_000, &key_of(KeyType::P256, 1));
    let texts: Vec<_> = tokens.iter().map(|token| pack([token])).collect();
    costly(
        "1,000 texts of forged P-256 tokens, checked at once",
        "check_tokens",
        json!({"tokens": texts}),
        TOO_MUCH,
    )
}

/// Zero's own revocation of a token.
fn own_revocation(target: &[u8], nonce: u32) -> String {
    let payload = map([
        ("iss", text(did(0))),
        ("sub", text(did(0))),
        ("cmd", text("/ucan/revoke")),
        ("args", Ipld::Map(map([("revoke", link(target))]))),
        ("prf", Ipld::List(vec![])),
        ("nonce", Ipld::Bytes(nonce.to_be_bytes().to_vec())),
        ("exp", Ipld::Null),
    ]);
    pack([&signed(INVOCATION, payload, &key(0))])
}

/// A token below others, which zero has revoked.
fn revoked_below(
    mut above: Vec<Vec<u8>>,
    leaf: Vec<u8>,
    name: &'static str,
    answers: &'static [&'static str],
) -> Costly {
    let revocations = [own_revocation(&leaf, 0)];
    above.push(leaf);
    costly(
        name,
        "verify_token",
        json!({"token": pack(&above), "revocations": revocations}),
        answers,
    )
}

/// Many ways from zero to the issuer of a token, which zero has revoked whatever the way.
fn many_ways_to_a_revoked_leaf(layers: u32, count: u32) -> Costly {
    let payload = delegation(&did(layers), &did(layers + 1), &did(0), 0);
    revoked_below(
        ways(0..layers, count, |payload| payload),
        signed(DELEGATION, payload, &key(layers)),
        "many ways to a revoked token",
        &["Revoked"],
    )
}

/// Many ways to a token that doesn't say whose resource it is about, so that a revocation could end only some of them.
fn many_ways_to_a_revoked_leaf_without_subject(layers: u32, count: u32) -> Costly {
    let mut above = ways(1..layers + 1, count, |payload| payload);
    above.extend(ways(0..1, 1, |payload| payload));
    let payload = delegation(&did(layers + 1), &did(layers + 2), &did(0), 0);
    let payload = with(payload, "sub", Ipld::Null);
    revoked_below(
        above,
        signed(DELEGATION, payload, &key(layers + 1)),
        "many ways to a revoked token without a subject",
        &["Revoked", "TooMuchWork"],
    )
}

fn many_invocations_and_revocations() -> Costly {
    let target = signed(
        DELEGATION,
        delegation(&did(0), &did(1), &did(0), 0),
        &key(0),
    );
    let invocations: Vec<_> = (0..2_600)
        .map(|at| pack([&invocation(1, 1, &[], args(Ipld::Null), at)]))
        .collect();
    costly(
        "2,600 invocations of one's own and as many revocations",
        "validate_batch",
        json!({"invocations": invocations, "revocations": vec![own_revocation(&target, 0); 2_600]}),
        &["valid", "TooMuchWork"],
    )
}

/// A text that unpacks to seven megabytes.
fn heavy(at: u32) -> String {
    let payload = delegation(&did(0), &did(1), &did(0), at);
    let tokens: Vec<_> = (0..7)
        .map(|which| {
            let meta = Ipld::Map(map([("m", text("m".repeat(1_040_000)))]));
            let mut payload = with(payload.clone(), "meta", meta);
            payload.insert("nonce".into(), Ipld::Bytes(vec![which, at as u8]));
            token(DELEGATION, payload, &key(0), |_| vec![7; 64])
        })
        .collect();
    pack(&tokens)
}

fn heavy_batch() -> Costly {
    let texts = vec![heavy(0); 90];
    costly(
        "a batch of 90 texts that unpack to 7 MB",
        "validate_batch",
        json!({"invocations": texts}),
        &["TooMuchWork", "MalformedToken"],
    )
}

fn heavy_proofs() -> Costly {
    let texts = vec![heavy(0); 110];
    let call = invocation(0, 0, &[], args(Ipld::Null), 0);
    costly(
        "110 proofs that unpack to 7 MB",
        "validate_invocation",
        json!({"invocation": pack([&call]), "proofs": texts}),
        TOO_MUCH,
    )
}

fn long_answers() -> Costly {
    let tokens = (0..400).map(|at| {
        statement([
            text("!="),
            text(".a"),
            text(format!("{at}{}", "\u{1}".repeat(250))),
        ])
    });
    let payload = delegation(&did(0), &did(1), &did(0), 0);
    let payload = with(payload, "pol", policy(tokens.collect()));
    let grant = signed(DELEGATION, payload, &key(0));
    let calls: Vec<_> = (0..600)
        .map(|at| {
            let call = invocation(1, 0, std::slice::from_ref(&grant), args(Ipld::Null), at);
            pack([&call])
        })
        .collect();
    costly(
        "600 calls under a proof that is long to write down",
        "validate_batch",
        json!({"invocations": calls, "proofs": [pack([&grant])]}),
        &["valid", "TooMuchWork"],
    )
}

/// Known expensive inputs.
fn seen() -> Vec<Costly> {
    vec![
        all_stars(),
        long_commands(),
        long_keys(),
        many_costly_revocations(),
        dangling_leaves(),
        forged_p256(
            "inspect_token",
            "1,000 forged P-256 tokens, looked at",
            TOO_MUCH,
        ),
        forged_p256_apart(),
        // Each of them is a leaf.
        forged_p256(
            "verify_token",
            "1,000 forged P-256 tokens, verified",
            &["MalformedToken"],
        ),
        many_ways_to_a_revoked_leaf(5, 10),
        many_ways_to_a_revoked_leaf(6, 8),
        many_ways_to_a_revoked_leaf_without_subject(5, 10),
        many_invocations_and_revocations(),
        heavy_batch(),
        heavy_proofs(),
        long_answers(),
    ]
}

/// The names in an answer, each once; "valid" for a valid one.
fn names_in(answer: &Value) -> Vec<String> {
    let results = match answer.get("results") {
        Some(results) => results.as_array().unwrap().clone(),
        None => vec![answer.clone()],
    };
    let name = |result: &Value| match (&result["valid"], &result["name"]) {
        (Value::Bool(true), _) => "valid".to_owned(),
        (Value::Bool(false), _) => result["error"]["name"].as_str().unwrap().to_owned(),
        (_, Value::String(name)) => name.clone(),
        _ if result.get("code").is_none() => "valid".to_owned(),
        _ => panic!("{result}"),
    };
    let mut names: Vec<String> = results.iter().map(name).collect();
    names.sort();
    names.dedup();
    names
}

#[track_caller]
fn is_answered(costly: &Costly) {
    let input = costly.input.to_string();
    if let Ok(directory) = std::env::var("KEYHOLE_WRITE_COSTLY") {
        let name = costly.name.replace([' ', ',', '/'], "_");
        fs::write(format!("{directory}/{}~{name}.json", costly.call), &input).unwrap();
    }
    let answer = Plugin::empty().raw(costly.call, input.as_bytes());
    assert!(
        answer.len() <= input.len() + MAX_ANSWER as usize,
        "{}: {} bytes in, {} out",
        costly.name,
        input.len(),
        answer.len()
    );
    let names = names_in(&serde_json::from_str(&answer).unwrap());
    assert!(
        names
            .iter()
            .all(|name| costly.answers.contains(&name.as_str())),
        "{}: {names:?}",
        costly.name
    );
}

#[test]
fn known_expensive_inputs_are_answered_or_refused_by_name() {
    seen().iter().for_each(is_answered);
}

/// Texts as long as an input may be, by their content.
fn costly_to_decode() -> Vec<(&'static str, String)> {
    const LONG: usize = 16_000_000;
    let of = |text: &str| text.repeat(LONG / text.len());
    let asked = |policy: &str, args: &str| {
        let call = format!(r#"{{"command":"/a","args":{args}}}"#);
        format!(r#"{{"command":"/","policy":{policy},"call":{call}}}"#)
    };
    let deep = "[".repeat(LONG / 2) + &"]".repeat(LONG / 2);
    let long_command = of("ü");
    let mut inputs = vec![
        ("evaluate_policy", asked(&deep, "{}")),
        ("evaluate_policy", asked(&format!("[{}0]", of("0,")), "{}")),
        (
            "evaluate_policy",
            asked("[]", &format!(r#"{{"a":"{}"}}"#, of("\\u0001"))),
        ),
        (
            "evaluate_policy",
            format!(r#"{{"command":"/{long_command}","call":{{"command":"/a","args":{{}}}}}}"#),
        ),
        // It can be decoded, but has more values than can be built.
        (
            "evaluate_policy",
            asked("[]", &format!(r#"{{"a":[{}0]}}"#, "0,".repeat(500_000))),
        ),
    ];
    for field in ["seen", "revoked", "proofs", "revocations"] {
        let texts = of(r#""","#);
        let input = format!(r#"{{"invocation":"x","{field}":[{texts}""]}}"#);
        inputs.push(("validate_invocation", input));
    }
    let texts = of(r#""a","#);
    let input = format!(r#"{{"invocations":[{texts}""]}}"#);
    inputs.push(("validate_batch", input));
    for text in ["a", "C", ""] {
        let text = format!(r#""{text}","#);
        let texts = text.repeat(1_000_000);
        inputs.push(("check_tokens", format!(r#"{{"tokens":[{texts}""]}}"#)));
    }
    inputs
}

#[test]
fn what_is_expensive_to_decode_is_too_much_work() {
    for (call, input) in costly_to_decode() {
        let answer = Plugin::empty().raw(call, input.as_bytes());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let start: String = input.chars().take(60).collect();
        assert_eq!(names_in(&answer), TOO_MUCH, "{call}: {start}");
    }
}

#[test]
fn a_text_of_nothing_but_blocks_is_too_much_work() {
    // Each block of ten bits needs new tables, and gives not one byte.
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    packed.extend([0x02, 0x08, 0x20, 0x80, 0x00].repeat(400_000));
    packed.extend([0x03, 0, 0, 0, 0, 0, 100, 0, 0, 0]);
    let text = format!("P{}", keyhole_ucan::codec::base64::encode(&packed));
    for (call, input) in [
        ("verify_token", json!({"token": text})),
        ("inspect_token", json!({"token": text})),
        ("check_tokens", json!({"tokens": [text, text]})),
        ("validate_batch", json!({"invocations": [text, text]})),
    ] {
        let answer = Plugin::empty().raw(call, input.to_string().as_bytes());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(names_in(&answer), TOO_MUCH, "{call}");
    }
}

#[test]
fn an_expensive_call_of_a_batch_refuses_only_itself() {
    let strings = Ipld::List((0..4_000).map(|_| text("y".repeat(40))).collect());
    let like = statement([text("like"), text("."), text("*y".repeat(12) + "*z")]);
    let any = statement([text("any"), text(".a"), like]);
    let pol = policy(vec![statement([
        text("not"),
        statement([text("or"), Ipld::List(vec![any; 40])]),
    ])]);
    let costly = call_under(pol, args(strings));
    let plain = call_under(policy(vec![]), args(Ipld::Null));
    let calls: Vec<&Value> = (0..20)
        .map(|at| if at == 3 { &costly } else { &plain })
        .map(|input| &input["invocation"])
        .collect();
    let answer = Plugin::empty().ok("validate_batch", json!({"invocations": calls}));
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results[0]["valid"], true);
    for (at, result) in results.iter().enumerate().skip(1) {
        let expected = if at == 3 { "TooMuchWork" } else { "Replayed" };
        assert_eq!(result["error"]["name"], expected, "{at}: {result}");
    }
}

#[test]
fn honest_chains_of_every_length_and_algorithm_hold() {
    for (key_type, length) in [
        (KeyType::Ed25519, 64),
        (KeyType::P256, 64),
        (KeyType::Secp256k1, 64),
    ] {
        let key = |at| key_of(key_type, at + 1);
        let did = |at| Did::from_key(&key(at).public_key()).as_str().to_owned();
        let tokens: Vec<_> = (0..length)
            .map(|at| {
                let pol = ipld(&json!([
                    ["<=", ".size", 1_000 - at],
                    ["like", ".to", "*@example.com"]
                ]));
                let payload = delegation(&did(at), &did(at + 1), &did(0), at);
                signed(DELEGATION, with(payload, "pol", pol), &key(at))
            })
            .collect();
        let answer = Plugin::empty().ok("verify_token", json!({"token": pack(&tokens)}));
        assert_eq!(answer["valid"], true, "{key_type:?}: {answer}");
        let _ = NOW;
    }
}
