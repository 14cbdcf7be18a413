//! Joining branches of heads that the relay has kept apart.
//!
//! A device that was added on one branch can't read what another one shares. It joins which devices there are, and leaves the rest to be
//! joined by a device that can read it: whoever names a head as joined has taken in what it shares.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use zeroize::Zeroizing;

use crate::bytes::{EpochId, RecordId};
use crate::device::Device;
use crate::fault::Fault;
use crate::head::{Devices, MAX_CUT};
use crate::mend;

/// What a head beside the chain contains.
pub struct ToJoin {
    /// Its id.
    pub id: RecordId,
    /// What all devices share; `None` if it was not sealed to this device.
    pub shared: Option<Zeroizing<Vec<u8>>>,
    /// The account's keys as a sealed state; `None` if it doesn't open.
    pub state: Option<Zeroizing<Vec<u8>>>,
}

impl Device {
    /// The shared parts of each head that has to be joined. The caller merges those that it can read.
    pub fn to_join(&self) -> Vec<ToJoin> {
        let beside = self.heads.to_join().into_iter();
        let parts = beside.map(|(id, head)| {
            let shared = self.contents_of(head).map(|contents| contents.shared);
            ToJoin {
                id,
                shared,
                state: self.state_of(head),
            }
        });
        parts.collect()
    }

    /// The heads beside the chain that can't be joined here: the caller can read neither them nor one that follows them.
    pub fn unread(&self, can_read: impl Fn(&ToJoin) -> bool) -> BTreeSet<RecordId> {
        let parts = self.to_join();
        let mut unread: BTreeSet<RecordId> = parts.iter().map(|part| part.id).collect();
        let mut open: Vec<RecordId> = parts
            .iter()
            .filter(|part| can_read(part))
            .map(|part| part.id)
            .collect();
        while let Some(id) = open.pop() {
            if unread.remove(&id)
                && let Some(head) = self.heads.get(id)
            {
                open.extend(head.prev.iter().chain(&head.joined));
            }
        }
        if self.faults.has(Fault::UnreadJoined) {
            unread.clear();
        }
        unread
    }

    /// Whether this device may append a head that joins branches.
    pub fn may_join(&self) -> bool {
        self.joined(&BTreeSet::new()).is_some()
    }

    /// The devices after joining, and the heads that it would name; `None` if another device has to do it.
    fn joined(&self, unread: &BTreeSet<RecordId>) -> Option<(Devices, Vec<RecordId>)> {
        let this = self.keys.id();
        let is_full = self.devices()?.is_full(this);
        if !is_full || self.faults.has(Fault::NotJoined) {
            return None;
        }
        mend::joined_devices(&self.heads, this, unread).ok()
    }

    /// Whether this device has to append a head so that all devices agree: see [`HeadChange::Join`](crate::device::proposing::HeadChange::Join).
    /// `unread`: see [`Device::unread`].
    pub fn has_to_join(&self, unread: &BTreeSet<RecordId>) -> bool {
        let Some((devices, to_name)) = self.joined(unread) else {
            return false;
        };
        let has_others = self.devices().is_some_and(|now| *now != devices);
        has_others || !to_name.is_empty() || self.has_untold_epochs()
    }

    /// Names heads that could not be read in the cuts of devices that are removed now. A head that follows one by a removed device
    /// would be left out otherwise, and no one would read it any more.
    pub(super) fn keep_unread(
        &self,
        unread: &BTreeSet<RecordId>,
        before: &Devices,
        devices: &mut Devices,
    ) {
        let heads = unread
            .iter()
            .filter_map(|id| Some((*id, self.heads.get(*id)?)));
        let mut to_name: Vec<_> = heads
            .filter(|(_, head)| devices.removed(head.author).is_none())
            .map(|(id, head)| (Reverse(head.number), id))
            .collect();
        to_name.sort();
        to_name.truncate(MAX_CUT);
        for removed in &mut devices.removed {
            if before.removed(removed.id).is_none() {
                removed.cut.extend(to_name.iter().map(|(_, id)| *id));
                removed.cut.sort();
                removed.cut.dedup();
            }
        }
    }

    /// Whether devices have sealed under an epoch whose key is not in the last head.
    fn has_untold_epochs(&self) -> bool {
        let told = self.heads.tip().and_then(|(id, _)| self.told.get(&id));
        told.is_some_and(|told| !self.used_epochs().is_subset(told))
    }

    /// The epochs of heads and operations that count.
    pub(super) fn used_epochs(&self) -> BTreeSet<EpochId> {
        let beside = self.heads.to_join().into_iter().map(|(id, _)| id);
        let heads = self.heads.chain().iter().copied().chain(beside);
        let mut used: BTreeSet<EpochId> = heads
            .filter_map(|id| self.told.get(&id))
            .flatten()
            .copied()
            .collect();
        let counted = self.counted.iter().filter_map(|id| self.logs.get(*id));
        let counted = counted.map(|placed| placed.epoch);
        used.extend(counted.filter(|epoch| self.epochs.contains_key(epoch)));
        used
    }
}
