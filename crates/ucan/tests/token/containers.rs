//! Texts and files that hold tokens.

use std::fs;
use std::path::PathBuf;

use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
use keyhole_ucan::error::TokenErrorName::{MalformedToken, TooMuchWork};
use keyhole_ucan::token::container;
use keyhole_ucan::token::read::{self, MAX_TEXT_LENGTH, Token};
use serde_json::Value;

use crate::support::{refused_as, signed};

fn cids(tokens: &[Token]) -> Vec<String> {
    tokens.iter().map(|token| token.cid().to_string()).collect()
}

#[test]
fn a_bare_token_is_read_in_each_encoding() {
    let token = signed(1, 2, 1);
    let bytes = token.bytes();
    let base64url = BASE64URL_NOPAD.encode(bytes);
    for text in [
        BASE64.encode(bytes),
        BASE64.encode(bytes).trim_end_matches('=').to_string(),
        base64url.clone(),
        HEXLOWER.encode(bytes),
        HEXUPPER.encode(bytes),
        format!("\n  {base64url}\t"),
        format!("{}\r\n{}", &base64url[..40], &base64url[40..]),
    ] {
        assert_eq!(cids(&read::text(&text).unwrap()), [token.cid().to_string()]);
    }
    assert_eq!(
        cids(&read::bytes(bytes).unwrap()),
        [token.cid().to_string()]
    );
    assert_eq!(
        cids(&read::bytes(base64url.as_bytes()).unwrap()),
        [token.cid().to_string()]
    );
}

#[test]
fn a_container_is_sorted_deduplicated_and_the_shorter_of_two() {
    let (a, b) = (signed(1, 2, 1), signed(2, 3, 1));
    let text = container::write([b.bytes(), a.bytes(), b.bytes()]);
    assert_eq!(text, container::write([a.bytes(), b.bytes()]));
    assert!(text.starts_with('P'), "names repeat, so gzip is shorter");
    let mut sorted = [a.bytes(), b.bytes()];
    sorted.sort();
    assert_eq!(container::read(text.as_bytes()).unwrap(), sorted);

    let noise: Vec<u8> = a.bytes()[3..67].to_vec();
    let plain = container::write([noise.as_slice()]);
    assert!(plain.starts_with('C'), "a signature does not compress");
    assert_eq!(container::read(plain.as_bytes()).unwrap(), [noise]);
}

#[test]
fn a_short_call_stays_plain() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keyhole/calls.json");
    let file: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap();
    for case in cases {
        let plain = case["plain"].as_str().unwrap();
        let tokens = container::read(plain.as_bytes()).unwrap();
        let text = container::write_call(tokens.iter().map(Vec::as_slice));
        if case["compressed"].as_bool().unwrap() {
            assert!(text.starts_with('P'), "{}", case["name"]);
            assert_eq!(text, container::write(tokens.iter().map(Vec::as_slice)));
        } else {
            assert_eq!(text, plain, "{}", case["name"]);
        }
    }
    assert_eq!(cases.len(), 4);
}

#[test]
fn duplicates_are_read_once_in_any_order() {
    let (a, b) = (signed(1, 2, 1), signed(2, 3, 1));
    let mut tokens = [a.bytes().to_vec(), b.bytes().to_vec()];
    tokens.sort();
    let [first, second] = tokens;
    let raw = raw_container(&[&second, &first, &second]);
    assert_eq!(container::read(&raw).unwrap(), [second, first]);
}

/// `@` and the CBOR, in the order given.
fn raw_container(tokens: &[&[u8]]) -> Vec<u8> {
    let mut raw = b"@\xa1\x66ctn-v1".to_vec();
    raw.push(0x80 + tokens.len() as u8);
    for token in tokens {
        raw.extend_from_slice(&[0x59, (token.len() >> 8) as u8, token.len() as u8]);
        raw.extend_from_slice(token);
    }
    raw
}

