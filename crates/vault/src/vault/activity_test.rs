#![allow(clippy::unwrap_used)]

use alloc::string::ToString;
use alloc::vec;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::methods::unlock_proof::UnlockProof;
use crate::seal::activity_log::Line;
use crate::testing::{Bench, PASSPHRASE as WORDS, Stream, account_of};
use crate::vault::sealed_state::SealedState;
use keyhole_ucan::identity::key_type::KeyType;

fn entry(number: u64) -> Value {
    json!({"at": 1_790_000_000_000 + number, "act": "unlock", "about": ["bafy", number]})
}

/// An account with a log of `count` lines, written in runs of three.
fn logged(count: u64) -> (Bench, Vault, Vec<SealedLine>) {
    let mut bench = Bench::new();
    let mut vault = account_of(KeyType::Ed25519, None, &mut bench);
    let entries: Vec<_> = (1..=count).map(entry).collect();
    let mut lines = Vec::new();
    for run in entries.chunks(3) {
        lines.extend(vault.log_activity(run, &mut bench.tools()).unwrap());
    }
    (bench, vault, lines)
}

fn sound(activity: &Activity) -> Vec<u64> {
    let lines = activity.lines.iter().filter(|line| line.sound);
    lines.map(|line| line.seq).collect()
}

#[test]
fn lines_are_read_back_after_a_reload() {
    let (mut bench, vault, lines) = logged(7);
    assert_eq!(vault.state().revision, 4);
    let state = SealedState::parse(&vault.state().to_text().unwrap()).unwrap();
    let back = Vault::unlock(state, UnlockProof::Passphrase(WORDS), &mut bench.memory).unwrap();
    let mut mixed = lines.clone();
    mixed.reverse();
    let read = back.read_activity(&mixed);
    let expected: Vec<_> = (1..=7)
        .map(|seq| Line {
            seq,
            entry: entry(seq),
            sound: true,
        })
        .collect();
    assert_eq!(
        (read.lines, read.missing, read.count),
        (expected, vec![], 7)
    );
    assert!(lines.iter().all(|line| !line.sealed.contains("unlock")));
}

#[test]
fn an_account_without_a_log_has_none() {
    let mut bench = Bench::new();
    let vault = account_of(KeyType::Ed25519, None, &mut bench);
    let read = vault.read_activity(&[]);
    assert_eq!(
        (read.lines.len(), read.missing.len(), read.count),
        (0, 0, 0)
    );
}

#[test]
fn lines_that_are_missing_are_named_by_their_numbers() {
    let (_, vault, lines) = logged(9);
    for (left, missing) in [
        (vec![], vec![[1, 9]]),
        (vec![1, 9], vec![[2, 8]]),
        (vec![2, 3, 6, 8], vec![[1, 1], [4, 5], [7, 7], [9, 9]]),
    ] {
        let remaining: Vec<_> = lines
            .iter()
            .filter(|line| left.contains(&line.seq))
            .cloned()
            .collect();
        let read = vault.read_activity(&remaining);
        assert_eq!(read.missing, missing);
        assert_eq!(sound(&read), left);
        assert_eq!(read.count, 9);
    }
}

#[test]
fn a_line_of_another_place_account_or_log_is_unsound() {
    let (mut bench, vault, lines) = logged(4);
    // Moved to another number, past the end, to zero, and to the largest number.
    for seq in [3, 5, 0, u64::MAX] {
        let mut moved = lines.clone();
        moved[1].seq = seq;
        let read = vault.read_activity(&moved);
        assert_eq!(sound(&read), [1, 3, 4], "{seq}");
        assert_eq!(read.missing, [[2, 2]]);
    }
    // A record of the account that isn't a line, in the place of one.
    for text in [
        "no line",
        "{}",
        r#"{"seq":2,"entry":{},"prev":"","mac":""}"#,
    ] {
        let mut replaced = lines.clone();
        replaced[1].sealed = vault
            .seal_record("activity:2", text, &mut bench.random)
            .unwrap();
        let read = vault.read_activity(&replaced);
        assert_eq!(sound(&read), [1, 3, 4]);
        assert_eq!(read.lines[1].entry, Value::Null);
    }
    // Lines of a copy that has diverged since.
    let (mut here, mut there) = (vault.clone(), vault.clone());
    let ours = here.log_activity(&[entry(5)], &mut bench.tools()).unwrap();
    let theirs = there
        .log_activity(
            &[json!({"act": "something else"}), entry(6)],
            &mut bench.tools(),
        )
        .unwrap();
    let mixed = [&lines[..], &theirs[..1]].concat();
    assert_eq!(sound(&here.read_activity(&mixed)), [1, 2, 3, 4]);
    let mixed = [&lines[..], &ours[..], &theirs[1..]].concat();
    assert_eq!(sound(&there.read_activity(&mixed)), [1, 2, 3, 4, 6]);
}

