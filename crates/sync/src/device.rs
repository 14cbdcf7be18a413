//! A device of an account: what it has read, what follows from it, and what it writes.
//!
//! The caller stores a device after each change, before it sends any of it. A device that is killed has then either written nothing, or
//! finds what it wrote.

pub mod joining;
pub mod stored;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::bytes::{AccountId, DeviceId, EpochId, Raw, RecordId};
use crate::change::{self, Change, MAX_CHANGES, Thing};
use crate::device_keys::{DeviceKeys, Mark};
use crate::epoch::{Epoch, Key};
use crate::error::SyncError;
use crate::fault::{Fault, Faults};
use crate::head::{Contents, Devices, Head, MAX_CUT, MAX_ENDS, Member, NewHead, Removed, Role};
use crate::heads::Heads;
use crate::left_out::left_out;
use crate::logs::{Logs, Opened, Placed};
use crate::mend;
use crate::operation::{MAX_SEEN, Operation, SealedOperation};
use crate::record::{self, Arrived, Kind};
use crate::relay_view::{Digest, Page, RelayView};
use crate::state::{Rank, State};
use keyhole_vault::random::Random;
use keyhole_vault::seal::format::MAX_NUMBER;

/// Most operations of a removed device that are stored and don't count.
const MAX_AFTER_REMOVAL: usize = 1_024;

/// Operations that are written again before they are put in their place. Together they fit in a device's room.
const WRITTEN_AT_ONCE: usize = 32;

/// What a device writes with.
struct Writing {
    head: RecordId,
    role: Role,
    epoch: EpochId,
    lane: Key,
}

/// What is the same in an operation that is written again.
fn text_of(placed: &Placed) -> (&[Change], u64, u64) {
    let operation = &placed.operation;
    (&operation.changes, operation.lamport, operation.at)
}

/// What became of changes that were to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The operations.
    pub ids: Vec<RecordId>,
    /// Changes that can't be written, by their place in the list, and why. The others are.
    pub refused: Vec<(usize, SyncError)>,
}

/// What a head passes on. `None` leaves a part as it is.
#[derive(Clone, Debug, Default)]
pub struct NewParts<'a> {
    /// What all devices share.
    pub shared: Option<&'a [u8]>,
    /// The account's keys as a sealed state.
    pub state: Option<Raw>,
    /// Whether all devices have said that they read heads whose state is sealed. Needed only to go over to them.
    pub may_seal: bool,
}

/// A change of the head: it needs the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadChange {
    /// Adds a device.
    Add(Member),
    /// Removes a device.
    Remove(DeviceId),
    /// Joins branches that the relay has kept apart, and passes on keys that other devices lack, as every head does. Changes nothing else
    /// but the parts that it is given.
    Join,
}

/// A device of an account.
#[derive(Clone, Debug)]
pub struct Device {
    keys: DeviceKeys,
    account: AccountId,
    heads: Heads,
    logs: Logs,
    /// The keys of epochs; and of this device's lane, in epochs whose key it does not have.
    epochs: BTreeMap<EpochId, Key>,
    lanes: BTreeMap<EpochId, Key>,
    /// The epochs whose keys each head contains.
    told: BTreeMap<RecordId, BTreeSet<EpochId>>,
    records: BTreeMap<RecordId, Arc<[u8]>>,
    counted: BTreeSet<RecordId>,
    /// How many operations of each device are in their place and don't count.
    idle: BTreeMap<DeviceId, usize>,
    named: BTreeSet<RecordId>,
    state: State,
    /// The roles that the state was made with.
    roles: BTreeMap<DeviceId, Role>,
    lamport: u64,
    /// Whether there was no room for a record.
    passed_over: bool,
    /// How much was in its place when the relay's list was last read again.
    progress: usize,
    /// What was read of the relay's list.
    pub relay: RelayView,
    faults: Faults,
}

