//! An account's state: the merge of all operations that count, in any order.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::{DeviceId, Raw, RecordId};
use crate::change::{Change, Thing};
use crate::error::SyncError;
use crate::fault::{Fault, Faults};
use crate::record;

/// Orders the operations that change one thing. A full device's wins over a limited one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// Whether a full device wrote it.
    pub is_full: bool,
    /// Its place in the order of all operations.
    pub lamport: u64,
    /// Its author.
    pub author: DeviceId,
    /// Itself.
    pub id: RecordId,
}

/// A value, and the operation that wrote it. `None` if it was deleted.
type Written = (Rank, Option<Raw>);

/// One thing of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    now: Written,
    older: Option<Written>,
}

impl Entry {
    /// Its value; `None` if it was deleted.
    pub fn value(&self) -> Option<&[u8]> {
        self.now.1.as_ref().map(|value| &value.0[..])
    }

    /// The device that wrote its value, or deleted it.
    pub fn author(&self) -> DeviceId {
        self.now.0.author
    }

    /// The device that wrote the last different value.
    pub fn older_author(&self) -> Option<DeviceId> {
        self.older.as_ref().map(|(rank, _)| rank.author)
    }

    /// The last different value, for when two devices have changed the same thing.
    pub fn older(&self) -> Option<&[u8]> {
        let (_, value) = self.older.as_ref()?;
        value.as_ref().map(|value| &value.0[..])
    }

    fn merge(&mut self, (rank, value): Written, faults: Faults) {
        if rank == self.now.0 || self.older.as_ref().is_some_and(|older| older.0 == rank) {
            return;
        }
        if rank > self.now.0 || faults.has(Fault::LastToArrive) {
            let before = core::mem::replace(&mut self.now, (rank, value));
            if before.1 != self.now.1 {
                self.older = Some(before);
            }
        } else if value != self.now.1 && self.older.as_ref().is_none_or(|older| rank > older.0) {
            self.older = Some((rank, value));
        }
    }
}

/// Most things that are named as changed. If there are more, all of them count as changed.
const MAX_CHANGED: usize = 4_096;

/// What was changed since someone asked.
#[derive(Clone, Debug)]
enum Changed {
    /// Anything may have been.
    All,
    /// These things.
    Only(BTreeSet<(Thing, String)>),
}

/// The things of an account.
#[derive(Clone, Debug)]
pub struct State {
    things: BTreeMap<(Thing, String), Entry>,
    changed: Changed,
    pub(crate) faults: Faults,
}

impl Default for State {
    fn default() -> Self {
        Self {
            things: BTreeMap::new(),
            changed: Changed::All,
            faults: Faults::default(),
        }
    }
}

impl State {
    /// Merges a change.
    pub fn merge(&mut self, rank: Rank, change: &Change) {
        let written = (rank, change.value.clone());
        let key = (change.thing, change.id.clone());
        self.note(&key);
        match self.things.get_mut(&key) {
            Some(entry) => entry.merge(written, self.faults),
            None => {
                let entry = Entry {
                    now: written,
                    older: None,
                };
                self.things.insert(key, entry);
            }
        }
    }

    fn note(&mut self, key: &(Thing, String)) {
        if let Changed::Only(changed) = &mut self.changed {
            changed.insert(key.clone());
            if changed.len() > MAX_CHANGED {
                self.changed = Changed::All;
            }
        }
    }

    /// What was written since this was last called; `None`: anything.
    pub fn take_changed(&mut self) -> Option<BTreeSet<(Thing, String)>> {
        match core::mem::replace(&mut self.changed, Changed::Only(BTreeSet::new())) {
            Changed::All => None,
            Changed::Only(changed) => Some(changed),
        }
    }

    /// A change that was made here holds, so no one needs to be told of it.
    pub(crate) fn forget_own(&mut self, change: &Change) {
        let key = (change.thing, change.id.clone());
        let holds = self
            .things
            .get(&key)
            .is_some_and(|entry| entry.now.1 == change.value);
        if let Changed::Only(changed) = &mut self.changed
            && holds
        {
            changed.remove(&key);
        }
    }

    /// One thing; `None` if it was never written.
    pub fn get(&self, thing: Thing, id: &str) -> Option<&Entry> {
        self.things.get(&(thing, String::from(id)))
    }

    /// Everything, always in the same order.
    pub fn entries(&self) -> impl Iterator<Item = (Thing, &str, &Entry)> {
        let all = self.things.iter();
        all.map(|((thing, id), entry)| (*thing, id.as_str(), entry))
    }

    /// Whether a token was revoked. It makes no difference which came first.
    pub fn is_revoked(&self, cid: &str) -> bool {
        self.get(Thing::Revocation, cid).is_some()
    }

    /// All of it as canonical bytes. Devices with the same operations have the same bytes.
    ///
    /// # Errors
    /// Never in practice.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SyncError> {
        let entries = self.things.iter().map(|((thing, id), entry)| {
            let older = entry.older.as_ref().map(|(_, value)| value);
            (thing, id, &entry.now.1, older)
        });
        record::encode(&entries.collect::<Vec<_>>())
    }
}
