//! Which devices an account has once branches are joined that a relay has kept apart.
//!
//! A device that any branch removed is removed. A device that any branch added, and none removed, is a device of the account.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::bytes::{DeviceId, RecordId};
use crate::error::SyncError;
use crate::head::{Devices, Head, MAX_DEVICES, MAX_ENDS, Member, Removed};
use crate::heads::Heads;

/// The devices with all changes from heads beside the chain, and the ids of those heads. Those in `unread` are not named: what they share
/// is joined by a device that can read it.
///
/// # Errors
/// [`SyncError::NotMember`] if there is no head; [`SyncError::OtherDeviceMustJoin`] if one of them removes this device.
pub fn joined_devices(
    heads: &Heads,
    this: DeviceId,
    unread: &BTreeSet<RecordId>,
) -> Result<(Devices, Vec<RecordId>), SyncError> {
    let (_, tip) = heads.tip().ok_or(SyncError::NotMember)?;
    let mut devices = tip.devices.clone();
    let beside = heads.to_join();
    for (_, head) in &beside {
        for removed in &head.devices.removed {
            remove(&mut devices, removed.clone());
        }
    }
    for (_, head) in &beside {
        for member in added(head, heads) {
            // A device that there is no room for can be added again.
            let has_room = devices.members.len() < MAX_DEVICES;
            if has_room && devices.role(member.id).is_none() {
                devices.members.push(member);
            }
        }
    }
    if !devices.is_full(this) {
        return Err(SyncError::OtherDeviceMustJoin);
    }
    let mut ids: Vec<_> = beside.iter().map(|(id, _)| *id).collect();
    ids.retain(|id| !unread.contains(id));
    // A later head includes those before it.
    let overflow = ids.len().saturating_sub(MAX_ENDS);
    ids.drain(..overflow);
    ids.sort();
    Ok((devices, ids))
}

/// Removes a device. If it was removed already, its log counts as far as either remover had read it.
pub fn remove(devices: &mut Devices, mut removed: Removed) {
    devices.members.retain(|member| member.id != removed.id);
    if let Some(at) = devices.removed.iter().position(|one| one.id == removed.id) {
        removed.cut.extend(devices.removed.remove(at).cut);
    }
    removed.cut.sort();
    removed.cut.dedup();
    devices.removed.push(removed);
    devices.removed.sort_by_key(|one| one.id);
}

fn added(head: &Head, heads: &Heads) -> Vec<Member> {
    let prev = head.prev.and_then(|prev| heads.get(prev));
    let is_new = |member: &&Member| prev.is_none_or(|prev| prev.devices.role(member.id).is_none());
    head.devices
        .members
        .iter()
        .filter(is_new)
        .copied()
        .collect()
}
