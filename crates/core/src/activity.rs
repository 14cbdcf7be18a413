//! The activity log: lines that stand outside of the sealed state, each sealed and chained to the one before it.
//!
//! The key, the next number and the last MAC are in the private section: so a line that was left out, put in, changed or moved
//! is found by whoever has the account open. A line's text is `{seq, entry, prev, mac}` with `mac` = HMAC-SHA256(key, prev ‖
//! canonical DAG-CBOR of {seq, entry}), a record (`m1`) in the context `activity:<seq>`. The first is number 1, its `prev` zeros.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::aead::canonical;
use crate::base64::{Fixed, Secret};
use crate::random::{self, Random};
use crate::seal::MAX_NUMBER;
use crate::vault::{Tools, Vault};
use crate::vault_error::VaultError;

/// Longest entry of the log, as JSON text in bytes.
pub const MAX_ENTRY_BYTES: usize = 2 * 1_024;
/// Most entries that are written at a time.
pub const MAX_ENTRIES: usize = 1_000;

const FIRST: u64 = 1;

/// What authenticates the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActivityLog {
    key: Secret<32>,
    /// The number of the next line.
    next: u64,
    /// The last line's MAC; zeros where there is none.
    head: Fixed<32>,
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

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineText {
    seq: u64,
    entry: Value,
    prev: Fixed<32>,
    mac: Fixed<32>,
}

impl ActivityLog {
    fn make(random: &mut dyn Random) -> Result<Self, VaultError> {
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
            .map_err(|_| VaultError::failed("The log cannot be authenticated."))?;
        mac.update(&prev.0);
        mac.update(&canonical(&json!({"seq": seq, "entry": entry}))?);
        Ok(mac)
    }

    fn is_authentic(&self, line: &LineText) -> bool {
        self.mac(&line.prev, line.seq, &line.entry)
            .is_ok_and(|mac| mac.verify_slice(&line.mac.0).is_ok())
    }
}

impl Vault {
    /// Writes lines behind the log's last; the first call begins the log. The lines are stored together with the new state.
    ///
    /// # Errors
    /// OPERATION_FAILED for no entries or more than [`MAX_ENTRIES`], for one that is no object, is past [`MAX_ENTRY_BYTES`] or
    /// has a number that is no integer; and when randomness fails.
    pub fn log_activity(
        &mut self,
        entries: &[Value],
        tools: &mut Tools<'_>,
    ) -> Result<Vec<SealedLine>, VaultError> {
        if entries.is_empty() || entries.len() > MAX_ENTRIES {
            return Err(VaultError::failed(
                "Between 1 and 1,000 entries are logged at a time.",
            ));
        }
        for entry in entries {
            let is_short = serde_json::to_vec(entry)
                .map(Zeroizing::new)
                .is_ok_and(|text| text.len() <= MAX_ENTRY_BYTES);
            if !entry.is_object() || !is_short {
                return Err(VaultError::failed(
                    "An entry of the log is an object of at most 2 KiB.",
                ));
            }
        }
        self.change(tools, |vault, tools| {
            let mut log = match vault.private.log.take() {
                Some(log) => log,
                None => ActivityLog::make(tools.random)?,
            };
            let lines = entries
                .iter()
                .map(|entry| vault.write_line(&mut log, entry, tools.random))
                .collect::<Result<_, _>>()?;
            vault.private.log = Some(log);
            Ok(lines)
        })
    }

    fn write_line(
        &self,
        log: &mut ActivityLog,
        entry: &Value,
        random: &mut dyn Random,
    ) -> Result<SealedLine, VaultError> {
        let seq = log.next;
        if seq + 1 >= MAX_NUMBER {
            return Err(VaultError::failed("This log is full."));
        }
        let mac = log.mac(&log.head, seq, entry)?.finalize().into_bytes();
        let line = LineText {
            seq,
            entry: entry.clone(),
            prev: log.head,
            mac: Fixed(mac.into()),
        };
        let text = serde_json::to_string(&line).map(Zeroizing::new);
        let text =
            text.map_err(|_| VaultError::failed("An entry of the log cannot be written as JSON."))?;
        let sealed = self.seal_record(&context(seq), &text, random)?;
        log.head = line.mac;
        log.next += 1;
        Ok(SealedLine { seq, sealed })
    }

    /// Reads all that is left of the log, and says what is missing and what is not as it was written.
    pub fn read_activity(&self, lines: &[SealedLine]) -> Activity {
        let mut given: BTreeMap<u64, Option<LineText>> = BTreeMap::new();
        for line in lines {
            let text = self.open_record(&context(line.seq), &line.sealed).ok();
            let text = text.and_then(|text| serde_json::from_str::<LineText>(&text).ok());
            let text = text.filter(|text| text.seq == line.seq);
            // Of two for one number the one that opens.
            let place = given.entry(line.seq).or_default();
            *place = place.take().or(text);
        }
        let log = self.private.log.as_ref();
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

fn context(seq: u64) -> String {
    format!("activity:{seq}")
}

#[cfg(test)]
#[path = "activity_test.rs"]
mod tests;
