//! What the tests of keys from elsewhere read: the cases of a vector file, and bytes in hexadecimal.

#![allow(clippy::expect_used)]

extern crate std;

use alloc::format;
use alloc::vec::Vec;

use data_encoding::HEXLOWER_PERMISSIVE;
use serde_json::Value;

/// The list `cases` of a file in `vectors/`.
pub fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    let file: Value = serde_json::from_str(&text).expect("vectors are JSON");
    let cases = file["cases"].as_array().cloned().unwrap_or_default();
    assert!(!cases.is_empty(), "{name}");
    cases
}

/// Bytes in hexadecimal.
pub fn bytes_of(text: &str) -> Vec<u8> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes());
    bytes.expect("it is hexadecimal")
}
