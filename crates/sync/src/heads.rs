//! All heads of an account, and which of them is the last.
//!
//! At an honest relay they are one chain. A relay that shows devices different heads makes it a tree. Devices with the same heads all
//! continue on the same branch, and join the others into it. At a fork, a head that removes a device wins, then the one by the device that
//! was added earlier.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bytes::{DeviceId, RecordId};
use crate::error::SyncError;
use crate::fault::{Fault, Faults};
use crate::head::{Devices, Head};

/// Most heads that wait for the one before them, and how long they are together.
const MAX_WAITING: usize = 1_024;
const MAX_WAITING_BYTES: usize = 16 * 1_024 * 1_024;

/// The heads that a device has read.
#[derive(Clone, Debug)]
pub struct Heads {
    root: RecordId,
    valid: BTreeMap<RecordId, Arc<Head>>,
    children: BTreeMap<RecordId, Vec<RecordId>>,
    /// With their lengths.
    waiting: BTreeMap<RecordId, (usize, Arc<Head>)>,
    known: BTreeSet<DeviceId>,
    chain: Vec<RecordId>,
    pub(crate) faults: Faults,
}

impl Heads {
    /// None yet. The first one's id is known from pairing, never from a relay.
    pub fn new(root: RecordId) -> Self {
        Self {
            root,
            valid: BTreeMap::new(),
            children: BTreeMap::new(),
            waiting: BTreeMap::new(),
            known: BTreeSet::new(),
            chain: Vec::new(),
            faults: Faults::default(),
        }
    }

    /// Adds a head whose signature was checked, in any order. Gives the heads that may not follow the one before them: they are dropped.
    ///
    /// # Errors
    /// [`SyncError::TooManyWaiting`] if it would have to wait and there is no room.
    pub fn insert(
        &mut self,
        id: RecordId,
        head: Head,
        length: usize,
    ) -> Result<Vec<RecordId>, SyncError> {
        if self.valid.contains_key(&id) || self.waiting.contains_key(&id) {
            return Ok(Vec::new());
        }
        if head
            .prev
            .is_some_and(|prev| !self.valid.contains_key(&prev))
        {
            let bytes: usize = self.waiting.values().map(|(length, _)| length).sum();
            if self.waiting.len() >= MAX_WAITING || bytes + length > MAX_WAITING_BYTES {
                return Err(SyncError::TooManyWaiting);
            }
            self.waiting.insert(id, (length, Arc::new(head)));
            return Ok(Vec::new());
        }
        let mut dropped = Vec::new();
        let mut ready = alloc::vec![(id, Arc::new(head))];
        while let Some((id, head)) = ready.pop() {
            if !self.is_in_place(id, &head) {
                dropped.push(id);
                continue;
            }
            self.place(id, head);
            self.waiting.retain(|next, (_, head)| {
                let follows = head.prev == Some(id);
                if follows {
                    ready.push((*next, head.clone()));
                }
                !follows
            });
        }
        Ok(dropped)
    }

    fn is_in_place(&self, id: RecordId, head: &Head) -> bool {
        match head.prev {
            None => id == self.root,
            Some(prev) => {
                let prev = self.valid.get(&prev);
                prev.is_some_and(|prev| head.may_follow(prev, self.faults))
            }
        }
    }

    fn place(&mut self, id: RecordId, head: Arc<Head>) {
        let devices = &head.devices;
        self.known.extend(devices.members.iter().map(|one| one.id));
        self.known.extend(devices.removed.iter().map(|one| one.id));
        if let Some(prev) = head.prev {
            self.children.entry(prev).or_default().push(id);
        }
        let prev = head.prev;
        self.valid.insert(id, head);
        self.follow(prev);
    }

    /// Walks along the branch that goes on, from a head that has got a new child; from the first one for `None`.
    fn follow(&mut self, from: Option<RecordId>) {
        let mut at = match from {
            None => {
                self.chain.clear();
                Some(self.root)
            }
            Some(from) => match self.chain.iter().rposition(|id| *id == from) {
                None => return,
                Some(place) => {
                    self.chain.truncate(place + 1);
                    self.child(from)
                }
            },
        };
        while let Some(id) = at {
            self.chain.push(id);
            at = self.child(id);
        }
    }

