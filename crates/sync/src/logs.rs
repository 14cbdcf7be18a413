//! The logs of all devices: operations that are still sealed, waiting, or in their place. A log that forked keeps all its branches.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::bytes::{DeviceId, EpochId, RecordId};
use crate::error::SyncError;
use crate::fault::{Fault, Faults};
use crate::operation::{Operation, SealedOperation};

/// Most operations in a room.
pub const MAX_WAITING: usize = 8_192;
/// How long they are together.
pub const MAX_WAITING_BYTES: usize = 32 * 1_024 * 1_024;

/// An operation in its place.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Whose log it is in.
    pub author: DeviceId,
    /// The epoch that it is sealed under.
    pub epoch: EpochId,
    /// What was sealed in it.
    pub operation: Operation,
}

/// What became of a sealed operation.
pub enum Opened {
    /// It was opened.
    Operation(Operation),
    /// Its key is not known yet.
    NotYet,
    /// Its key does not open it.
    Never,
}

/// An operation that can't be opened yet, or waits for others.
#[derive(Clone, Debug)]
struct Waiting<T> {
    /// Its place in the order in which they arrived.
    arrived: u64,
    length: usize,
    operation: T,
}

/// How much of an author waits.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    count: usize,
    bytes: usize,
}

fn leave(rooms: &mut BTreeMap<DeviceId, Room>, author: DeviceId, length: usize) {
    if let Some(room) = rooms.get_mut(&author) {
        room.count -= 1;
        room.bytes -= length;
        if room.count == 0 {
            rooms.remove(&author);
        }
    }
}

/// The operations that a device has read.
#[derive(Clone, Debug, Default)]
pub struct Logs {
    sealed: BTreeMap<RecordId, Waiting<SealedOperation>>,
    waiting: BTreeMap<RecordId, Waiting<Arc<Placed>>>,
    rooms: BTreeMap<DeviceId, Room>,
    arrived: u64,
    placed: BTreeMap<RecordId, Arc<Placed>>,
    ends: BTreeMap<DeviceId, BTreeSet<RecordId>>,
    /// How many operations in their place were looked at one by one.
    #[cfg(test)]
    pub(crate) steps: core::cell::Cell<usize>,
    pub(crate) faults: Faults,
}

impl Logs {
    /// Adds an operation that is still sealed. Each current device has its own room for operations that can't be opened yet or wait for
    /// others; everyone else shares one, so that no one can use up the room of a device.
    ///
    /// # Errors
    /// [`SyncError::TooManyWaiting`] if there is no room.
    pub fn insert(
        &mut self,
        id: RecordId,
        (sealed, length): (SealedOperation, usize),
        is_member: impl Fn(DeviceId) -> bool,
    ) -> Result<(), SyncError> {
        let author = sealed.author;
        let room = match is_member(author) {
            true => self.rooms.get(&author).copied().unwrap_or_default(),
            false => {
                let others = self.rooms.iter().filter(|(id, _)| !is_member(**id));
                others.fold(Room::default(), |sum, (_, room)| Room {
                    count: sum.count + room.count,
                    bytes: sum.bytes + room.bytes,
                })
            }
        };
        if room.count >= MAX_WAITING || room.bytes + length > MAX_WAITING_BYTES {
            return Err(SyncError::TooManyWaiting);
        }
        let room = self.rooms.entry(author).or_default();
        room.count += 1;
        room.bytes += length;
        self.arrived += 1;
        let sealed = Waiting {
            arrived: self.arrived,
            length,
            operation: sealed,
        };
        self.sealed.insert(id, sealed);
        Ok(())
    }

    /// Opens operations with `open`, and puts each in its place once everything before it is there. Gives those that never can be: they
    /// are dropped.
    pub fn settle(&mut self, mut open: impl FnMut(&SealedOperation) -> Opened) -> Vec<RecordId> {
        let mut dropped = Vec::new();
        let (waiting, rooms) = (&mut self.waiting, &mut self.rooms);
        self.sealed.retain(|id, sealed| {
            let SealedOperation { author, epoch, .. } = sealed.operation;
            match open(&sealed.operation) {
                Opened::NotYet => return true,
                Opened::Never => {
                    leave(rooms, author, sealed.length);
                    dropped.push(*id);
                }
                Opened::Operation(operation) => {
                    let operation = Arc::new(Placed {
                        author,
                        epoch,
                        operation,
                    });
                    let (arrived, length) = (sealed.arrived, sealed.length);
                    let placed = Waiting {
                        arrived,
                        length,
                        operation,
                    };
                    waiting.insert(*id, placed);
                }
            }
            false
        });
        // Whatever an operation follows has a lower number.
        let mut order: Vec<_> = self
            .waiting
            .iter()
            .map(|(id, waiting)| (waiting.operation.operation.seq, *id))
            .collect();
        order.sort_unstable();
        for (_, id) in order {
            let Some(found) = self.waiting.get(&id) else {
                continue;
            };
            let placed = found.operation.clone();
            let mut prev = placed.operation.prev.iter();
            if !prev.all(|prev| self.placed.contains_key(prev)) {
                continue;
            }
            leave(&mut self.rooms, placed.author, found.length);
            self.waiting.remove(&id);
            if self.is_in_place(&placed) {
                self.place(id, placed);
            } else {
                dropped.push(id);
            }
        }
        dropped
    }

