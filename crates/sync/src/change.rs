//! What an operation changes in an account.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::bytes::Raw;

/// Longest id of a thing, in bytes.
pub const MAX_ID_BYTES: usize = 1_024;

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}
