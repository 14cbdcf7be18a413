//! What only tests do to a device: faults, and records as an attacker's program would write them.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::bytes::{Raw, RecordId};
use crate::change::Change;
use crate::device::Device;
use crate::epoch::Epoch;
use crate::fault::{Fault, Faults};
use crate::head::{Contents, Member, NewHead, Role};
use crate::operation::{Operation, SealedOperation};
use crate::record;
use keyhole_vault::random::Random;

impl Device {
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
    pub(crate) fn has(&self, id: RecordId) -> bool {
        self.records.contains_key(&id)
    }

    /// Whether a record is in its place here.
    pub(crate) fn reads(&self, id: RecordId) -> bool {
        self.names(id).is_some()
    }

    /// Whether it has a key that an operation opens with.
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
