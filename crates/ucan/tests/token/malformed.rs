//! Every malformed token. Each case is a good token with one change, signed again if the change is in the signed part,
//! so that nothing here is refused for its signature.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::cbor;
use keyhole_ucan::error::TokenErrorName::{self, MalformedToken, UnsupportedVersion};
use keyhole_ucan::identity::key::SecretKey;
use keyhole_ucan::identity::key_type::KeyType;
use keyhole_ucan::identity::varsig;
use keyhole_ucan::time::MAX_TIME;
use keyhole_ucan::token::envelope::{Fields, MAX_TOKEN_LENGTH};
use keyhole_ucan::token::invocation::Invocation;
use keyhole_ucan::token::payload::{Payload, Signed};
use keyhole_ucan::token::read::{self, Token};

use crate::support::{command, delegation, did, json, key, refusal, refused_as, signed};

/// An envelope around anything, signed by 1.
fn envelope(signed: &Ipld) -> Vec<u8> {
    let signed = cbor::encode(signed).unwrap();
    let signature = key(1).sign(&signed);
    [&[0x82, 0x58, 0x40][..], &signature, &signed].concat()
}

fn header() -> Ipld {
    Ipld::Bytes(varsig::header(KeyType::Ed25519).to_vec())
}

fn map(entries: impl IntoIterator<Item = (&'static str, Ipld)>) -> Ipld {
    Ipld::Map(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_string(), value))
            .collect(),
    )
}

fn tagged(tag: &'static str, fields: Fields) -> Vec<u8> {
    envelope(&map([("h", header()), (tag, Ipld::Map(fields))]))
}

fn invocation() -> Invocation {
    Invocation {
        issuer: did(1),
        subject: did(1),
        audience: None,
        command: command("/msg/send"),
        args: BTreeMap::new(),
        proofs: Vec::new(),
        nonce: vec![1; 12],
        expires_at: None,
        issued_at: None,
        meta: None,
        cause: None,
    }
}

/// With one field of each kind of token replaced; `None` leaves it out.
fn with_field(name: &str, value: Option<&str>) -> [Vec<u8>; 2] {
    [
        ("ucan/dlg@1.0.0", delegation(1, 2, 1).to_fields()),
        ("ucan/inv@1.0.0", invocation().to_fields()),
    ]
    .map(|(tag, mut fields)| {
        fields.remove(name);
        if let Some(value) = value {
            fields.insert(name.to_string(), json(value));
        }
        tagged(tag, fields)
    })
}

fn decode(bytes: Vec<u8>) -> Result<Token, keyhole_ucan::error::TokenError> {
    Token::decode(bytes)
}

#[test]
fn the_unchanged_tokens_are_good() {
    for bytes in with_field("no such field", None) {
        let token = decode(bytes.clone()).unwrap();
        token.verify_signature().unwrap();
        assert_eq!(token.bytes(), bytes);
    }
}

#[test]
fn a_missing_field_is_refused() {
    for name in ["iss", "aud", "sub", "cmd", "pol", "nonce", "exp"] {
        refused_as(decode(with_field(name, None)[0].clone()), MalformedToken);
    }
    for name in ["iss", "sub", "cmd", "args", "prf", "nonce", "exp"] {
        refused_as(decode(with_field(name, None)[1].clone()), MalformedToken);
    }
}

#[test]
fn a_field_of_another_type_is_refused() {
    for (name, values) in [
        ("iss", &["null", "1", "\"\"", "\"did:key:\"", "\"x\""][..]),
        ("sub", &["1", "\"did:\"", "[]"]),
        ("cmd", &["null", "\"msg\"", "\"/Msg\"", "\"/msg/\"", "1"]),
        ("nonce", &["null", "\"abc\"", "1", "[1]"]),
        (
            "exp",
            &[
                "1.0",
                "1.5",
                "\"1\"",
                "true",
                "9007199254740992",
                "-9007199254740992",
            ],
        ),
        ("meta", &["null", "[]", "1"]),
    ] {
        for value in values {
            for bytes in with_field(name, Some(value)) {
                assert_eq!(refusal(decode(bytes)).0, MalformedToken, "{name} {value}");
            }
        }
    }
    for (name, values) in [
        ("aud", &["null", "1"][..]),
        (
            "pol",
            &[
                "null",
                "{}",
                "[1]",
                "[[\"?\",\".a\",1]]",
                "[[\"==\",\"a\",1]]",
            ],
        ),
        ("nbf", &["null", "1.0", "\"1\"", "9007199254740992"]),
    ] {
        for value in values {
            let [bytes, _] = with_field(name, Some(value));
            assert_eq!(refusal(decode(bytes)).0, MalformedToken, "{name} {value}");
        }
    }
    let raw_link = r#"{"/":"bafkreigyftnzjf4rcu7glp5kfop53vqlopc3zcldauoqdxqlz7t4343gr4"}"#;
    let listed_link = format!("[{raw_link}]");
    for (name, values) in [
        ("aud", &["null", "1"][..]),
        ("args", &["null", "[]", "1"]),
        ("prf", &["null", "{}", "[1]", "[\"bafy\"]", &listed_link]),
        ("iat", &["null", "1.0"]),
        ("cause", &["null", "\"bafy\"", raw_link]),
        ("sub", &["null"]),
    ] {
        for value in values {
            let [_, bytes] = with_field(name, Some(value));
            assert_eq!(refusal(decode(bytes)).0, MalformedToken, "{name} {value}");
        }
    }
}

