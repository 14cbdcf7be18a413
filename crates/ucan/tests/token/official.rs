//! The official vectors of UCAN 1.0.0, and of containers 0.1.0.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use data_encoding::{BASE64, BASE64_NOPAD};
use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::dag_json;
use keyhole_ucan::error::TokenErrorName;
use keyhole_ucan::identity::did::Did;
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::policy::statement::Policy;
use keyhole_ucan::time::Clock;
use keyhole_ucan::token::container;
use keyhole_ucan::token::delegation::Delegation;
use keyhole_ucan::token::payload::Signed;
use keyhole_ucan::token::read::{self, Token};
use keyhole_ucan::validation::chain::Circumstances;
use keyhole_ucan::validation::request::{Proofs, Request};
use keyhole_ucan::validation::validate::{self, Conditions};
use serde_json::Value;

use crate::support::command;

fn vectors(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../vectors")
        .join(path)
}

fn json_file(path: &str) -> Value {
    serde_json::from_slice(&fs::read(vectors(path)).unwrap()).unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

/// The principals' keys: the two-byte multicodec of an Ed25519 private key (0x1300), then the key.
fn principals(file: &Value) -> Vec<SecretKey> {
    file["principals"]
        .as_object()
        .unwrap()
        .values()
        .map(|encoded| {
            let bytes = BASE64.decode(encoded.as_str().unwrap().as_bytes()).unwrap();
            let secret = bytes.strip_prefix(&[0x80, 0x26]).unwrap();
            SecretKey::from_bytes(KeyType::Ed25519, secret.try_into().unwrap()).unwrap()
        })
        .collect()
}

#[test]
fn delegations_are_read_verified_and_rebuilt_byte_for_byte() {
    let file = json_file("ucan-1.0.0/delegation.json");
    let keys = principals(&file);
    let cases = file["valid"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let bytes = BASE64.decode(text(case, "token").as_bytes()).unwrap();
        let token = Signed::<Delegation>::decode(bytes.clone()).unwrap();
        token.verify_signature().unwrap();
        assert_eq!(token.cid().to_string(), text(case, "cid"));
        assert_eq!(token.algorithm(), text(&case["envelope"], "alg"));

        let payload = &case["envelope"]["payload"];
        let key = keys
            .iter()
            .find(|key| Did::from_key(&key.public_key()).as_str() == text(payload, "iss"))
            .unwrap();
        let fields = Delegation {
            issuer: Did::parse(text(payload, "iss")).unwrap(),
            audience: Did::parse(text(payload, "aud")).unwrap(),
            subject: payload["sub"].as_str().map(|sub| Did::parse(sub).unwrap()),
            command: command(text(payload, "cmd")),
            policy: Policy::parse(&dag_json::parse(&payload["pol"].to_string()).unwrap()).unwrap(),
            nonce: BASE64.decode(text(payload, "nonce").as_bytes()).unwrap(),
            expires_at: payload["exp"].as_i64(),
            not_before: payload["nbf"].as_i64(),
            meta: None,
        };
        assert_eq!(*token.payload(), fields);
        let rebuilt = Signed::sign(&fields, key).unwrap();
        assert_eq!(rebuilt.bytes(), bytes);
        assert_eq!(rebuilt.cid(), token.cid());
    }
}

#[test]
fn every_official_policy_gets_the_expected_answer() {
    let Ipld::Map(file) =
        dag_json::parse(&fs::read_to_string(vectors("ucan-1.0.0/policy.json")).unwrap()).unwrap()
    else {
        panic!("no map");
    };
    let mut answered = 0;
    for (group, holds) in [("valid", true), ("invalid", false)] {
        let Ipld::List(cases) = &file[group] else {
            panic!("no list");
        };
        for case in cases {
            let Ipld::Map(case) = case else {
                panic!("no map");
            };
            let Ipld::List(policies) = &case["policies"] else {
                panic!("no list");
            };
            for policy in policies {
                let parsed = Policy::parse(policy).unwrap();
                assert_eq!(parsed.check(&case["args"]).is_ok(), holds, "{policy:?}");
                assert_eq!(parsed.to_ipld(), *policy);
                answered += 1;
            }
        }
    }
    assert_eq!(answered, 25);
}

fn bytes_of(value: &Value) -> Vec<u8> {
    BASE64_NOPAD
        .decode(text(&value["/"], "bytes").as_bytes())
        .unwrap()
}

/// Each case has the expected answer at its time, with its audience and proofs.
#[test]
fn invocations_are_validated_by_name() {
    let file = json_file("ucan-1.0.0/invocation.json");
    let mut read = 0;
    for group in ["valid", "invalid"] {
        for case in file[group].as_array().unwrap() {
            let request =
                Request::read(vec![Token::decode(bytes_of(&case["invocation"])).unwrap()]);
            let proofs: Proofs = case["proofs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|proof| Signed::<Delegation>::decode(bytes_of(proof)).unwrap())
                .collect();
            let audience = case["audience"]
                .as_str()
                .map(|did| Did::parse(did).unwrap());
            let conditions = Conditions {
                circumstances: Circumstances::at(Clock {
                    now: case["time"].as_i64().unwrap(),
                    skew: 0,
                }),
                audience: audience.as_ref(),
                seen: &BTreeSet::new(),
            };
            let answer = validate::validate(request.as_ref().unwrap(), &proofs, conditions)
                .map(|_| "valid")
                .map_err(|error| error.name.as_str());
            let wanted = match group {
                "valid" => Ok("valid"),
                _ => Err(text(&case["error"], "name")),
            };
            assert_eq!(answer, wanted, "{}", case["name"]);
            read += 1;
        }
    }
    assert_eq!(read, 20);
}

#[test]
fn all_six_containers_open_and_the_tokens_within_are_refused_by_version() {
    for name in [
        "Bytes",
        "BytesGzipped",
        "Base64StdPadding",
        "Base64StdPaddingGzipped",
        "Base64URL",
        "Base64URLGzipped",
    ] {
        let file = fs::read(vectors("container").join(name)).unwrap();
        let tokens: BTreeSet<_> = container::read(&file).unwrap().into_iter().collect();
        assert_eq!(tokens.len(), 10, "{name}");
        for bytes in &tokens {
            let error = Token::decode(bytes.clone()).unwrap_err();
            assert_eq!(error.name, TokenErrorName::UnsupportedVersion);
            assert!(error.message.contains("1.0.0-rc.1"), "{}", error.message);
            assert!(error.cid.is_some());
        }
        let whole = read::bytes(&file).unwrap_err();
        assert_eq!(whole.name, TokenErrorName::UnsupportedVersion, "{name}");
    }
}
