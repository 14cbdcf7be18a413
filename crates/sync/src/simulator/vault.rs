//! The account's keys on a device, and in the state that heads pass on: a small model of what `crates/vault` and the enclave do with them.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::bytes::{DeviceId, Raw};
use crate::device::Device;
use crate::device::joining::ToJoin;
use crate::head::{Devices, Role};
use crate::record;

/// Keys, and those that were deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    pub keys: BTreeSet<u64>,
    pub deleted: BTreeSet<u64>,
}

/// What a person changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyChange {
    Add(u64),
    Delete(u64),
}

/// A device's account, as it is stored.
#[derive(Clone, Debug, Default)]
pub struct Vault {
    pub now: Keys,
    /// Every key that it ever had.
    pub held: BTreeSet<u64>,
}

impl Vault {
    pub fn adopt(&mut self, keys: Keys) {
        self.held.extend(&keys.keys);
        self.now = keys;
    }
}

impl Keys {
    /// Takes in what another state has. What either has deleted stays so.
    pub fn join(&mut self, other: &Self) {
        self.deleted.extend(&other.deleted);
        self.keys.extend(&other.keys);
        self.keys.retain(|key| !self.deleted.contains(key));
    }

    pub fn change(&mut self, change: KeyChange) {
        match change {
            KeyChange::Add(key) if !self.deleted.contains(&key) => {
                self.keys.insert(key);
            }
            KeyChange::Add(_) => {}
            KeyChange::Delete(key) => {
                self.keys.remove(&key);
                self.deleted.insert(key);
            }
        }
    }

    pub fn has(&self, change: KeyChange) -> bool {
        match change {
            KeyChange::Add(key) => self.keys.contains(&key) || self.deleted.contains(&key),
            KeyChange::Delete(key) => self.deleted.contains(&key),
        }
    }

    /// Those that a state neither has nor has deleted.
    pub fn missing_in(&self, other: &Self) -> Vec<u64> {
        let is_lost = |key: &&u64| !other.keys.contains(key) && !other.deleted.contains(key);
        self.keys.iter().filter(is_lost).copied().collect()
    }

    /// As a head has it, sealed to the full ones of these devices.
    pub fn seal(&self, devices: &Devices) -> Raw {
        let full = devices.members.iter();
        let full = full.filter(|member| member.role == Role::Full);
        let to: Vec<DeviceId> = full.map(|member| member.id).collect();
        Raw(record::encode(&(to, &self.keys, &self.deleted)).unwrap())
    }

    /// Opens it; `None` if it was not sealed to this device.
    pub fn open(state: &[u8], this: DeviceId) -> Option<Self> {
        let parts: (Vec<DeviceId>, BTreeSet<u64>, BTreeSet<u64>) = record::decode(state).unwrap();
        let (to, keys, deleted) = parts;
        to.contains(&this).then_some(Self { keys, deleted })
    }

    /// Those of the last head.
    pub fn of_tip(device: &Device) -> Option<Self> {
        device.shared()?;
        Self::open(&device.sealed_state()?, device.id())
    }

    /// Those of a head beside the chain.
    pub fn of(part: &ToJoin, this: DeviceId) -> Option<Self> {
        part.shared.as_ref()?;
        Self::open(part.state.as_ref()?, this)
    }
}
