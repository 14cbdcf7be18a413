//! The activity log: lines that stand outside of the sealed state, each sealed and chained to the one before it.
//!
//! The key, the next number and the last MAC are in the private section: so a line that was left out, put in, changed or moved
//! is found by whoever has the account open. A line's text is `{seq, entry, prev, mac}` with `mac` = HMAC-SHA256(key, prev ‖
//! canonical DAG-CBOR of {seq, entry}), a record (`m1`) in the context `activity:<seq>`. The first is number 1, its `prev` zeros.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::Sha256;

use keyhole_ucan::codec::base64::{Fixed, Secret};

use crate::error::VaultError;
use crate::random::{self, Random};
use crate::seal::aead::canonical;
use crate::seal::format::MAX_NUMBER;

/// Longest entry of the log, as JSON text in bytes.
pub const MAX_ENTRY_BYTES: usize = 2 * 1_024;
/// Most entries that are written at a time.
pub const MAX_ENTRIES: usize = 1_000;

const FIRST: u64 = 1;

/// What authenticates the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActivityLog {
    pub(crate) key: Secret<32>,
    /// The number of the next line.
    pub(crate) next: u64,
    /// The last line's MAC; zeros where there is none.
    pub(crate) head: Fixed<32>,
}

/// A line at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SealedLine {
    /// Its number.
    pub seq: u64,
    /// An `m1` record.
    pub sealed: String,
}

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ActivityLine"))]
pub struct Line {
    /// Its number.
    pub seq: u64,
    /// What was logged; null where the line does not open.
    pub entry: Value,
    /// Whether it is the line that was written, as far as the lines after it still bear witness.
    pub sound: bool,
}

/// What is left of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// By number, each once.
    pub lines: Vec<Line>,
    /// Runs of numbers of which no line was given, first and last.
    pub missing: Vec<[u64; 2]>,
    /// How many lines have been written.
    pub count: u64,
}

/// A line before it is sealed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineText {
    pub(crate) seq: u64,
    entry: Value,
    pub(crate) prev: Fixed<32>,
    mac: Fixed<32>,
}

impl ActivityLog {
    pub(crate) fn make(random: &mut dyn Random) -> Result<Self, VaultError> {
        Ok(Self {
            key: Secret(random::secret(random)?),
            next: FIRST,
            head: Fixed([0; 32]),
        })
    }

    /// Whether its numbers are within their limits.
    pub(crate) fn is_valid(&self) -> bool {
        (FIRST..MAX_NUMBER).contains(&self.next)
    }

    /// Of two copies of one log the longer one. Another log is passed over.
    pub(crate) fn merge(ours: &mut Option<Self>, theirs: Option<&Self>) {
        match (&ours, theirs) {
            (None, Some(theirs)) => *ours = Some(theirs.clone()),
            (Some(log), Some(theirs)) if log.key.0 == theirs.key.0 && log.next < theirs.next => {
                *ours = Some(theirs.clone());
            }
            _ => {}
        }
    }

    fn mac(&self, prev: &Fixed<32>, seq: u64, entry: &Value) -> Result<Hmac<Sha256>, VaultError> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key.0[..])
            .map_err(|_| VaultError::internal("The log cannot be authenticated."))?;
        mac.update(&prev.0);
        mac.update(&canonical(&json!({"seq": seq, "entry": entry}))?);
        Ok(mac)
    }

    fn is_authentic(&self, line: &LineText) -> bool {
        self.mac(&line.prev, line.seq, &line.entry)
            .is_ok_and(|mac| mac.verify_slice(&line.mac.0).is_ok())
    }

    /// The next line. It becomes part of the log by [`ActivityLog::advance`].
    pub(crate) fn line(&self, entry: &Value) -> Result<LineText, VaultError> {
        if self.next + 1 >= MAX_NUMBER {
            return Err(VaultError::LogFull);
        }
        let mac = self.mac(&self.head, self.next, entry)?.finalize();
        Ok(LineText {
            seq: self.next,
            entry: entry.clone(),
            prev: self.head,
            mac: Fixed(mac.into_bytes().into()),
        })
    }

    /// Takes its next line as written.
    pub(crate) fn advance(&mut self, line: &LineText) {
        self.head = line.mac;
        self.next += 1;
    }
}

/// Reads all that is left of a log: of each number the line that was given, or nothing where it did not open.
pub(crate) fn read(log: Option<&ActivityLog>, given: BTreeMap<u64, Option<LineText>>) -> Activity {
    let next = log.map_or(FIRST, |log| log.next);
    // From the last line back, each says what the MAC of the one before it was.
    let mut after = log.map(|log| (next, log.head));
    let mut read = Vec::with_capacity(given.len());
    for (seq, text) in given.into_iter().rev() {
        let sound = log.zip(text.as_ref()).is_some_and(|(log, text)| {
            let is_expected = after
                .is_none_or(|(number, mac)| number != seq.saturating_add(1) || mac == text.mac);
            (FIRST..next).contains(&seq) && is_expected && log.is_authentic(text)
        });
        if seq < next {
            after = text.as_ref().filter(|_| sound).map(|text| (seq, text.prev));
        }
        read.push(Line {
            seq,
            entry: text.map_or(Value::Null, |text| text.entry),
            sound,
        });
    }
    read.reverse();
    Activity {
        missing: missing(&read, next),
        lines: read,
        count: next - FIRST,
    }
}

/// The runs of numbers before `next` that no line has.
fn missing(lines: &[Line], next: u64) -> Vec<[u64; 2]> {
    let mut missing = Vec::new();
    let mut expected = FIRST;
    for seq in lines.iter().map(|line| line.seq).chain([next]) {
        let seq = seq.min(next);
        if seq > expected {
            missing.push([expected, seq - 1]);
        }
        expected = expected.max(seq.saturating_add(1));
    }
    missing
}
