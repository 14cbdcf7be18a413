//! A file that asks for too much memory is refused before any is taken. This is measured at the allocator, since a
//! refusal could also come from running out of memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../calls/support.rs"]
#[allow(dead_code)]
mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use ipld_core::ipld::Ipld;
use keyhole_ucan::codec::base64;
use keyhole_ucan::codec::cbor;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::{OTHER_WORDS, Plugin};

/// The largest block that was requested since this was last reset, in bytes.
static LARGEST: AtomicUsize = AtomicUsize::new(0);
/// More than a refusal takes for the text, its parts and its words.
const SLACK: usize = 256 * 1_024;

struct Gauge;

// SAFETY: every call is passed on unchanged; this only notes its size.
unsafe impl GlobalAlloc for Gauge {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::SeqCst);
        // SAFETY: the caller meets the requirements of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block is one that `System` gave.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::SeqCst);
        // SAFETY: the block is one that `System` gave.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static GAUGE: Gauge = Gauge;

/// Memory in KiB, passes and lanes: each exceeds one limit.
const TOO_COSTLY: [(u64, u64, u64); 5] = [
    (4 * 1_024 * 1_024, 3, 1),
    (4_294_967_295, 3, 1),
    (512 * 1_024 + 1, 3, 1),
    (65_536, 4_294_967_295, 1),
    (65_536, 3, 16_777_215),
];

fn vector(name: &str) -> String {
    let path = format!(
        "{}/../../vectors/keyhole/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::read_to_string(path).unwrap()
}

/// The canonical DAG-CBOR of a value without floats.
fn canonical(value: &Value) -> Vec<u8> {
    fn convert(value: &Value) -> Ipld {
        match value {
            Value::Null => Ipld::Null,
            Value::Bool(value) => Ipld::Bool(*value),
            Value::Number(number) => Ipld::Integer(number.as_i128().unwrap()),
            Value::String(text) => Ipld::String(text.clone()),
            Value::Array(items) => Ipld::List(items.iter().map(convert).collect()),
            Value::Object(fields) => {
                let fields = fields.iter();
                Ipld::Map(
                    fields
                        .map(|(name, value)| (name.clone(), convert(value)))
                        .collect(),
                )
            }
        }
    }
    cbor::encode(&convert(value)).unwrap()
}

fn without(mut value: Value, names: &[&str]) -> Value {
    let fields = value.as_object_mut().unwrap();
    names.iter().for_each(|name| drop(fields.remove(*name)));
    value
}

fn checksum(parts: &[&[u8]]) -> Value {
    base64::encode(&Sha256::digest(parts.concat())).into()
}

fn set_cost(kdf: &mut Value, (memory_kib, passes, lanes): (u64, u64, u64)) {
    kdf["memory_kib"] = memory_kib.into();
    kdf["passes"] = passes.into();
    kdf["lanes"] = lanes.into();
}

/// The account of `seal-v1.json` at another cost, its checksum put right.
fn state(cost: (u64, u64, u64)) -> String {
    let vector: Value = serde_json::from_str(&vector("seal-v1.json")).unwrap();
    let mut state: Value = serde_json::from_str(vector["state"].as_str().unwrap()).unwrap();
    set_cost(&mut state["methods"][0]["kdf"], cost);
    state["checksum"] = checksum(&[&canonical(&without(state.clone(), &["checksum"]))]);
    state.to_string()
}

/// The backup of `backup-v1.json` at another cost, its checksum put right; then in the shape of the second format.
fn backups(cost: (u64, u64, u64)) -> [String; 2] {
    let vector: Value = serde_json::from_str(&vector("backup-v1.json")).unwrap();
    let mut first: Value = serde_json::from_str(vector["backup"].as_str().unwrap()).unwrap();
    set_cost(&mut first["kdf"], cost);
    let mut second = without(first.clone(), &["kdf"]);
    second["format"] = "keyhole-backup-v2".into();
    second["slots"] = json!({"passphrase": {"kdf": first["kdf"], "nonce": first["nonce"],
        "sealed": base64::encode(&[0; 48])}});
    [first, second].map(|mut backup| {
        let bytes = |name: &str| base64::decode(backup[name].as_str().unwrap()).unwrap();
        let (nonce, sealed) = (bytes("nonce"), bytes("sealed"));
        let bound = canonical(&without(backup.clone(), &["nonce", "sealed", "checksum"]));
        backup["checksum"] = checksum(&[&bound, &nonce, &sealed]);
        backup.to_string()
    })
}

/// The calls that read such a file, on an empty plugin.
fn calls(cost: (u64, u64, u64)) -> Vec<Value> {
    let state = state(cost);
    let mut calls = vec![
        json!({"name": "open_vault", "input": {"enclave": state}}),
        json!({"name": "unlock_vault", "input": {"enclave": state, "proof": {"passphrase": OTHER_WORDS}}}),
    ];
    for backup in backups(cost) {
        let words = OTHER_WORDS;
        calls.extend([
            json!({"name": "read_backup", "input": {"backup": backup}}),
            json!({"name": "check_backup", "input": {"backup": backup, "export_passphrase": words}}),
            json!({"name": "import_vault",
                "input": {"backup": backup, "export_passphrase": words, "passphrase": words}}),
        ]);
    }
    calls
}

/// The answer of one call, and the largest block that it took.
fn measure(call: &Value) -> (Value, usize) {
    let mut plugin = Plugin::empty();
    LARGEST.store(0, Ordering::SeqCst);
    let answer = plugin.call(call["name"].as_str().unwrap(), call["input"].clone());
    (answer, LARGEST.load(Ordering::SeqCst))
}

/// One test, so that no other one allocates at the same time.
#[test]
fn too_expensive_a_file_is_refused_before_memory_is_taken() {
    for cost in TOO_COSTLY {
        for call in calls(cost) {
            let (answer, largest) = measure(&call);
            let words = answer["error"].as_str().unwrap_or_default();
            assert_eq!(answer["code"], "OPERATION_FAILED", "{call}: {answer}");
            assert!(words.contains("19 to 512 MiB"), "{call}: {words}");
            assert!(largest < SLACK, "{call}: {largest} bytes");
        }
    }
    // The gauge does show it for an affordable cost.
    let affordable = calls((19 * 1_024, 2, 1));
    let derived = affordable
        .iter()
        .filter(|call| measure(call).1 >= 19 * 1_024 * 1_024);
    let derived: Vec<_> = derived.map(|call| call["name"].as_str().unwrap()).collect();
    assert_eq!(derived[0], "unlock_vault");
    assert_eq!(derived.len(), 5, "{derived:?}");

    let written: Vec<Value> = calls(TOO_COSTLY[0]);
    let lines: Vec<String> = written.iter().map(Value::to_string).collect();
    let text = format!(
        "{{\n  \"cost\": \"4 GiB\",\n  \"calls\": [\n    {}\n  ]\n}}\n",
        lines.join(",\n    ")
    );
    if std::env::var_os("KEYHOLE_WRITE_VECTORS").is_some() {
        let path = format!(
            "{}/../../vectors/keyhole/too-costly.json",
            env!("CARGO_MANIFEST_DIR")
        );
        fs::write(path, &text).unwrap();
    }
    assert_eq!(vector("too-costly.json"), text);
}
