//! Taking in records, in any order, and what follows from all that were read.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::bytes::{AccountId, DeviceId, RecordId};
use crate::change::Change;
use crate::device::Device;
use crate::device_keys::Mark;
use crate::epoch::Epoch;
use crate::error::SyncError;
use crate::fault::Fault;
use crate::head::{Head, Role};
use crate::logs::Opened;
use crate::operation::SealedOperation;
use crate::record::{self, Arrived, Kind};
use crate::relay_view::{Digest, Page};
use crate::state::{Rank, State};

/// Most operations of a removed device that are stored and don't count.
pub(super) const MAX_AFTER_REMOVAL: usize = 1_024;

impl Device {
    /// Adds a record, in any order. Call [`Device::settle`] afterwards. `false` if it was here already.
    ///
    /// # Errors
    /// As [`SyncError`] says. The record is not stored then.
    pub fn receive(&mut self, record: &[u8]) -> Result<bool, SyncError> {
        self.take_in(Arrived::of(record), &BTreeSet::new())
    }

    /// `marks`: of records whose signature was checked before.
    pub(super) fn take_in(
        &mut self,
        Arrived { id, bytes: record }: Arrived<'_>,
        marks: &BTreeSet<Mark>,
    ) -> Result<bool, SyncError> {
        if self.records.contains_key(&id) {
            return Ok(false);
        }
        let parts = record::parts(record)?;
        let is_checked = !marks.is_empty() && marks.contains(&self.mark(id)?);
        let check = |author| match is_checked {
            true => Ok(()),
            false => parts.check(author),
        };
        let taken = match parts.kind {
            Kind::Head => {
                let head = Head::read(&parts)?;
                check(head.author)?;
                self.check_account(head.account)?;
                self.heads.insert(id, head, record.len())
            }
            Kind::Operation => {
                let sealed = SealedOperation::read(&parts)?;
                check(sealed.author)?;
                self.check_account(sealed.account)?;
                self.insert_operation(id, (sealed, record.len()))
            }
        };
        let dropped = taken.inspect_err(|_| self.passed_over = true)?;
        self.records.insert(id, record.into());
        for id in &dropped {
            self.records.remove(id);
        }
        let is_dropped = dropped.contains(&id);
        (!is_dropped).then_some(true).ok_or(SyncError::NotAllowed)
    }

    fn insert_operation(
        &mut self,
        id: RecordId,
        sealed: (SealedOperation, usize),
    ) -> Result<Vec<RecordId>, SyncError> {
        let author = sealed.0.author;
        let devices = self.heads.tip().map(|(_, tip)| &tip.devices);
        let is_member = |id| devices.is_some_and(|devices| devices.member(id).is_some());
        if devices.is_some_and(|devices| devices.removed(author).is_some()) {
            let idle = self.idle.get(&author);
            if idle.is_some_and(|idle| *idle >= MAX_AFTER_REMOVAL) {
                return Err(SyncError::TooManyWaiting);
            }
        }
        self.logs.insert(id, sealed, is_member)?;
        Ok(Vec::new())
    }

