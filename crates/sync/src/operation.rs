//! An operation: changes by one device, sealed in its lane. It names those before it in its log.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::bytes::{AccountId, DeviceId, EpochId, RecordId};
use crate::change::{self, Change};
use crate::device_keys::DeviceKeys;
use crate::epoch::{Key, Sealed};
use crate::error::SyncError;
use crate::head::{MAX_ENDS, are_ids};
use crate::record::{self, Kind, Parts, VERSION};
use keyhole_vault::random::Random;
use keyhole_vault::seal::format::MAX_NUMBER;

/// Most ends of other logs that an operation names. The next one names more.
pub const MAX_SEEN: usize = 256;

/// What a relay sees of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedOperation {
    v: u64,
    /// The account's pseudonym.
    pub account: AccountId,
    /// The device whose log it is in.
    pub author: DeviceId,
    /// The epoch that it is sealed under.
    pub epoch: EpochId,
    text: Sealed,
}

/// What is sealed in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Operation {
    /// One more than the highest of `prev`; 1 for the first.
    pub seq: u64,
    /// The ends of this device's log: more than one if an old copy of its storage was put back, and the log forked.
    pub prev: Vec<RecordId>,
    /// Ends of other devices' logs that its author has read, and has not named before.
    pub seen: Vec<RecordId>,
    /// The last head that its author has read.
    pub head: RecordId,
    /// Higher than that of every operation that its author has read. It orders operations without a clock.
    pub lamport: u64,
    /// Its author's clock, in seconds. It is only shown.
    pub at: u64,
    /// What it changes: in order, and nothing twice.
    pub changes: Vec<Change>,
}

/// The same, as it is written: one change as it always was, so that every version reads it, and several in a list.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    seq: u64,
    prev: Vec<RecordId>,
    seen: Vec<RecordId>,
    head: RecordId,
    lamport: u64,
    at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<Change>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change>>,
}

impl From<Operation> for Written {
    fn from(operation: Operation) -> Self {
        let mut changes = operation.changes;
        let change = if changes.len() == 1 {
            changes.pop()
        } else {
            None
        };
        Self {
            seq: operation.seq,
            prev: operation.prev,
            seen: operation.seen,
            head: operation.head,
            lamport: operation.lamport,
            at: operation.at,
            changes: change.is_none().then_some(changes),
            change,
        }
    }
}

impl TryFrom<Written> for Operation {
    type Error = SyncError;

    fn try_from(written: Written) -> Result<Self, SyncError> {
        let changes = match (written.change, written.changes) {
            (Some(change), None) => alloc::vec![change],
            // One change has one form.
            (None, Some(changes)) if changes.len() > 1 => changes,
            _ => return Err(SyncError::RecordMalformed),
        };
        Ok(Self {
            seq: written.seq,
            prev: written.prev,
            seen: written.seen,
            head: written.head,
            lamport: written.lamport,
            at: written.at,
            changes,
        })
    }
}

impl Operation {
    /// The records that it names.
    pub fn names(&self) -> Vec<RecordId> {
        let operations = self.prev.iter().chain(&self.seen);
        operations.chain([&self.head]).copied().collect()
    }

    /// Seals and signs it as a record.
    ///
    /// # Errors
    /// [`SyncError::TooMany`] past the longest; when randomness fails.
    pub fn seal(
        &self,
        account: AccountId,
        (epoch, lane): (EpochId, &Key),
        keys: &DeviceKeys,
        random: &mut dyn Random,
    ) -> Result<Vec<u8>, SyncError> {
        let text = record::encode(self)?;
        let binding = binding(account, keys.id(), epoch)?;
        let sealed = SealedOperation {
            v: VERSION,
            account,
            author: keys.id(),
            epoch,
            text: Sealed::seal(lane, &text, &binding, random)?,
        };
        record::sign(Kind::Operation, &sealed, keys.signing())
    }
}

impl SealedOperation {
    /// Reads one. Whether its author signed it is checked by [`Parts::check`].
    ///
    /// # Errors
    /// [`SyncError::RecordMalformed`].
    pub fn read(parts: &Parts<'_>) -> Result<Self, SyncError> {
        let sealed: Self = record::decode(parts.body)?;
        let is_known = sealed.v == VERSION;
        is_known.then_some(sealed).ok_or(SyncError::RecordMalformed)
    }

    /// Opens it with its lane's key; `None` if the key is wrong, or what was sealed is not an operation.
    pub fn open(&self, lane: &Key) -> Option<Operation> {
        let binding = binding(self.account, self.author, self.epoch).ok()?;
        let operation: Operation = record::decode(&self.text.open(lane, &binding)?).ok()?;
        let is_valid = are_ids(&operation.prev, MAX_ENDS)
            && are_ids(&operation.seen, MAX_SEEN)
            && operation.seq <= MAX_NUMBER
            && operation.lamport <= MAX_NUMBER
            && change::are_valid(&operation.changes);
        is_valid.then_some(operation)
    }
}

fn binding(account: AccountId, author: DeviceId, epoch: EpochId) -> Result<Vec<u8>, SyncError> {
    record::encode(&("keyhole sync operation v1", account, author, epoch))
}
