//! What a device has read of the relay's list of records, so that it notices when the relay forgets or replaces some.

use alloc::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

use crate::bytes::RecordId;
use crate::fault::{Fault, Faults};
use crate::record::{self, Arrived, Kind};

/// How a page of the relay's list fits what was read before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// It starts where the last one ended, and has so many records.
    GoesOn(usize),
    /// The relay forgot or replaced records. Read from the first place, and send it what it lacks.
    WentBack,
    /// There was no room for some records, and there may be now. Read from the first place.
    Again,
}

/// A digest of all records up to a place: zeros for none, then SHA-256 of the digest before and the record's id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// With one more record.
    #[must_use]
    pub fn and(self, id: RecordId) -> Self {
        Self(
            Sha256::new()
                .chain_update(self.0)
                .chain_update(id.0)
                .finalize()
                .into(),
        )
    }
}

/// The relay's list, as far as it was read.
#[derive(Clone, Debug, Default)]
pub struct RelayView {
    count: u64,
    digest: Digest,
    has: BTreeSet<RecordId>,
    heads: u64,
    went_back: u64,
    pub(crate) faults: Faults,
}

impl RelayView {
    /// The place to read from.
    pub fn next(&self) -> u64 {
        self.count + 1
    }

    /// Whether a digest is that of all records before [`RelayView::next`].
    pub(crate) fn is_at(&self, before: Digest) -> bool {
        before == self.digest
    }

    /// Counts the relay's answer from [`RelayView::next`] on. `before` is its digest of all records before; `None` if it has fewer.
    pub(crate) fn take(&mut self, before: Option<Digest>, records: &[Arrived<'_>]) -> Page {
        if !before.is_some_and(|before| self.is_at(before)) {
            if self.faults.has(Fault::RelayTrusted) {
                return Page::GoesOn(0);
            }
            self.went_back += 1;
            self.start_over();
            return Page::WentBack;
        }
        for record in records {
            self.count += 1;
            self.digest = self.digest.and(record.id);
            let kind = record::parts(record.bytes).map(|parts| parts.kind);
            self.heads += u64::from(kind == Ok(Kind::Head));
        }
        Page::GoesOn(records.len())
    }

    /// Reads from the first place again.
    pub(crate) fn start_over(&mut self) {
        *self = Self {
            went_back: self.went_back,
            faults: self.faults,
            ..Self::default()
        };
    }

    /// The relay has a record that is stored here.
    pub(crate) fn insert(&mut self, id: RecordId) {
        self.has.insert(id);
    }

    /// How many heads were read. The relay compares it when a head is appended.
    pub fn heads(&self) -> u64 {
        self.heads
    }

    /// Whether the relay has a record that is stored here.
    pub fn has(&self, id: RecordId) -> bool {
        self.has.contains(&id)
    }

    /// How often the relay has gone back.
    pub fn went_back(&self) -> u64 {
        self.went_back
    }
}