    /// Takes in a page of the relay's list from [`RelayView::next`](crate::relay_view::RelayView::next) on. `before` is the relay's digest of all records before it; `None` if
    /// it has fewer. An empty page ends the reading, unless the answer is [`Page::Again`].
    ///
    /// # Errors
    /// Never in practice.
    pub fn take_page(
        &mut self,
        before: Option<Digest>,
        records: &[Arrived<'_>],
    ) -> Result<Page, SyncError> {
        let page = self.relay.take(before, records);
        if !matches!(page, Page::GoesOn(count) if count == records.len()) {
            return Ok(page);
        }
        for record in records {
            // What is refused changes nothing here, and does not stop the rest.
            let _: Result<bool, SyncError> = self.take_in(*record, &BTreeSet::new());
            if self.records.contains_key(&record.id) {
                self.relay.insert(record.id);
            }
        }
        self.settle()?;
        let progress = self.heads.valid().count() + self.logs.placed().count();
        if records.is_empty() && self.passed_over && progress > self.progress {
            self.progress = progress;
            self.passed_over = false;
            self.relay.start_over();
            return Ok(Page::Again);
        }
        Ok(page)
    }

    /// Records that others name and that are not here: the relay withholds them.
    pub fn missing(&self) -> BTreeSet<RecordId> {
        let mut missing = self.logs.missing();
        let removed = self.devices().into_iter().flat_map(|all| &all.removed);
        let cuts = removed.flat_map(|removed| &removed.cut);
        let is_here = |id: RecordId| self.logs.has(id) || self.heads.get(id).is_some();
        missing.extend(cuts.filter(|id| !is_here(**id)));
        missing
    }

    fn check_account(&self, account: AccountId) -> Result<(), SyncError> {
        let is_ours = account == self.account;
        is_ours.then_some(()).ok_or(SyncError::OtherAccount)
    }

    /// Opens what was received, and updates the state.
    ///
    /// # Errors
    /// Never in practice.
    pub fn settle(&mut self) -> Result<(), SyncError> {
        self.learn_keys()?;
        let (heads, epochs, lanes, this) = (&self.heads, &self.epochs, &self.lanes, self.keys.id());
        let dropped = self.logs.settle(|sealed| {
            if !heads.knows(sealed.author) {
                return Opened::NotYet;
            }
            let epoch = epochs.get(&sealed.epoch);
            if let Some(lane) = epoch.and_then(|key| Epoch(key.clone()).lane(sealed.author).ok()) {
                let operation = sealed.open(&lane);
                return operation.map_or(Opened::Never, Opened::Operation);
            }
            let lane = lanes.get(&sealed.epoch).filter(|_| sealed.author == this);
            let operation = lane.and_then(|lane| sealed.open(lane));
            operation.map_or(Opened::NotYet, Opened::Operation)
        });
        for id in dropped {
            self.records.remove(&id);
        }
        let counted = self.find_counted();
        let roles = self.roles();
        let mut old = self.roles.iter();
        let is_same = old.all(|(id, role)| roles.get(id) == Some(role));
        self.roles = roles;
        if !is_same || !counted.is_superset(&self.counted) {
            self.counted.clear();
            self.state = State::default();
            self.state.faults = self.faults;
        }
        for id in counted.difference(&self.counted) {
            if let Some(placed) = self.logs.get(*id) {
                let rank = Rank {
                    is_full: self.roles.get(&placed.author) == Some(&Role::Full),
                    lamport: placed.operation.lamport,
                    author: placed.author,
                    id: *id,
                };
                for change in &placed.operation.changes {
                    self.state.merge(rank, change);
                }
                if rank.is_full {
                    self.lamport = self.lamport.max(rank.lamport);
                }
            }
        }
        self.counted = counted;
        self.idle.clear();
        if self.devices().is_some_and(|all| !all.removed.is_empty()) {
            for (id, placed) in self.logs.placed() {
                if !self.counted.contains(&id) {
                    *self.idle.entry(placed.author).or_default() += 1;
                }
            }
        }
        Ok(())
    }

    /// The roles of current and removed devices.
    fn roles(&self) -> BTreeMap<DeviceId, Role> {
        let devices = self.devices().into_iter();
        let all = devices.flat_map(|all| {
            let members = all.members.iter().map(|one| (one.id, one.role));
            members.chain(all.removed.iter().map(|one| (one.id, one.role)))
        });
        all.collect()
    }

    /// Opens the keys that heads contain for this device.
    fn learn_keys(&mut self) -> Result<(), SyncError> {
        let heads = self.heads.valid();
        let unread: Vec<_> = heads
            .filter(|(id, _)| !self.told.contains_key(id))
            .map(|(id, head)| (id, head.clone()))
            .collect();
        for (id, head) in unread {
            let Some(key) = head.key_for(&self.keys) else {
                continue;
            };
            let mut told = BTreeSet::from([head.epoch]);
            match head.devices.role(self.keys.id()) {
                Some(Role::Full) => {
                    let epoch = Epoch(key);
                    if epoch.id()? != head.epoch {
                        continue;
                    }
                    let contents = head.contents(&epoch);
                    self.epochs.insert(head.epoch, epoch.0);
                    for epoch in contents.into_iter().flat_map(|contents| contents.epochs) {
                        let id = epoch.id()?;
                        told.insert(id);
                        self.epochs.insert(id, epoch.0);
                    }
                }
                _ => {
                    self.lanes.insert(head.epoch, key);
                }
            }
            self.told.insert(id, told);
        }
        Ok(())
    }

    /// Which operations count. It depends on which records were read, not on their order.
    fn find_counted(&self) -> BTreeSet<RecordId> {
        let Some(devices) = self.devices() else {
            return BTreeSet::new();
        };
        let removed = devices.removed.iter();
        let cuts: BTreeMap<DeviceId, BTreeSet<RecordId>> = removed
            .map(|removed| (removed.id, self.logs.up_to(&removed.cut)))
            .collect();
        let counts = |id: &RecordId, author: DeviceId, changes: &[Change]| {
            let is_in_time = cuts
                .get(&author)
                .is_none_or(|cut| cut.contains(id) || self.faults.has(Fault::NoCut));
            let may_write = match devices.role(author) {
                Some(Role::Full) => true,
                // One change each, so that what a limited device can make others store is as long as its records.
                Some(Role::Limited) => {
                    matches!(changes, [change] if change.thing.is_for_limited())
                        || self.faults.has(Fault::LimitedAsFull)
                }
                None => false,
            };
            is_in_time && may_write
        };
        let placed = self.logs.placed();
        let counted = placed
            .filter(|(id, placed)| counts(id, placed.author, &placed.operation.changes))
            .map(|(id, _)| id);
        counted.collect()
    }
}
