//! The head that follows the last one.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::bytes::{DeviceId, Raw, RecordId};
use crate::device::Device;
use crate::epoch::Epoch;
use crate::error::SyncError;
use crate::fault::Fault;
use crate::head::{Contents, Devices, MAX_CUT, Member, NewHead, Removed};
use crate::mend::{joined_devices, remove};
use keyhole_vault::random::Random;

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

impl Device {
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
        let (mut devices, joined) = self.devices_after(changes, unread)?;
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

    /// The devices of the head that [`Device::propose_all`] makes of the same, and the heads that it joins.
    ///
    /// # Errors
    /// [`SyncError::DeviceKnown`], [`SyncError::DeviceUnknown`], and as [`joined_devices`] says.
    pub fn devices_after(
        &self,
        changes: &[HeadChange],
        unread: &BTreeSet<RecordId>,
    ) -> Result<(Devices, Vec<RecordId>), SyncError> {
        let this = self.keys.id();
        let (mut devices, joined) = joined_devices(&self.heads, this, unread)?;
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
                    remove(&mut devices, removed);
                }
                HeadChange::Join => {}
            }
        }
        Ok((devices, joined))
    }
}
