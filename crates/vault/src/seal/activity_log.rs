//! The activity log: lines outside the sealed state, each sealed and chained to the one before it.
//!
//! The key, the next number and the last MAC are in the private section, so an unlocked vault detects a line that was
//! left out, inserted, changed or moved. A line's text is `{seq, entry, prev, mac}` with `mac` = HMAC-SHA256(key, prev
//! ‖ canonical DAG-CBOR of {seq, entry}), sealed as a record (`m1`) in the context `activity:<seq>`. The first has
//! number 1, and zeros for `prev`.
//!
//! Two copies of an account that are both used continue the same log separately. When they are joined, one side
//! continues and the end of the other is kept, so that the lines of both can be verified for ever.

use alloc::collections::{BTreeMap, BTreeSet};
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

/// Most ends of other copies' sides that are stored.
pub const MAX_SIDES: usize = 1_024;

const FIRST: u64 = 1;

/// What authenticates the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActivityLog {
    pub(crate) key: Secret<32>,
    /// The number of the next line.
    pub(crate) next: u64,
    /// The last line's MAC; zeros if there is none.
    pub(crate) head: Fixed<32>,
    /// The ends of other copies' sides of this log. Only in `seal-v2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sides: Vec<Side>,
}

/// Where another copy's side of a log ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Side {
    /// The number after its last line's.
    pub(crate) next: u64,
    /// Its last line's MAC.
    #[serde(with = "ordered")]
    pub(crate) head: [u8; 32],
}

mod ordered {
    use keyhole_ucan::codec::base64::Fixed;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        Fixed(*bytes).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        Fixed::deserialize(from).map(|bytes| bytes.0)
    }
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
    /// What was logged; null if the line does not open.
    pub entry: Value,
    /// Whether it is the line that was written, as far as the lines after it prove.
    pub sound: bool,
}

/// What is left of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// By number, each once.
    pub lines: Vec<Line>,
    /// Runs of missing numbers, first and last.
    pub missing: Vec<[u64; 2]>,
    /// How many lines have been written.
    pub count: u64,
    /// Lines of other copies of the account, written after they diverged: by number, then by side.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub aside: Vec<Line>,
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
            sides: Vec::new(),
        })
    }

    /// Whether its numbers are within their limits.
    pub(crate) fn is_valid(&self) -> bool {
        let nexts = self.sides.iter().map(|side| side.next);
        self.sides.len() <= MAX_SIDES
            && nexts
                .chain([self.next])
                .all(|next| (FIRST..MAX_NUMBER).contains(&next))
    }

    /// Whether it has parts that only `seal-v2` stores.
    pub(crate) fn has_sides(&self) -> bool {
        !self.sides.is_empty()
    }

    /// As `seal-v1` stores it.
    pub(crate) fn without_sides(&self) -> Self {
        Self {
            sides: Vec::new(),
            ..self.clone()
        }
    }

    fn end(&self) -> Side {
        Side {
            next: self.next,
            head: self.head.0,
        }
    }

    /// Joins two copies of one log. The longer one continues; of two equally long ones, the one with the greater end.
    /// The other one's lines stay on its side. If one copy simply lacks the other's last lines, reading shows that. A
    /// different log is ignored.
    pub(crate) fn join(ours: &mut Option<Self>, theirs: Option<&Self>) {
        let Some(theirs) = theirs else { return };
        let Some(log) = ours else {
            *ours = Some(theirs.clone());
            return;
        };
        if log.key.0 != theirs.key.0 {
            return;
        }
        let (one, other) = (log.end(), theirs.end());
        let last = one.clone().max(other.clone());
        let mut sides = log.sides.clone();
        sides.extend(theirs.sides.iter().cloned());
        sides.extend([one, other]);
        sides.retain(|side| *side != last && side.next > FIRST);
        sides.sort();
        sides.dedup();
        // Past the limit the shortest sides are forgotten. Their lines stay, but nothing proves any more that they are
        // complete.
        let extra = sides.len().saturating_sub(MAX_SIDES);
        sides.drain(..extra);
        log.next = last.next;
        log.head = Fixed(last.head);
        log.sides = sides;
    }

    /// The longer of two copies of one log, as in `seal-v1`. A different log is ignored.
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

    /// The next line. [`ActivityLog::advance`] makes it part of the log.
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

    /// Accepts its next line as written.
    pub(crate) fn advance(&mut self, line: &LineText) {
        self.head = line.mac;
        self.next += 1;
    }
}

/// Reads what is left of a log: for each number the lines that were given, or nothing for those that did not open.
pub(crate) fn read(
    log: Option<&ActivityLog>,
    mut given: BTreeMap<u64, Vec<Option<LineText>>>,
) -> Activity {
    for texts in given.values_mut() {
        // A line that was given twice counts once.
        let mut macs = BTreeSet::new();
        texts.retain(|text| macs.insert(text.as_ref().map(|text| text.mac.0)));
    }
    let next = log.map_or(FIRST, |log| log.next);
    let mut after = log.map(|log| (next, log.head));
    let mut lines = Vec::with_capacity(given.len());
    for (seq, texts) in given.iter_mut().rev() {
        let text = take_line(log, *seq, next, after, texts);
        let sound = text.1;
        if *seq < next {
            after = text
                .0
                .as_ref()
                .filter(|_| sound)
                .map(|text| (*seq, text.prev));
        }
        lines.push(to_line(*seq, text));
    }
    lines.reverse();
    let mut aside = Vec::new();
    for side in log.map_or(&[][..], |log| &log.sides) {
        // From its end back to where it diverged. The line there was taken already.
        let mut after = Some((side.next, Fixed(side.head)));
        for (seq, texts) in given.range_mut(..side.next).rev() {
            let (text, is_sound) = take_line(log, *seq, side.next, after, texts);
            if !is_sound {
                texts.extend(text.map(Some));
                break;
            }
            after = text.as_ref().map(|text| (*seq, text.prev));
            aside.push(to_line(*seq, (text, true)));
        }
    }
    // A line that no end proves is marked unsound.
    for (seq, texts) in given {
        let texts = texts.into_iter().flatten();
        aside.extend(texts.map(|text| to_line(seq, (Some(text), false))));
    }
    aside.sort_by_key(|line| line.seq);
    Activity {
        missing: missing(&lines, next),
        lines,
        count: next - FIRST,
        aside,
    }
}

/// Takes a number's line from those that were given for it: the one that the next line names, or else the first that
/// opens. Also says whether it is sound.
fn take_line(
    log: Option<&ActivityLog>,
    seq: u64,
    next: u64,
    after: Option<(u64, Fixed<32>)>,
    texts: &mut Vec<Option<LineText>>,
) -> (Option<LineText>, bool) {
    let is_sound = |text: &Option<LineText>| {
        log.zip(text.as_ref()).is_some_and(|(log, text)| {
            // From the last line back, each names the MAC of the one before it.
            let is_expected = after
                .is_none_or(|(number, mac)| number != seq.saturating_add(1) || mac == text.mac);
            (FIRST..next).contains(&seq) && is_expected && log.is_authentic(text)
        })
    };
    let sound = texts.iter().position(is_sound);
    let opens = || texts.iter().position(Option::is_some);
    let at = sound.or_else(opens).unwrap_or(0);
    let text = if at < texts.len() {
        texts.remove(at)
    } else {
        None
    };
    (text, sound.is_some())
}

fn to_line(seq: u64, (text, sound): (Option<LineText>, bool)) -> Line {
    Line {
        seq,
        entry: text.map_or(Value::Null, |text| text.entry),
        sound,
    }
}

/// The runs of missing numbers before `next`.
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