/// Someone who once had the account open knows the log's key and an older metadata key. The next line still reveals the
/// change.
#[test]
fn a_line_rewritten_with_the_logs_key_is_found_by_the_line_after_it() {
    let (mut bench, vault, lines) = logged(5);
    for at in 0..5 {
        let mut log = vault.private.log.clone().unwrap();
        let original = vault.read_activity(&lines);
        let text = vault
            .open_record(&context(at + 1), &lines[at as usize].sealed)
            .unwrap();
        let line: LineText = serde_json::from_str(&text).unwrap();
        (log.next, log.head) = (line.seq, line.prev);
        let mut rewritten = lines.clone();
        rewritten[at as usize] = vault
            .write_line(&mut log, &json!({"act": "nothing"}), &mut bench.random)
            .unwrap();
        let read = vault.read_activity(&rewritten);
        let expected: Vec<_> = (1..=5).filter(|seq| *seq != at + 1).collect();
        assert_eq!(sound(&read), expected);
        assert!(original.lines.iter().all(|line| line.sound));
    }
}

#[test]
fn the_log_goes_on_under_a_new_data_key() {
    let (mut bench, mut vault, mut lines) = logged(2);
    let proof = UnlockProof::Passphrase(WORDS);
    vault
        .set_passphrase(proof, "another passphrase entirely", &mut bench.tools())
        .unwrap();
    lines.extend(vault.log_activity(&[entry(3)], &mut bench.tools()).unwrap());
    assert_eq!(sound(&vault.read_activity(&lines)), [1, 2, 3]);
}

#[test]
fn an_invalid_entry_is_refused_and_nothing_is_written() {
    let (mut bench, mut vault, _) = logged(1);
    let before = vault.state().clone();
    let exact = json!({"a": "x".repeat(MAX_ENTRY_BYTES - 8)});
    let long = json!({"a": "x".repeat(MAX_ENTRY_BYTES - 7)});
    for entries in [
        vec![],
        vec![json!(1)],
        vec![json!([])],
        vec![entry(1), json!(null)],
        vec![long],
        vec![json!({"at": 1.5})],
        vec![entry(1); MAX_ENTRIES + 1],
    ] {
        assert!(vault.log_activity(&entries, &mut bench.tools()).is_err());
    }
    bench.random = Stream::new();
    bench.random.failing_at = 1;
    assert!(
        vault
            .log_activity(&[entry(1), entry(2)], &mut bench.tools())
            .is_err()
    );
    assert_eq!(*vault.state(), before);
    bench.random = Stream::new();
    assert!(vault.log_activity(&[exact], &mut bench.tools()).is_ok());
}

#[test]
fn of_two_copies_of_a_log_the_longer_one_goes_on() {
    let (mut bench, vault, _) = logged(2);
    let (shorter, mut longer) = (vault.clone(), vault.clone());
    longer
        .log_activity(&[entry(3)], &mut bench.tools())
        .unwrap();
    let next = |log: &Option<ActivityLog>| log.as_ref().map(|log| log.next);
    for (ours, theirs) in [(&shorter, &longer), (&longer, &shorter)] {
        let mut log = ours.private.log.clone();
        ActivityLog::merge(&mut log, theirs.private.log.as_ref());
        assert_eq!(next(&log), Some(4));
    }
    let mut none = None;
    ActivityLog::merge(&mut none, longer.private.log.as_ref());
    assert_eq!(next(&none), Some(4));
    // A different log is ignored, however long it is.
    let mut other = account_of(KeyType::P256, None, &mut bench);
    other
        .log_activity(&vec![entry(1); 9], &mut bench.tools())
        .unwrap();
    let mut log = vault.private.log.clone();
    ActivityLog::merge(&mut log, other.private.log.as_ref());
    ActivityLog::merge(&mut log, None);
    assert_eq!(next(&log), Some(3));
}

#[test]
fn no_secret_of_the_log_is_in_debug() {
    let (_, vault, _) = logged(1);
    let log = vault.private.log.as_ref().unwrap();
    let shown = format!("{log:?}").to_string();
    assert!(!shown.contains(&keyhole_ucan::codec::base64::encode(&log.key.0[..])));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever is left out, changed or swapped, exactly the unmoved original lines are sound, and those left out are missing.
    #[test]
    fn every_change_to_the_lines_is_found(
        dropped in proptest::collection::vec(any::<bool>(), 12),
        changed in proptest::collection::vec(any::<bool>(), 12),
    ) {
        let (_, vault, lines) = logged(12);
        let remaining: Vec<_> = lines.into_iter().zip(dropped).zip(&changed)
            .filter(|((_, dropped), _)| !dropped)
            .map(|((mut line, _), changed)| {
                if *changed {
                    let last = line.sealed.pop();
                    line.sealed.push(if last == Some('A') { 'Q' } else { 'A' });
                }
                line
            })
            .collect();
        let read = vault.read_activity(&remaining);
        let numbers: Vec<u64> = remaining.iter().map(|line| line.seq).collect();
        let unchanged: Vec<u64> = numbers.iter().copied().filter(|seq| !changed[*seq as usize - 1]).collect();
        prop_assert_eq!(sound(&read), unchanged);
        let missing: Vec<u64> = read.missing.iter().flat_map(|[from, to]| *from..=*to).collect();
        let gone: Vec<u64> = (1..=12).filter(|seq| !numbers.contains(seq)).collect();
        prop_assert_eq!(missing, gone);
    }
}
