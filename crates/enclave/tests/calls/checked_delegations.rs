//! Delegations that were checked are remembered: faster, and never another answer.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::Plugin;

/// Longer inputs are asked as they are, without variants.
const LONGEST: usize = 20_000;

fn cases() -> Vec<Value> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keyhole/validation.json");
    let file: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().clone()
}

/// The same question at other times, with links revoked, and with a letter of its token changed.
fn variants(input: &Value, answer: &str, seed: usize) -> Vec<Value> {
    let mut variants = Vec::new();
    let with = |name: &str, value: Value| {
        let mut input = input.clone();
        input[name] = value;
        input
    };
    for now in [
        0_i64,
        1,
        1_700_000_000,
        1_900_000_000,
        9_007_199_254_740_991,
    ] {
        variants.push(with("now", json!(now)));
    }
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    for link in answer["chain"].as_array().into_iter().flatten() {
        variants.push(with("revoked", json!([link["cid"]])));
    }
    for field in ["invocation", "token"] {
        let Some(text) = input[field].as_str().filter(|text| !text.is_empty()) else {
            continue;
        };
        for step in 0..4 {
            let at = (seed * 31 + step * 7_919) % text.len();
            let mut letters = text.as_bytes().to_vec();
            letters[at] = match letters[at] {
                b'A' => b'B',
                _ => b'A',
            };
            if let Ok(text) = String::from_utf8(letters) {
                variants.push(with(field, json!(text)));
            }
        }
    }
    variants
}

#[test]
fn every_answer_is_the_same_without_them() {
    let mut knowing = Plugin::empty();
    let mut checked = 0;
    for (seed, case) in cases().iter().enumerate() {
        let call = case["call"].as_str().unwrap();
        let mut same = |input: &Value| {
            let input = input.to_string();
            let without = Plugin::empty().raw(call, input.as_bytes());
            let with = knowing.raw(call, input.as_bytes());
            assert_eq!(with, without, "{}: {input}", case["name"]);
            without
        };
        let input = &case["input"];
        let answer = same(input);
        if input.to_string().len() <= LONGEST {
            // Its delegations are known from the second time on.
            same(input);
            same(input);
            for variant in variants(input, &answer, seed) {
                same(&variant);
            }
        }
        checked = checked.max(knowing.checked());
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn locking_and_closing_forget_them() {
    for call in ["lock_vault", "close_vault"] {
        let mut plugin = Plugin::unlocked();
        let issuer = plugin.status()["issuer_did"].clone();
        let grant = plugin.ok(
            "new_origin_token",
            json!({"audience_did": issuer, "command": "/notes"}),
        );
        for _ in 0..3 {
            let answer = plugin.ok("verify_token", json!({"token": grant["token"]}));
            assert_eq!(answer["valid"], true);
        }
        assert_eq!(plugin.checked(), 1);
        plugin.ok(call, json!({}));
        assert_eq!(plugin.checked(), 0);
    }
}
