//! `vectors/keyhole/validation.json` through the call table: each answer contains what is expected.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use keyhole_ucan::token::read;
use serde_json::value::RawValue;
use serde_json::{Value, from_str};

use crate::support::Plugin;

fn file() -> Value {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keyhole/validation.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The path to the first place where `found` differs from what is expected: each field of a map, and a list item by
/// item. Other fields are not parsed, since an answer may be nested deeper than serde_json goes.
fn difference(expected: &Value, found: &RawValue, path: &str) -> Option<String> {
    let other = || Some(format!("{path} is {found} and not {expected}"));
    match expected {
        Value::Object(fields) => {
            let Ok(found) = from_str::<BTreeMap<String, &RawValue>>(found.get()) else {
                return other();
            };
            fields.iter().find_map(|(name, value)| {
                let path = format!("{path}.{name}");
                match found.get(name) {
                    Some(found) => difference(value, found, &path),
                    None => Some(format!("{path} is not there")),
                }
            })
        }
        Value::Array(items) => match from_str::<Vec<&RawValue>>(found.get()) {
            Ok(found) if found.len() == items.len() => items
                .iter()
                .zip(found)
                .enumerate()
                .find_map(|(at, (item, found))| difference(item, found, &format!("{path}[{at}]"))),
            _ => other(),
        },
        _ if from_str::<Value>(found.get()).is_ok_and(|found| found == *expected) => None,
        _ => other(),
    }
}

#[test]
fn every_case_gets_the_expected_answer() {
    let file = file();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() >= 150);
    let mut plugin = Plugin::empty();
    let failures: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            let input = case["input"].to_string();
            let answer = plugin.raw(case["call"].as_str().unwrap(), input.as_bytes());
            difference(&case["expect"], from_str(&answer).unwrap(), "")
                .map(|difference| format!("{}: {difference}\n  {answer}", case["name"]))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

#[test]
fn a_container_is_read_from_a_file_in_all_six_encodings() {
    let file = file();
    let files = file["files"].as_array().unwrap();
    assert_eq!(files.len(), 6);
    for case in files {
        let hex = case["bytes"].as_str().unwrap();
        let bytes: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
        let tokens = read::bytes(&bytes).unwrap();
        let cids: Vec<_> = tokens.iter().map(|token| token.cid().to_string()).collect();
        assert_eq!(serde_json::json!(cids), case["tokens"], "{}", case["name"]);
    }
}
