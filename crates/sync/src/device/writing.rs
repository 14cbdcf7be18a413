//! Writing changes to a device's own log, and once more what was left out with a branch.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bytes::{EpochId, RecordId};
use crate::change::{self, Change, MAX_CHANGES, Thing};
use crate::device::Device;
use crate::epoch::{Epoch, Key};
use crate::error::SyncError;
use crate::fault::Fault;
use crate::head::{Head, MAX_ENDS, Role};
use crate::left_out::left_out;
use crate::logs::Placed;
use crate::operation::{MAX_SEEN, Operation};
use crate::record;
use keyhole_vault::random::Random;
use keyhole_vault::seal::format::MAX_NUMBER;

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

impl Device {
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
}