#[test]
fn an_unknown_field_is_refused_and_an_invocation_has_no_start() {
    for bytes in with_field("x", Some("1")) {
        refused_as(decode(bytes), MalformedToken);
    }
    let [_, with_start] = with_field("nbf", Some("1"));
    refused_as(decode(with_start), MalformedToken);
    let [with_proofs, _] = with_field("prf", Some("[]"));
    refused_as(decode(with_proofs), MalformedToken);
}

#[test]
fn times_are_read_up_to_53_bits() {
    for moment in [MAX_TIME, -MAX_TIME, 0] {
        for bytes in with_field("exp", Some(&moment.to_string())) {
            assert!(decode(bytes).is_ok());
        }
    }
}

#[test]
fn the_envelope_has_two_elements_one_tag_and_one_header() {
    let payload = || Ipld::Map(delegation(1, 2, 1).to_fields());
    let good = map([("h", header()), ("ucan/dlg@1.0.0", payload())]);
    assert!(decode(envelope(&good)).is_ok());
    for changed in [
        map([("ucan/dlg@1.0.0", payload())]),
        map([("h", header())]),
        map([
            ("h", header()),
            ("ucan/dlg@1.0.0", payload()),
            ("ucan/inv@1.0.0", payload()),
        ]),
        map([
            ("h", header()),
            ("ucan/dlg@1.0.0", payload()),
            ("x", Ipld::Null),
        ]),
        map([("h", Ipld::Null), ("ucan/dlg@1.0.0", payload())]),
        map([
            ("h", Ipld::String("4".into())),
            ("ucan/dlg@1.0.0", payload()),
        ]),
        map([("h", header()), ("ucan/dlg@1.0.0", Ipld::List(vec![]))]),
        map([("h", header()), ("dlg", payload())]),
        Ipld::List(vec![header(), payload()]),
        Ipld::Null,
    ] {
        refused_as(decode(envelope(&changed)), MalformedToken);
    }

    let signed = cbor::encode(&good).unwrap();
    let signature = [&[0x58, 0x40][..], &key(1).sign(&signed)].concat();
    for (head, tail) in [
        (0x81, &[][..]),
        (0x83, &[0xf6][..]),
        (0xa1, &[]),
        (0x82, &[0xf6]),
    ] {
        let bytes = [&[head][..], &signature, &signed, tail].concat();
        refused_as(decode(bytes), MalformedToken);
    }
    let unsigned = [&[0x82, 0xf6][..], &signed].concat();
    refused_as(decode(unsigned), MalformedToken);
}

#[test]
fn an_algorithm_that_is_not_known_is_refused() {
    for hex in [
        "",
        "34",
        "3401ed01ed011370",
        "3401ed01ed01127100",
        "d1e7",
        "3401ed01ed011371ff",
    ] {
        let header = Ipld::Bytes(HEXLOWER.decode(hex.as_bytes()).unwrap());
        let payload = Ipld::Map(delegation(1, 2, 1).to_fields());
        let changed = map([("h", header), ("ucan/dlg@1.0.0", payload)]);
        refused_as(decode(envelope(&changed)), MalformedToken);
    }
}

#[test]
fn a_header_for_another_algorithm_than_the_key_is_refused() {
    for other in [KeyType::P256, KeyType::Secp256k1] {
        let header = Ipld::Bytes(varsig::header(other).to_vec());
        let payload = Ipld::Map(delegation(1, 2, 1).to_fields());
        let token = decode(envelope(&map([("h", header), ("ucan/dlg@1.0.0", payload)]))).unwrap();
        refused_as(token.verify_signature(), TokenErrorName::InvalidSignature);
    }
}

#[test]
fn a_signature_of_another_length_is_refused() {
    let good = signed(1, 2, 1);
    let mut bytes = vec![0x82, 0x58, 0x3f];
    bytes.extend_from_slice(&good.bytes()[4..]);
    let token = decode(bytes).unwrap();
    refused_as(token.verify_signature(), TokenErrorName::InvalidSignature);
}