    fn is_in_place(&self, placed: &Placed) -> bool {
        let prev = placed.operation.prev.iter();
        let mut prev = prev.map(|prev| self.placed.get(prev));
        let highest = prev.try_fold(0, |highest, prev| {
            let prev = prev.filter(|prev| prev.author == placed.author)?;
            Some(prev.operation.seq.max(highest))
        });
        highest.is_some_and(|highest: u64| placed.operation.seq == highest + 1)
    }

    fn place(&mut self, id: RecordId, placed: Arc<Placed>) {
        let is_fork = |other: &Arc<Placed>| {
            other.author == placed.author && other.operation.seq == placed.operation.seq
        };
        if self.faults.has(Fault::ForkDropped) && self.placed.values().any(is_fork) {
            return;
        }
        let ends = self.ends.entry(placed.author).or_default();
        for prev in &placed.operation.prev {
            ends.remove(prev);
        }
        ends.insert(id);
        self.placed.insert(id, placed);
    }

    /// The ends of a device's log.
    pub fn ends(&self, author: DeviceId) -> Vec<RecordId> {
        let ends = self.ends.get(&author).into_iter().flatten();
        ends.copied().collect()
    }

    /// At most this many ends of a device's log, those of its longest branches, sorted.
    pub fn longest_ends(&self, author: DeviceId, most: usize) -> Vec<RecordId> {
        self.longest(self.ends(author), most)
    }

    /// The same, as if these operations of the log were not there.
    pub fn longest_ends_without(
        &self,
        author: DeviceId,
        without: &BTreeSet<RecordId>,
        most: usize,
    ) -> Vec<RecordId> {
        if without.is_empty() {
            return self.longest_ends(author, most);
        }
        let log = self.placed().filter(|(_, placed)| placed.author == author);
        let log: Vec<_> = log.filter(|(id, _)| !without.contains(id)).collect();
        let followed = log.iter().flat_map(|(_, placed)| &placed.operation.prev);
        let followed: BTreeSet<_> = followed.collect();
        let ends = log.iter().map(|(id, _)| *id);
        self.longest(ends.filter(|id| !followed.contains(id)).collect(), most)
    }

    fn longest(&self, mut ends: Vec<RecordId>, most: usize) -> Vec<RecordId> {
        let seq = |id: &RecordId| self.placed.get(id).map(|placed| placed.operation.seq);
        ends.sort_by_key(|id| Reverse(seq(id)));
        ends.truncate(most);
        ends.sort();
        ends
    }

    /// Every operation in its place.
    pub fn placed(&self) -> impl Iterator<Item = (RecordId, &Arc<Placed>)> {
        self.placed.iter().map(|(id, placed)| {
            #[cfg(test)]
            self.steps.set(self.steps.get() + 1);
            (*id, placed)
        })
    }

    /// An operation in its place.
    pub fn get(&self, id: RecordId) -> Option<&Arc<Placed>> {
        self.placed.get(&id)
    }

    /// These operations and everything before them.
    pub fn up_to(&self, ends: &[RecordId]) -> BTreeSet<RecordId> {
        let mut open = ends.to_vec();
        let mut found = BTreeSet::new();
        while let Some(id) = open.pop() {
            if let Some(placed) = self.placed.get(&id)
                && found.insert(id)
            {
                open.extend(&placed.operation.prev);
            }
        }
        found
    }

    /// Operations that others name and that are not here: the relay withholds them.
    pub fn missing(&self) -> BTreeSet<RecordId> {
        let waiting = self.waiting.values().map(|waiting| &waiting.operation);
        let all = self.placed.values().chain(waiting);
        let named = all.flat_map(|placed| {
            let operation = &placed.operation;
            operation.prev.iter().chain(&operation.seen)
        });
        named.filter(|id| !self.has(**id)).copied().collect()
    }

    /// Whether an operation is here, in its place or not.
    pub fn has(&self, id: RecordId) -> bool {
        self.placed.contains_key(&id)
            || self.waiting.contains_key(&id)
            || self.sealed.contains_key(&id)
    }

    /// The operations that can't be opened yet, as they arrived.
    pub fn sealed(&self) -> impl Iterator<Item = (RecordId, &SealedOperation)> {
        let mut all: Vec<_> = self.sealed.iter().collect();
        all.sort_by_key(|(_, sealed)| sealed.arrived);
        all.into_iter().map(|(id, sealed)| (*id, &sealed.operation))
    }
}
