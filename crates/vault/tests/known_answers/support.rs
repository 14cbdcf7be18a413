//! The files of known answers.

use std::fs;

use data_encoding::HEXLOWER;
use serde_json::Value;

/// A file in `vectors/`.
pub fn vector(name: &str) -> Value {
    let path = format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs `check` on every test of a Wycheproof file. `check` says whether the outcome was as expected, and all tests for
/// which it was not are reported together. Answers how many tests there were.
pub fn each(name: &str, check: impl Fn(&Value, &Value) -> bool) -> usize {
    let file = vector(&format!("wycheproof/{name}.json"));
    let groups = file["testGroups"].as_array().unwrap();
    let tests = groups.iter().flat_map(|group| {
        group["tests"]
            .as_array()
            .unwrap()
            .iter()
            .map(move |test| (group, test))
    });
    let wrong: Vec<String> = tests
        .clone()
        .filter(|(group, test)| !check(group, test))
        .map(|(_, test)| format!("{} {}: {}", test["tcId"], test["comment"], test["result"]))
        .collect();
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    let count = tests.count();
    assert_eq!(file["numberOfTests"], count);
    count
}

/// The bytes of a field in hexadecimal.
pub fn bytes(value: &Value, field: &str) -> Vec<u8> {
    let text = value[field].as_str().unwrap();
    HEXLOWER.decode(text.as_bytes()).unwrap()
}

/// Whether the file says that this is a right answer.
pub fn is_valid(test: &Value) -> bool {
    match test["result"].as_str().unwrap() {
        "valid" => true,
        "invalid" => false,
        other => panic!("{other}"),
    }
}