impl Device {
    /// The first device of an account that had none.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn found(
        keys: DeviceKeys,
        account: AccountId,
        parts: (&[u8], Raw),
        random: &mut dyn Random,
    ) -> Result<Self, SyncError> {
        Self::found_as(true, keys, account, parts, random)
    }

    /// `is_sealed`: whether the head hides the state, which those of version 1 didn't.
    pub(crate) fn found_as(
        is_sealed: bool,
        keys: DeviceKeys,
        account: AccountId,
        (shared, state): (&[u8], Raw),
        random: &mut dyn Random,
    ) -> Result<Self, SyncError> {
        let epoch = Epoch::make(random)?;
        let member = Member {
            id: keys.id(),
            sealing: keys.sealing(),
            role: Role::Full,
        };
        let head = NewHead {
            account,
            prev: None,
            devices: Devices {
                members: alloc::vec![member],
                removed: Vec::new(),
            },
            joined: Vec::new(),
            epoch: &epoch,
            contents: &Contents {
                epochs: alloc::vec![epoch.clone()],
                shared: Zeroizing::new(shared.to_vec()),
            },
            state,
            root: is_sealed.then_some(&epoch),
        };
        let record = head.seal(&keys, random)?;
        let mut device = Self::joining(keys, account, record::id_of(&record));
        device.receive(&record)?;
        device.settle()?;
        Ok(device)
    }

    /// A device that another one adds. The account and its first head come from pairing, never from a relay.
    pub fn joining(keys: DeviceKeys, account: AccountId, root: RecordId) -> Self {
        Self {
            keys,
            account,
            heads: Heads::new(root),
            logs: Logs::default(),
            epochs: BTreeMap::new(),
            lanes: BTreeMap::new(),
            told: BTreeMap::new(),
            records: BTreeMap::new(),
            counted: BTreeSet::new(),
            idle: BTreeMap::new(),
            named: BTreeSet::new(),
            state: State::default(),
            roles: BTreeMap::new(),
            lamport: 0,
            passed_over: false,
            progress: 0,
            relay: RelayView::default(),
            faults: Faults::default(),
        }
    }

    /// Its id.
    pub fn id(&self) -> DeviceId {
        self.keys.id()
    }

    /// The account's pseudonym.
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// A record that is stored here.
    pub fn record(&self, id: RecordId) -> Option<&[u8]> {
        self.records.get(&id).map(|record| &record[..])
    }

    /// The heads that it has read.
    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    /// The logs that it has read.
    pub fn logs(&self) -> &Logs {
        &self.logs
    }

    /// The account's state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The operations that count.
    pub fn counted(&self) -> &BTreeSet<RecordId> {
        &self.counted
    }

    /// Current and removed devices, as of the last head.
    pub fn devices(&self) -> Option<&Devices> {
        self.heads.tip().map(|(_, tip)| &tip.devices)
    }

    /// Its own and others' records that the relay lacks, each after those that it names. Send them in this order, and stop at the first one
    /// that the relay refuses: an operation that got out alone is lost if this device's storage is lost before the rest is sent. For the
    /// same reason, propose a head only when all of these were sent.
    pub fn to_send(&self) -> Vec<(RecordId, Arc<[u8]>)> {
        let mut to_send: Vec<(RecordId, Arc<[u8]>)> = Vec::new();
        let mut visited = BTreeSet::new();
        for root in self.records.keys() {
            let mut open = alloc::vec![(*root, false)];
            while let Some((id, is_ready)) = open.pop() {
                let missing = self.records.get(&id).filter(|_| !self.relay.has(id));
                let (Some(record), Some(names)) = (missing, self.names(id)) else {
                    continue;
                };
                if is_ready {
                    to_send.push((id, record.clone()));
                } else if visited.insert(id) {
                    open.push((id, true));
                    open.extend(names.into_iter().map(|name| (name, false)));
                }
            }
        }
        // What only others can open is passed on too: this may be the last copy.
        let sealed = self.logs.sealed();
        let of_devices = sealed.filter(|(_, sealed)| self.heads.knows(sealed.author));
        let missing = of_devices.filter(|(id, _)| !self.relay.has(*id));
        to_send.extend(missing.filter_map(|(id, _)| Some((id, self.records.get(&id)?.clone()))));
        to_send
    }

    /// The records that a record names; `None` if it is not in its place.
    fn names(&self, id: RecordId) -> Option<Vec<RecordId>> {
        let head = self.heads.get(id).map(|head| head.names());
        let names = head.or_else(|| Some(self.logs.get(id)?.operation.names()))?;
        let is_sent_by_id = self.faults.has(Fault::SentById);
        Some(if is_sent_by_id { Vec::new() } else { names })
    }

    /// What all devices share, from the last head.
    pub fn shared(&self) -> Option<Zeroizing<Vec<u8>>> {
        let (_, tip) = self.heads.tip()?;
        self.contents_of(tip).map(|contents| contents.shared)
    }

    /// The account's keys, from the last head.
    pub fn sealed_state(&self) -> Option<Zeroizing<Vec<u8>>> {
        let (_, tip) = self.heads.tip()?;
        self.state_of(tip)
    }

    /// The account's keys, from a head.
    pub(crate) fn state_of(&self, head: &Head) -> Option<Zeroizing<Vec<u8>>> {
        head.state(self.state_epoch(head.epoch).as_ref())
    }

    /// The epoch that states are sealed under: the first head's. All branches have that head, and each head passes its epoch on to all
    /// full devices.
    fn state_epoch(&self, own: EpochId) -> Option<Epoch> {
        let root = self.heads.get(self.heads.root())?;
        let is_own = self.faults.has(Fault::StateOwnEpoch);
        let key = self.epochs.get(if is_own { &own } else { &root.epoch })?;
        Some(Epoch(key.clone()))
    }

    fn contents_of(&self, head: &Head) -> Option<Contents> {
        let key = self.epochs.get(&head.epoch)?;
        head.contents(&Epoch(key.clone()))
    }

    /// Adds a record, in any order. Call [`Device::settle`] afterwards. `false` if it was here already.
    ///
    /// # Errors
    /// As [`SyncError`] says. The record is not stored then.
    pub fn receive(&mut self, record: &[u8]) -> Result<bool, SyncError> {
        self.take_in(Arrived::of(record), &BTreeSet::new())
    }

    /// `marks`: of records whose signature was checked before.
    fn take_in(
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

    /// Takes in a page of the relay's list from [`RelayView::next`] on. `before` is the relay's digest of all records before it; `None` if
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

    /// Writes a change to this device's log. Store the device before you send it.
    ///
    /// # Errors
    /// As [`SyncError`] says. Nothing is changed then.
    pub fn write(
        &mut self,
        change: Change,
        now: u64,
        random: &mut dyn Random,
    ) -> Result<RecordId, SyncError> {
        let written = self.write_all(alloc::vec![change], now, random)?;
        match (written.ids.first(), written.refused.into_iter().next()) {
            (Some(id), _) => Ok(*id),
            (None, Some((_, error))) => Err(error),
            (None, None) => Err(SyncError::RecordMalformed),
        }
    }

    /// Writes changes to this device's log, in order, and as many in one operation as fit. Store the device before you send any of it.
    ///
    /// # Errors
    /// As [`SyncError`] says, if none of them can be written now. If randomness fails, some may have been.
    pub fn write_all(
        &mut self,
        changes: Vec<Change>,
        now: u64,
        random: &mut dyn Random,
    ) -> Result<Written, SyncError> {
        let is_limited = self.writing()?.role == Role::Limited;
        let mut written = Written::default();
        let mut valid = Vec::new();
        for (at, change) in changes.into_iter().enumerate() {
            if !change.is_valid() {
                written.refused.push((at, SyncError::RecordMalformed));
            } else if is_limited && !change.thing.is_for_limited() {
                written.refused.push((at, SyncError::Limited));
            } else {
                valid.push((at, change));
            }
        }
        let most = if is_limited { 1 } else { MAX_CHANGES };
        for changes in change::in_operations(valid, most) {
            let (places, changes): (Vec<_>, _) = changes.into_values().unzip();
            match self.write_operation(changes, now, random) {
                Ok(id) => written.ids.push(id),
                // One change that is longer than a record: shorter ones are put together only as far as they fit.
                Err(error @ SyncError::TooMany) => {
                    let refused = places.into_iter().map(|at| (at, error.clone()));
                    written.refused.extend(refused);
                }
                Err(error) => return Err(error),
            }
        }
        written.refused.sort_by_key(|(at, _)| *at);
        Ok(written)
    }

    fn write_operation(
        &mut self,
        changes: Vec<Change>,
        now: u64,
        random: &mut dyn Random,
    ) -> Result<RecordId, SyncError> {
        let this = self.keys.id();
        let writing = self.writing()?;
        let left_out = self.left_out().into_iter().map(|(id, _)| id).collect();
        let prev = self.logs.longest_ends_without(this, &left_out, MAX_ENDS);
        let before = prev.iter().filter_map(|id| self.logs.get(*id));
        let lamport = before.fold(self.lamport, |lamport, placed| {
            lamport.max(placed.operation.lamport)
        });
        let tip = self.heads.get(writing.head).ok_or(SyncError::NotMember)?;
        let members = tip
            .devices
            .members
            .iter()
            .filter(|member| member.id != this);
        let mut seen: Vec<_> = members
            .flat_map(|member| self.logs.ends(member.id))
            .collect();
        seen.retain(|id| !self.named.contains(id));
        seen.sort();
        seen.truncate(MAX_SEEN);
        let operation = Operation {
            seq: self.next_seq(&prev)?,
            prev,
            seen,
            head: writing.head,
            // A device that wrote the highest number must not stop the others from writing.
            lamport: (lamport + 1).min(MAX_NUMBER),
            at: now,
            changes,
        };
        let epoch = (writing.epoch, &writing.lane);
        let record = operation.seal(self.account, epoch, &self.keys, random)?;
        self.named.extend(&operation.seen);
        self.receive(&record)?;
        self.settle()?;
        for change in &operation.changes {
            self.state.forget_own(change);
        }
        Ok(record::id_of(&record))
    }

    /// What was written since this was last called; `None`: anything. What this device wrote itself is left out while it holds.
    pub fn take_changed(&mut self) -> Option<BTreeSet<(Thing, String)>> {
        self.state.take_changed()
    }

    /// How many changes of its own the relay was not seen to have.
    pub fn unsent(&self) -> usize {
        let this = self.keys.id();
        let placed = self.logs.placed();
        let own = placed.filter(|(id, placed)| placed.author == this && !self.relay.has(*id));
        own.map(|(_, placed)| placed.operation.changes.len()).sum()
    }

    /// What this device writes with.
    ///
    /// # Errors
    /// [`SyncError`], if it may not write now.
    fn writing(&self) -> Result<Writing, SyncError> {
        let this = self.keys.id();
        let (head, tip) = self.heads.tip().ok_or(SyncError::NotMember)?;
        let member = tip.devices.member(this).ok_or(SyncError::NotMember)?;
        // A device that was removed by a head beside the chain must not be able to read this.
        let mut beside = self.heads.to_join().into_iter();
        let is_removed = |head: &Head| {
            let mut removed = head.devices.removed.iter();
            removed.any(|removed| tip.devices.member(removed.id).is_some())
        };
        if beside.any(|(_, head)| is_removed(head)) {
            return Err(SyncError::HeadsDiffer);
        }
        let lane = match self.epochs.get(&tip.epoch) {
            Some(key) => Epoch(key.clone()).lane(this)?,
            None => self
                .lanes
                .get(&tip.epoch)
                .ok_or(SyncError::NoEpochKey)?
                .clone(),
        };
        Ok(Writing {
            head,
            role: member.role,
            epoch: tip.epoch,
            lane,
        })
    }

    fn next_seq(&self, prev: &[RecordId]) -> Result<u64, SyncError> {
        let before = prev.iter().filter_map(|id| self.logs.get(*id));
        let seq = before.map(|placed| placed.operation.seq).max().unwrap_or(0);
        if seq >= MAX_NUMBER {
            return Err(SyncError::TooMany);
        }
        Ok(seq + 1)
    }

    /// What this device wrote on a branch that was left out, if it is a limited one. Full devices pass on their keys instead.
    fn left_out(&self) -> Vec<(RecordId, Arc<Placed>)> {
        let role = self
            .devices()
            .and_then(|devices| devices.member(self.keys.id()));
        match role.map(|member| member.role) {
            Some(Role::Limited) if !self.faults.has(Fault::NotWrittenAgain) => {
                left_out(&self.heads, &self.logs, self.keys.id())
            }
            _ => Vec::new(),
        }
    }

    /// Whether this device has to write operations again: see [`Device::write_again`].
    pub fn has_to_write_again(&self) -> bool {
        !self.to_write_again().is_empty()
    }

    /// What was left out, and is not in the rest of this device's log as well.
    fn to_write_again(&self) -> Vec<(RecordId, Arc<Placed>)> {
        let mut left_out = self.left_out();
        if left_out.is_empty() {
            return left_out;
        }
        let ids: BTreeSet<_> = left_out.iter().map(|(id, _)| *id).collect();
        let own = self
            .logs
            .placed()
            .filter(|(id, placed)| placed.author == self.keys.id() && !ids.contains(id));
        let mut written: BTreeSet<_> = own.map(|(_, placed)| text_of(placed)).collect();
        // An operation that was left out twice is written once.
        let placed = left_out.iter().map(|(_, placed)| placed.clone());
        let placed: Vec<_> = placed.collect();
        let mut is_new = placed.iter().map(|placed| written.insert(text_of(placed)));
        left_out.retain(|_| is_new.next() == Some(true));
        left_out
    }

    /// Writes again, under the last head's epoch, what this limited device wrote on a branch that was left out: perhaps only a removed
    /// device has the key of that branch's epoch. Call it after reading, and store the device before you send. Gives the ids of the old
    /// and the new operations.
    ///
    /// # Errors
    /// As [`SyncError`] says. What was written until then stays; call it again later.
    pub fn write_again(
        &mut self,
        random: &mut dyn Random,
    ) -> Result<Vec<(RecordId, RecordId)>, SyncError> {
        let to_write = self.to_write_again();
        if to_write.is_empty() {
            return Ok(Vec::new());
        }
        let writing = self.writing()?;
        let left_out = self.left_out().into_iter().map(|(id, _)| id).collect();
        let this = self.keys.id();
        let mut prev = self.logs.longest_ends_without(this, &left_out, MAX_ENDS);
        let mut written = Vec::new();
        for part in to_write.chunks(WRITTEN_AT_ONCE) {
            let first = self.next_seq(&prev)?;
            for (seq, (old, placed)) in (first..).zip(part) {
                let operation = Operation {
                    seq,
                    prev,
                    head: writing.head,
                    ..placed.operation.clone()
                };
                let epoch = (writing.epoch, &writing.lane);
                let record = operation.seal(self.account, epoch, &self.keys, random)?;
                self.receive(&record)?;
                let id = record::id_of(&record);
                written.push((*old, id));
                prev = alloc::vec![id];
            }
            self.settle()?;
        }
        Ok(written)
    }

    /// Makes the head that follows the last one. Nothing changes until it comes back from the relay.
    /// `parts`: what all devices share, and the account's keys as a sealed state. `None` leaves a part as it is. The state is sealed if
    /// that of the last head is.
    ///
    /// # Errors
    /// As [`SyncError`] says.
    pub fn propose(
        &self,
        change: HeadChange,
        (shared, state): (Option<&[u8]>, Option<Raw>),
        random: &mut dyn Random,
    ) -> Result<Vec<u8>, SyncError> {
        let parts = NewParts {
            shared,
            state,
            may_seal: false,
        };
        self.propose_all(&[change], parts, &BTreeSet::new(), random)
    }

    /// As [`Device::propose`], with several changes in one head: all of them, or none. It can go over to sealing the state.
    /// `unread`: heads whose parts could not be read, and so are not in `parts`. They are joined by a device that can read them.
    ///
    /// # Errors
    /// As [`SyncError`] says.
    pub fn propose_all(
        &self,
        changes: &[HeadChange],
        parts: NewParts<'_>,
        unread: &BTreeSet<RecordId>,
        random: &mut dyn Random,
    ) -> Result<Vec<u8>, SyncError> {
        let this = self.keys.id();
        let (tip_id, tip) = self.heads.tip().ok_or(SyncError::NotMember)?;
        if !tip.devices.is_full(this) {
            return Err(SyncError::NotMember);
        }
        let (mut devices, joined) = mend::joined_devices(&self.heads, this, unread)?;
        for change in changes {
            match *change {
                HeadChange::Add(member) => {
                    if devices.role(member.id).is_some() {
                        return Err(SyncError::DeviceKnown);
                    }
                    devices.members.push(member);
                }
                HeadChange::Remove(id) => {
                    let member = devices.member(id).ok_or(SyncError::DeviceUnknown)?;
                    if id == this {
                        return Err(SyncError::OtherDeviceMustJoin);
                    }
                    let removed = Removed {
                        id,
                        role: member.role,
                        cut: self.logs.longest_ends(id, MAX_CUT),
                    };
                    mend::remove(&mut devices, removed);
                }
                HeadChange::Join => {}
            }
        }
        self.keep_unread(unread, &tip.devices, &mut devices);
        let known = self.epochs.get(&tip.epoch).ok_or(SyncError::NoEpochKey)?;
        let is_same = devices.removed == tip.devices.removed || self.faults.has(Fault::SameEpoch);
        let epoch = if is_same && joined.is_empty() {
            Epoch(known.clone())
        } else {
            Epoch::make(random)?
        };
        let contents = self.contents_of(tip).ok_or(SyncError::NoEpochKey)?;
        let mut used = self.used_epochs();
        used.remove(&epoch.id()?);
        let used = used.iter().filter_map(|id| self.epochs.get(id));
        let mut epochs: Vec<_> = used.map(|key| Epoch(key.clone())).collect();
        epochs.push(epoch.clone());
        let shared = parts.shared.map(|shared| Zeroizing::new(shared.to_vec()));
        let state = match parts.state {
            Some(state) => Some(state),
            None => self.state_of(tip).map(|state| Raw(state.to_vec())),
        };
        let mut root = None;
        if tip.is_sealed() || parts.may_seal {
            let first = self.state_epoch(tip.epoch).ok_or(SyncError::NoEpochKey)?;
            let is_own = self.faults.has(Fault::StateOwnEpoch);
            root = Some(if is_own { epoch.clone() } else { first });
        }
        let head = NewHead {
            account: self.account,
            prev: Some((tip_id, tip)),
            devices,
            joined,
            epoch: &epoch,
            contents: &Contents {
                epochs,
                shared: shared.unwrap_or(contents.shared),
            },
            state: state.ok_or(SyncError::NoEpochKey)?,
            root: root.as_ref(),
        };
        head.seal(&self.keys, random)
    }

    #[cfg(test)]
    pub(crate) fn put_in(&mut self, fault: Fault) {
        let faults = Faults {
            put_in: Some(fault),
        };
        self.faults = faults;
        self.heads.faults = faults;
        self.logs.faults = faults;
        self.state.faults = faults;
        self.relay.faults = faults;
    }

    /// Whether it has a record.
    #[cfg(test)]
    pub(crate) fn has(&self, id: RecordId) -> bool {
        self.records.contains_key(&id)
    }

    /// Whether a record is in its place here.
    #[cfg(test)]
    pub(crate) fn reads(&self, id: RecordId) -> bool {
        self.names(id).is_some()
    }

    /// Whether it has a key that an operation opens with.
    #[cfg(test)]
    pub(crate) fn opens(&self, id: RecordId) -> bool {
        let Some(record) = self.records.get(&id) else {
            return false;
        };
        let Ok(sealed) = record::parts(record).and_then(|parts| SealedOperation::read(&parts))
        else {
            return false;
        };
        let epochs = self.epochs.values().cloned();
        let mut lanes = epochs
            .filter_map(|key| Epoch(key).lane(sealed.author).ok())
            .chain(self.lanes.values().cloned());
        lanes.any(|lane| sealed.open(&lane).is_some())
    }

    /// An operation that this device may not write, as an attacker's program would write it.
    #[cfg(test)]
    pub(crate) fn forge(&self, changes: Vec<Change>, random: &mut dyn Random) -> Option<Vec<u8>> {
        let this = self.keys.id();
        let (head, tip) = self.heads.tip()?;
        let epochs = self.epochs.iter().filter_map(|(id, key)| {
            let lane = Epoch(key.clone()).lane(this).ok()?;
            Some((*id, lane))
        });
        let lanes = self.lanes.iter().map(|(id, key)| (*id, key.clone()));
        let mut all: Vec<_> = epochs.chain(lanes).collect();
        let newest = all.iter().position(|(id, _)| *id == tip.epoch);
        let (epoch, lane) = all.swap_remove(newest.unwrap_or(0).min(all.len().checked_sub(1)?));
        let prev = self.logs.ends(this);
        let before = prev.iter().filter_map(|id| self.logs.get(*id));
        let seq = before.map(|placed| placed.operation.seq).max().unwrap_or(0) + 1;
        let operation = Operation {
            seq,
            prev,
            seen: Vec::new(),
            head,
            lamport: self.lamport + 1_000,
            at: 0,
            changes,
        };
        operation
            .seal(self.account, (epoch, &lane), &self.keys, random)
            .ok()
    }

    /// A head in which this device is a full one.
    #[cfg(test)]
    pub(crate) fn forge_head(&self, random: &mut dyn Random) -> Option<Vec<u8>> {
        let (tip_id, tip) = self.heads.tip()?;
        let this = self.keys.id();
        let mut devices = tip.devices.clone();
        devices.removed.retain(|removed| removed.id != this);
        devices.members.retain(|member| member.id != this);
        devices.members.push(Member {
            id: this,
            sealing: self.keys.sealing(),
            role: Role::Full,
        });
        let epoch = Epoch::make(random).ok()?;
        let head = NewHead {
            account: self.account,
            prev: Some((tip_id, tip)),
            devices,
            joined: Vec::new(),
            epoch: &epoch,
            contents: &Contents {
                epochs: alloc::vec![epoch.clone()],
                shared: Zeroizing::new(Vec::new()),
            },
            state: Raw(Vec::new()),
            root: tip.is_sealed().then_some(&epoch),
        };
        head.seal(&self.keys, random).ok()
    }
}

#[cfg(test)]
#[path = "device_test.rs"]
mod tests;

#[cfg(test)]
#[path = "hostile_test.rs"]
mod hostile_tests;

#[cfg(test)]
#[path = "sealed_state_test.rs"]
mod sealed_state_tests;

#[cfg(test)]
#[path = "stored_test.rs"]
mod stored_tests;