    fn child(&self, id: RecordId) -> Option<RecordId> {
        let parent = self.valid.get(&id)?;
        let children = self.children.get(&id)?;
        if let [only] = &children[..] {
            return Some(*only);
        }
        let mut children = children.iter().copied();
        if self.faults.has(Fault::FirstHead) {
            return children.next();
        }
        children.min_by_key(|child| {
            let head = self.valid.get(child);
            let removes = head.is_some_and(|head| head.removes(parent));
            let mut members = parent.devices.members.iter();
            let rank = members.position(|one| head.is_some_and(|head| head.author == one.id));
            (!removes, rank, *child)
        })
    }

    /// The last head, and its id.
    pub fn tip(&self) -> Option<(RecordId, &Arc<Head>)> {
        let id = self.chain.last()?;
        Some((*id, self.valid.get(id)?))
    }

    /// The first head's id.
    pub fn root(&self) -> RecordId {
        self.root
    }

    /// Whether the first ones show the account's state to a relay. All that follow one that doesn't are like it.
    pub fn show_state(&self) -> bool {
        self.get(self.root).is_some_and(|root| !root.is_sealed())
    }

    /// Every head in its place, with its id.
    pub fn valid(&self) -> impl Iterator<Item = (RecordId, &Arc<Head>)> {
        self.valid.iter().map(|(id, head)| (*id, head))
    }

    /// A head in its place.
    pub fn get(&self, id: RecordId) -> Option<&Arc<Head>> {
        self.valid.get(&id)
    }

    /// Whether no head is beside the chain.
    pub fn is_one_chain(&self) -> bool {
        self.valid.len() == self.chain.len()
    }

    /// From the first to the last.
    pub fn chain(&self) -> &[RecordId] {
        &self.chain
    }

    /// How many heads wait for one that is missing.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether any head in its place lists this device.
    pub fn knows(&self, device: DeviceId) -> bool {
        self.known.contains(&device)
    }

    /// The heads beside the chain that are not joined into it yet, by number; without those by devices that were removed, and those that
    /// follow them, unless whoever removed one has named them in its cut: they were there, and could not be read.
    pub fn to_join(&self) -> Vec<(RecordId, &Arc<Head>)> {
        let Some((_, tip)) = self.tip() else {
            return Vec::new();
        };
        let on_chain: BTreeSet<RecordId> = self.chain.iter().copied().collect();
        let joined = self.joined();
        let mut beside: Vec<_> = self
            .valid()
            .filter(|(id, _)| !on_chain.contains(id))
            .collect();
        beside.sort_by_key(|(id, head)| (head.number, *id));
        let named = self.named_in_cuts(&tip.devices);
        let mut counting = on_chain;
        beside.retain(|(id, head)| {
            let counts = (tip.devices.removed(head.author).is_none() || named.contains(id))
                && head.prev.is_some_and(|prev| counting.contains(&prev));
            if counts {
                counting.insert(*id);
            }
            counts
        });
        beside.retain(|(id, _)| !joined.contains(id));
        beside
    }

    /// The heads that cuts name, and all before them.
    fn named_in_cuts(&self, devices: &Devices) -> BTreeSet<RecordId> {
        let cuts = devices.removed.iter().flat_map(|removed| &removed.cut);
        self.up_to(cuts.copied().collect())
    }

    /// Those of these that are heads, and all before them.
    fn up_to(&self, mut open: Vec<RecordId>) -> BTreeSet<RecordId> {
        let mut all = BTreeSet::new();
        while let Some(id) = open.pop() {
            if let Some(head) = self.valid.get(&id)
                && all.insert(id)
            {
                open.extend(head.prev);
            }
        }
        all
    }

    /// The heads that the chain has joined, and all before them.
    fn joined(&self) -> BTreeSet<RecordId> {
        let chain = self.chain.iter().filter_map(|id| self.valid.get(id));
        self.up_to(chain.flat_map(|head| head.joined.clone()).collect())
    }
}