#[test]
fn the_higher_of_two_signatures_is_refused() {
    // The orders of the two curves, big-endian.
    for (key_type, order) in [
        (
            KeyType::P256,
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        ),
        (
            KeyType::Secp256k1,
            "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
        ),
    ] {
        let secret = SecretKey::from_bytes(key_type, &[5; 32]).unwrap();
        let mut payload = delegation(1, 2, 1);
        payload.issuer = keyhole_ucan::identity::did::Did::from_key(&secret.public_key());
        payload.subject = Some(payload.issuer.clone());
        let low = Signed::sign(&payload, &secret).unwrap();
        low.verify_signature().unwrap();

        let mut bytes = low.bytes().to_vec();
        let order = HEXLOWER.decode(order.as_bytes()).unwrap();
        let mut borrow = 0;
        for at in (0..32).rev() {
            let difference = i16::from(order[at]) - i16::from(bytes[35 + at]) - borrow;
            borrow = i16::from(difference < 0);
            bytes[35 + at] = difference.rem_euclid(256) as u8;
        }
        let high = decode(bytes).unwrap();
        assert_ne!(high.cid(), low.cid());
        refused_as(high.verify_signature(), TokenErrorName::InvalidSignature);
    }
}

#[test]
fn other_versions_are_refused_by_name() {
    for tag in [
        "ucan/dlg@1.0.0-rc.1",
        "ucan/inv@1.0.0-rc.1",
        "ucan/dlg@2.0.0",
        "ucan/rcp@1.0.0",
    ] {
        let bytes = tagged(tag, delegation(1, 2, 1).to_fields());
        let error = decode(bytes).unwrap_err();
        assert_eq!(error.name, UnsupportedVersion);
        assert!(error.message.contains(tag) && error.cid.is_some());
    }
    refused_as(
        read::text("eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0.AAAA"),
        UnsupportedVersion,
    );
}

#[test]
fn each_other_encoding_of_a_token_is_refused() {
    let good = signed(1, 2, 1).bytes().to_vec();
    assert!(decode(good.clone()).is_ok());
    // A longer list head, an indefinite length, a longer signature head, and a trailing byte.
    for changed in [
        [&[0x98, 0x02][..], &good[1..]].concat(),
        [&[0x9f][..], &good[1..], &[0xff]].concat(),
        [&[0x82, 0x59, 0x00, 0x40][..], &good[3..]].concat(),
        [&good[..], &[0x00]].concat(),
        [&[0xd9, 0xd9, 0xf7][..], &good].concat(),
    ] {
        refused_as(decode(changed), MalformedToken);
    }
    for length in 0..good.len() {
        refused_as(decode(good[..length].to_vec()), MalformedToken);
    }
}

#[test]
fn length_and_depth_have_limits() {
    refused_as(decode(vec![0x82; MAX_TOKEN_LENGTH + 1]), MalformedToken);
    refused_as(decode(vec![0x82; MAX_TOKEN_LENGTH]), MalformedToken);
    refused_as(decode(vec![0x81; MAX_TOKEN_LENGTH]), MalformedToken);

    let nested = |depth: usize| {
        let mut value = Ipld::Null;
        for _ in 0..depth {
            value = Ipld::List(vec![value]);
        }
        let mut fields = delegation(1, 2, 1).to_fields();
        fields.insert("meta".to_string(), map([("deep", value)]));
        tagged("ucan/dlg@1.0.0", fields)
    };
    // The list, the signed map, the payload and the meta are four levels.
    assert!(decode(nested(124)).is_ok());
    refused_as(decode(nested(125)), MalformedToken);
}

#[test]
fn the_longest_token_is_read() {
    let mut payload = delegation(1, 2, 1);
    let overhead = Signed::sign(&payload, &key(1)).unwrap().bytes().len();
    payload.nonce = vec![0; MAX_TOKEN_LENGTH - overhead - 1];
    let longest = Signed::sign(&payload, &key(1)).unwrap();
    assert_eq!(longest.bytes().len(), MAX_TOKEN_LENGTH);
    payload.nonce.push(0);
    refused_as(Signed::sign(&payload, &key(1)), MalformedToken);
}

#[test]
fn an_invocation_is_not_a_delegation() {
    let invocation = Signed::sign(&invocation(), &key(1)).unwrap();
    refused_as(
        Signed::<keyhole_ucan::token::delegation::Delegation>::decode(invocation.bytes().to_vec()),
        MalformedToken,
    );
    let tokens = vec![Token::decode(invocation.bytes().to_vec()).unwrap()];
    assert_eq!(
        refusal(read::delegations(tokens)),
        (MalformedToken, Some(invocation.cid()))
    );
}
