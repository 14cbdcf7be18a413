#![allow(clippy::unwrap_used)]

use alloc::string::ToString;
use alloc::vec;

use serde_json::Value;

use super::*;
use crate::backup::{FORMAT_3, OpenBackup};
use crate::methods::unlock_proof::NewMethods;
use crate::testing::{
    Bench, PASSPHRASE as WORDS, altered, compare_with_vector, leaves, make_account, vector,
};
use crate::vault::Vault;
use keyhole_ucan::identity::key_type::KeyType;

const FILE_WORDS: &str = "words of the backup file";

fn json(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_string()).unwrap()
}

fn account(bench: &mut Bench) -> Vault {
    let methods = NewMethods {
        passphrase: Some(WORDS),
        ..NewMethods::default()
    };
    make_account(KeyType::Ed25519, None, "keyhole-1", methods, bench)
        .unwrap()
        .0
}

/// A head, and the chunks sealed after it.
fn written(vault: &Vault, contents: &[&str], bench: &mut Bench) -> (String, Vec<String>) {
    let (head, mut sealer) = vault
        .begin_export(Some(FILE_WORDS), json("{\"tokens\":3}"), &mut bench.tools())
        .unwrap();
    let last = contents.len() - 1;
    let chunks = contents
        .iter()
        .enumerate()
        .map(|(index, text)| {
            sealer
                .seal(&json(text), index == last, bench.tools().random)
                .unwrap()
        })
        .collect();
    (head, chunks)
}

fn opener(head: &str, bench: &mut Bench) -> ChunkOpener {
    let backup = OpenBackup::open(head, FILE_WORDS, &mut bench.memory).unwrap();
    assert_eq!(backup.header().format, FORMAT_3);
    assert_eq!(backup.contents.get(), "{\"tokens\":3}");
    backup.chunks().unwrap()
}

const TEXTS: [&str; 3] = ["[1, 2]", "{\"a\": 1.0}", "null"];

#[test]
fn nothing_may_follow_the_last_chunk() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (head, mut sealer) = vault
        .begin_export(Some(FILE_WORDS), json("{\"tokens\":3}"), &mut bench.tools())
        .unwrap();
    let last = sealer.seal(&json("[1]"), true, bench.tools().random);
    assert!(
        sealer
            .seal(&json("[2]"), true, bench.tools().random)
            .is_err()
    );
    // Someone who has the key can still seal one.
    sealer.is_over = false;
    let more = sealer.seal(&json("[2]"), true, bench.tools().random);
    let mut opener = opener(&head, &mut bench);
    assert!(opener.open(&last.unwrap()).is_ok());
    assert!(opener.open(&more.unwrap()).is_err());
}

#[test]
fn opens_its_chunks_and_again_from_the_first() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (head, chunks) = written(&vault, &TEXTS, &mut bench);
    let mut opener = opener(&head, &mut bench);
    for _ in 0..2 {
        for (index, (chunk, text)) in chunks.iter().zip(TEXTS).enumerate() {
            assert_eq!(opener.was_read(), opener.next == 3 || opener.was_read);
            let (contents, last) = opener.open(chunk).unwrap();
            assert_eq!((contents.get(), last), (text, index == 2));
        }
        assert!(opener.was_read());
    }
}

#[test]
fn a_backup_cut_off_is_never_read_to_its_end() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (head, chunks) = written(&vault, &TEXTS, &mut bench);
    let mut opener = opener(&head, &mut bench);
    opener.open(&chunks[0]).unwrap();
    opener.open(&chunks[1]).unwrap();
    assert!(!opener.was_read());
    // Claiming to be the last doesn't make another chunk the last one.
    let said = chunks[1].replace("\"last\":false", "\"last\":true");
    opener.open(&chunks[0]).unwrap();
    assert!(opener.open(&said).is_err());
    assert!(!opener.was_read());
}

#[test]
fn reordered_repeated_missing_and_trailing_chunks_are_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (head, chunks) = written(&vault, &TEXTS, &mut bench);
    for order in [
        vec![1],
        vec![0, 2],
        vec![0, 1, 1],
        vec![0, 1, 2, 2],
        vec![0, 1, 2, 1],
    ] {
        let mut opener = opener(&head, &mut bench);
        let (wrong, before) = order.split_last().unwrap();
        for index in before {
            opener.open(&chunks[*index]).unwrap();
        }
        assert!(opener.open(&chunks[*wrong]).is_err(), "{order:?}");
    }
    // A changed number doesn't help.
    let mut opener = opener(&head, &mut bench);
    opener.open(&chunks[0]).unwrap();
    let renamed = chunks[2].replace("\"chunk\":2", "\"chunk\":1");
    assert!(opener.open(&renamed).is_err());
}

#[test]
fn chunks_of_another_file_are_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (head, chunks) = written(&vault, &TEXTS, &mut bench);
    let (_, others) = written(&vault, &TEXTS, &mut bench);
    let mut opener = opener(&head, &mut bench);
    opener.open(&chunks[0]).unwrap();
    assert!(opener.open(&others[1]).is_err());
}

#[test]
fn every_change_of_a_chunk_is_refused() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (head, chunks) = written(&vault, &["{\"tokens\":[]}"], &mut bench);
    let chunk: Value = serde_json::from_str(&chunks[0]).unwrap();
    let mut opener = opener(&head, &mut bench);
    for path in leaves(&chunk).into_iter().filter(|path| path != "/last") {
        let text = altered(&chunk, &path).to_string();
        assert!(opener.open(&text).is_err(), "{path:?}");
    }
    opener.open(&chunks[0]).unwrap();
}

#[test]
fn nothing_is_sealed_after_the_last() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (_, mut sealer) = vault
        .begin_export(Some(FILE_WORDS), json("{}"), &mut bench.tools())
        .unwrap();
    sealer.seal(&json("1"), true, bench.tools().random).unwrap();
    assert!(sealer.seal(&json("2"), true, bench.tools().random).is_err());
}

#[test]
fn writes_and_opens_the_vector() {
    let mut bench = Bench::new();
    let vault = account(&mut bench);
    let (head, chunks) = written(&vault, &TEXTS, &mut bench);
    let actual = serde_json::json!({
        "randomness": "as in seal-v1.json",
        "export_passphrase": FILE_WORDS,
        "address": vault.state().address,
        "about": "{\"tokens\":3}",
        "contents": TEXTS,
        "head": head,
        "chunks": chunks,
    });
    compare_with_vector("backup-v3.json", &actual);

    let vector = vector("backup-v3.json");
    let mut opener = opener(vector["head"].as_str().unwrap(), &mut bench);
    for (chunk, text) in vector["chunks"].as_array().unwrap().iter().zip(TEXTS) {
        let (contents, _) = opener.open(chunk.as_str().unwrap()).unwrap();
        assert_eq!(contents.get(), text);
    }
    assert!(opener.was_read());
}