#[test]
fn anything_but_a_container_is_refused() {
    let token = signed(1, 2, 1);
    let good = raw_container(&[token.bytes()]);
    assert_eq!(container::read(&good).unwrap().len(), 1);
    let mut other_key = good.clone();
    other_key[8] = b'2';
    let trailing = [&good[..], &[0]].concat();
    let second_key = [&b"@\xa2"[..], &good[2..], &b"\x66ctn-v2\x80"[..]].concat();
    for bytes in [
        &b""[..],
        b"@",
        b"@\xa0",
        b"@\xa1\x66ctn-v1",
        b"@\xa1\x66ctn-v1\xa0",
        b"@\xa1\x66ctn-v1\x81\x61a",
        b"@\xa1\x66ctn-v1\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"@\xa1\x66ctn-v1\x9f\xff",
        b"@\x81\x40",
        b"Q",
        b"C*",
        b"C====",
        b"B",
        b"M",
        b"MMMM",
        b"P",
        b"OAAAA",
        &other_key,
        &trailing,
        &second_key,
        &good[..good.len() - 1],
    ] {
        refused_as(container::read(bytes), MalformedToken);
    }
    let empty = container::read(b"@\xa1\x66ctn-v1\x80").unwrap();
    assert!(empty.is_empty());
}

#[test]
fn one_bad_token_spoils_the_text() {
    let token = signed(1, 2, 1);
    let text = container::write([token.bytes(), &[0x82][..]]);
    refused_as(read::text(&text), MalformedToken);
}

#[test]
fn a_bomb_is_refused() {
    // A megabyte of zeros compresses a thousandfold: this is 16 MiB in a few kilobytes.
    let zeros = vec![0; 16 << 20];
    let bomb = container::write([zeros.as_slice()]);
    assert!(bomb.len() < 1 << 16);
    refused_as(read::text(&bomb), MalformedToken);
}

#[test]
fn a_text_of_kilobytes_does_not_take_a_gigabyte() {
    // Seven tokens, each a million nulls in a list, in a container that compresses a thousandfold.
    let tokens: Vec<_> = (0..7u8)
        .map(|first| {
            let mut token = vec![0x82, 0x41, first, 0x9a, 0x00, 0x0f, 0xff, 0xf8];
            token.resize(1 << 20, 0xf6);
            token
        })
        .collect();
    let text = container::write(tokens.iter().map(Vec::as_slice));
    assert!(text.len() < 1 << 16);
    let error = read::text(&text).unwrap_err();
    assert_eq!(error.name, TooMuchWork);
}

#[test]
fn more_tokens_than_one_call_may_read_are_refused() {
    let text = |count: u32| {
        let tokens: Vec<_> = (0..count).map(u32::to_be_bytes).collect();
        container::write(tokens.iter().map(|bytes| &bytes[..]))
    };
    refused_as(container::read(text(1 << 20).as_bytes()), TooMuchWork);
    let few = text(2_000);
    assert_eq!(container::read(few.as_bytes()).unwrap().len(), 2_000);
}

#[test]
fn says_why_a_pasted_text_is_not_a_token() {
    let cut = container::write([signed(1, 2, 1).bytes()]);
    let long = "A".repeat(MAX_TEXT_LENGTH + 1);
    for text in [
        "",
        "  \n ",
        "hello",
        "Can you send me the token?",
        "did:key:z6MkmT9j6fVZqzXV8u2wVVSu49gYSRYGSQnduWXF6foAJrqz",
        "bafyreigyftnzjf4rcu7glp5kfop53vqlopc3zcldauoqdxqlz7t4343gr4",
        "https://example.com/",
        "{\"token\":1}",
        "glhA",
        "8258",
        "825",
        "é",
        "\u{0}",
        &cut[..cut.len() - 7],
        &long,
    ] {
        refused_as(read::text(text), MalformedToken);
    }
    for bytes in [&b""[..], &[0xff; 100], b"\x89PNG\r\n\x1a\n"] {
        refused_as(read::bytes(bytes), MalformedToken);
    }
}
