//! All heads of an account, and which of them is the last.
//!
//! At an honest relay they are one chain. A relay that shows devices different heads makes it a tree. Devices with the same heads all
//! continue on the same branch, and join the others into it. At a fork, a branch that leaves the other one no full device wins, then a head
//! that removes a device, then the one by the device that was added earlier.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bytes::{DeviceId, RecordId};
use crate::error::SyncError;
use crate::fault::{Fault, Faults};
use crate::head::{Devices, Head, Role};

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
    /// Those that more than one follows, with their numbers.
    forks: BTreeSet<(u64, RecordId)>,
    /// At each fork, the head that goes on.
    chosen: BTreeMap<RecordId, RecordId>,
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
            forks: BTreeSet::new(),
            chosen: BTreeMap::new(),
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
        let prev = head.prev;
        self.valid.insert(id, head);
        if let Some(prev) = prev {
            let children = self.children.entry(prev).or_default();
            children.push(id);
            if children.len() > 1
                && let Some(fork) = self.valid.get(&prev)
            {
                self.forks.insert((fork.number, prev));
            }
        }
        if self.forks.is_empty() {
            self.chain.push(id);
        } else {
            self.choose();
        }
    }

    /// Chooses the branch that goes on at every fork, those furthest from the first head first, and walks along.
    fn choose(&mut self) {
        let mut ends = BTreeMap::new();
        for (_, fork) in self.forks.iter().rev() {
            if let Some((child, end)) = self.choose_at(*fork, &ends) {
                self.chosen.insert(*fork, child);
                ends.insert(*fork, end);
            }
        }
        self.chain.clear();
        let mut at = Some(self.root);
        while let Some(id) = at {
            self.chain.push(id);
            at = self.child(id);
        }
    }

    /// The head that goes on at a fork, and the last one of its branch. `ends`: those of later forks.
    fn choose_at(
        &self,
        fork: RecordId,
        ends: &BTreeMap<RecordId, RecordId>,
    ) -> Option<(RecordId, RecordId)> {
        let parent = self.valid.get(&fork)?;
        let mut children = self.children.get(&fork)?.clone();
        if !self.faults.has(Fault::FirstHead) {
            children.sort_by_cached_key(|child| {
                let head = self.valid.get(child);
                let removes = head.is_some_and(|head| head.removes(parent));
                let mut members = parent.devices.members.iter();
                let rank = members.position(|one| head.is_some_and(|head| head.author == one.id));
                (!removes, rank, *child)
            });
        }
        let branches = children
            .into_iter()
            .map(|child| (child, self.end_of(child, ends)));
        branches.reduce(|best, next| {
            let next_wins = self.leaves_no_device(next, best) && !self.leaves_no_device(best, next);
            if next_wins { next } else { best }
        })
    }

    /// The last head of a branch, whose later forks are decided.
    fn end_of(&self, first: RecordId, ends: &BTreeMap<RecordId, RecordId>) -> RecordId {
        let mut at = first;
        loop {
            if let Some(end) = ends.get(&at) {
                return *end;
            }
            match self.child(at) {
                Some(next) => at = next,
                None => return at,
            }
        }
    }

    /// Whether all full devices at the end of `other` are removed on `branch`, by heads that count for those devices: neither their authors
    /// nor those of the heads before them were removed on `other`. Then no one on `other` could join the two.
    /// Branches by their first and last heads.
    fn leaves_no_device(&self, branch: (RecordId, RecordId), other: (RecordId, RecordId)) -> bool {
        let (Some(end), Some(other)) = (self.valid.get(&branch.1), self.valid.get(&other.1)) else {
            return false;
        };
        let all_removed = |head: &Head| {
            let mut members = other.devices.members.iter();
            members.all(|one| one.role != Role::Full || head.devices.removed(one.id).is_some())
        };
        if !all_removed(end) {
            return false;
        }
        let mut at = Some(branch.0);
        let mut last = None;
        while let Some(head) = at.and_then(|id| self.valid.get(&id)) {
            if other.devices.removed(head.author).is_some() {
                break;
            }
            last = Some(head);
            at = at.and_then(|id| self.child(id));
        }
        last.is_some_and(|head| all_removed(head))
    }

    /// The head that follows another one on the branch that goes on from there.
    fn child(&self, id: RecordId) -> Option<RecordId> {
        let only = || self.children.get(&id)?.first();
        self.chosen.get(&id).or_else(only).copied()
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
