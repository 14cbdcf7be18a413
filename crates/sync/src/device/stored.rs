//! Opening a device from what it has stored. What follows from all records is found out once, and not after each page, and a signature that
//! was checked before is not checked again.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::bytes::RecordId;
use crate::device::Device;
use crate::device_keys::Mark;
use crate::error::SyncError;
use crate::record::Arrived;
use crate::relay_view::Digest;
#[cfg(test)]
use {
    crate::bytes::{DeviceId, EpochId},
    crate::head::Role,
    alloc::collections::BTreeMap,
};

/// Most records that are taken in before they are put in their places: far fewer than a device has room for.
const AT_ONCE: usize = 1_024;

/// A part of the relay's list, as it was read and stored.
#[derive(Clone, Debug)]
pub struct StoredPage<'a> {
    /// The relay's digest of every record before these.
    pub before: Digest,
    /// In their places.
    pub records: Vec<Arrived<'a>>,
}

/// What a device has stored.
#[derive(Clone, Debug, Default)]
pub struct Stored<'a> {
    /// Records whose place in the relay's list isn't known, in any order.
    pub others: Vec<Arrived<'a>>,
    /// The relay's list from the first place on, or from where the last call ended.
    pub pages: Vec<StoredPage<'a>>,
    /// Those that the device gave for any of these records. Others count for nothing.
    pub marks: BTreeSet<Mark>,
}

impl Device {
    /// Takes in what is stored. `false` if pages don't fit what is before them: the relay once went back, and was not read to its end
    /// since. Their records are taken in all the same, and the relay's list is read from its first place.
    ///
    /// # Errors
    /// Never in practice.
    pub fn take_stored(&mut self, stored: &Stored<'_>) -> Result<bool, SyncError> {
        let mut count = 0;
        for record in &stored.others {
            self.take_one(*record, &stored.marks, &mut count)?;
        }
        let mut fits = true;
        for page in &stored.pages {
            fits = fits && self.relay.is_at(page.before);
            if fits {
                self.relay.take(Some(page.before), &page.records);
            } else {
                self.relay.start_over();
            }
            for record in &page.records {
                self.take_one(*record, &stored.marks, &mut count)?;
                if fits && self.records.contains_key(&record.id) {
                    self.relay.insert(record.id);
                }
            }
        }
        self.settle()?;
        Ok(fits)
    }

    fn take_one(
        &mut self,
        record: Arrived<'_>,
        marks: &BTreeSet<Mark>,
        count: &mut usize,
    ) -> Result<(), SyncError> {
        // One that is damaged is read from the relay again.
        let _: Result<bool, SyncError> = self.take_in(record, marks);
        *count += 1;
        match count.is_multiple_of(AT_ONCE) {
            true => self.settle(),
            false => Ok(()),
        }
    }

    /// The mark of a record: see [`Mark`]. `None` if it isn't here, so that its signature may not have been checked.
    ///
    /// # Errors
    /// Never in practice.
    pub fn mark_of(&self, id: RecordId) -> Result<Option<Mark>, SyncError> {
        let is_here = self.records.contains_key(&id);
        is_here.then(|| self.mark(id)).transpose()
    }

    /// The mark that counts for a record, whether its signature was checked or not.
    pub(super) fn mark(&self, id: RecordId) -> Result<Mark, SyncError> {
        self.keys.mark(self.account, id)
    }
}

/// What is the same in a device and in one that is opened from what it has stored. It leaves out what only lasts until a device is closed:
/// what it has named before, and the highest number that it has seen, also in what no longer counts.
#[cfg(test)]
#[derive(Debug, PartialEq)]
pub(crate) struct Image {
    records: Vec<RecordId>,
    heads: Vec<RecordId>,
    chain: Vec<RecordId>,
    waiting: usize,
    placed: Vec<RecordId>,
    sealed: BTreeSet<RecordId>,
    missing: BTreeSet<RecordId>,
    counted: BTreeSet<RecordId>,
    idle: BTreeMap<DeviceId, usize>,
    epochs: Vec<EpochId>,
    lanes: Vec<EpochId>,
    told: BTreeMap<RecordId, BTreeSet<EpochId>>,
    roles: BTreeMap<DeviceId, Role>,
    state: Vec<u8>,
    authors: Vec<(DeviceId, Option<DeviceId>)>,
    /// What was read of the relay, if that is known.
    relay: Option<(u64, u64, Vec<RecordId>)>,
}

#[cfg(test)]
impl Device {
    /// Every record that is stored here.
    pub(crate) fn all_records(&self) -> impl Iterator<Item = (RecordId, &[u8])> {
        self.records.iter().map(|(id, record)| (*id, &record[..]))
    }

    /// Compared with that of another one. `knows_places`: whether all that it has read of the relay is known.
    pub(crate) fn image(&self, knows_places: bool) -> Image {
        let entries = self.state.entries();
        let relay = || {
            let read = self.records.keys().filter(|id| self.relay.has(**id));
            (
                self.relay.next(),
                self.relay.heads(),
                read.copied().collect(),
            )
        };
        Image {
            records: self.records.keys().copied().collect(),
            heads: self.heads.valid().map(|(id, _)| id).collect(),
            chain: self.heads.chain().to_vec(),
            waiting: self.heads.waiting(),
            placed: self.logs.placed().map(|(id, _)| id).collect(),
            sealed: self.logs.sealed().map(|(id, _)| id).collect(),
            missing: self.missing(),
            counted: self.counted.clone(),
            idle: self.idle.clone(),
            epochs: self.epochs.keys().copied().collect(),
            lanes: self.lanes.keys().copied().collect(),
            told: self.told.clone(),
            roles: self.roles.clone(),
            state: self.state.to_bytes().unwrap(),
            authors: entries
                .map(|(_, _, one)| (one.author(), one.older_author()))
                .collect(),
            relay: knows_places.then(relay),
        }
    }
}
