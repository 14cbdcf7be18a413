//! What an operation changes in an account.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::bytes::Raw;

/// Longest id of a thing, in bytes.
pub const MAX_ID_BYTES: usize = 1_024;

/// Most changes in one operation.
pub const MAX_CHANGES: usize = 1_024;
/// How long the changes of one operation are together, if there is more than one. With what an operation names, and with its padding, it
/// then fits in a record.
pub const MAX_CHANGES_BYTES: usize = 500 * 1_024;
/// The most that a change takes besides its id and its value.
const CHANGE_BYTES: usize = 64;

/// What a change is about. The order is that of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    /// A stored token, by CID. Can be deleted, and added again.
    Token,
    /// A revocation, by the CID of what it revokes. Nothing takes it back.
    Revocation,
    /// A receipt, by CID.
    Receipt,
    /// A line of the activity log, by id.
    Line,
    /// A session, by id.
    Session,
    /// A payment that was made under a mandate, by the CID of its authorisation.
    Payment,
    /// An answer to a request, by the request's CID.
    Answer,
    /// A contact, by id.
    Contact,
    /// A name, by what it names.
    Label,
    /// A setting, by name.
    Setting,
}

impl Thing {
    /// Whether it stays once it was written. These are merged by union.
    pub fn is_permanent(self) -> bool {
        matches!(
            self,
            Self::Revocation
                | Self::Receipt
                | Self::Line
                | Self::Session
                | Self::Payment
                | Self::Answer
        )
    }

    /// Whether a limited device may write it: a report of what it did, never a permission.
    pub fn is_for_limited(self) -> bool {
        matches!(self, Self::Receipt | Self::Line | Self::Payment)
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// What kind of thing.
    pub thing: Thing,
    /// Which one.
    pub id: String,
    /// Its new value; `None` deletes it.
    pub value: Option<Raw>,
}

impl Change {
    /// Whether any device may write this.
    pub fn is_valid(&self) -> bool {
        self.id.len() <= MAX_ID_BYTES && (self.value.is_some() || !self.thing.is_permanent())
    }

    /// What it changes.
    pub fn about(&self) -> (Thing, &str) {
        (self.thing, &self.id)
    }

    /// At least as long as it is in an operation, in bytes.
    fn length(&self) -> usize {
        let value = self.value.as_ref().map_or(0, |value| value.0.len());
        CHANGE_BYTES + self.id.len() + value
    }
}

/// Whether one operation may have these changes: in the order of what they change, and none twice. Otherwise they would need an order
/// among themselves.
pub fn are_valid(changes: &[Change]) -> bool {
    let is_in_order = changes.is_sorted_by(|one, other| one.about() < other.about());
    let is_short = (1..=MAX_CHANGES).contains(&changes.len());
    is_short && is_in_order && changes.iter().all(Change::is_valid)
}

/// Puts changes, each with its place in a list, together to operations: as many as fit into each. Of two that change the same thing, the
/// later one is in a later operation.
pub fn in_operations(
    changes: Vec<(usize, Change)>,
    most: usize,
) -> Vec<BTreeMap<(Thing, String), (usize, Change)>> {
    let mut all: Vec<BTreeMap<_, _>> = Vec::new();
    let mut length = 0;
    for (at, change) in changes {
        let key = (change.thing, change.id.clone());
        length += change.length();
        let is_full = |last: &BTreeMap<_, _>| {
            last.len() >= most || length > MAX_CHANGES_BYTES || last.contains_key(&key)
        };
        match all.last_mut().filter(|last| !is_full(last)) {
            Some(last) => {
                last.insert(key, (at, change));
            }
            None => {
                length = change.length();
                all.push(BTreeMap::from([(key, (at, change))]));
            }
        }
    }
    all
}
