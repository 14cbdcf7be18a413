//! A device of an account: what it has read, what follows from it, and what it writes.
//!
//! The caller stores a device after each change, before it sends any of it. A device that is killed has then either written nothing, or
//! finds what it wrote.

#[cfg(test)]
mod forging;
pub mod joining;
pub mod proposing;
mod receiving;
pub mod stored;
pub mod writing;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::bytes::{AccountId, DeviceId, EpochId, Raw, RecordId};
use crate::device_keys::DeviceKeys;
use crate::epoch::{Epoch, Key};
use crate::error::SyncError;
use crate::fault::{Fault, Faults};
use crate::head::{Contents, Devices, Head, Member, NewHead, Role};
use crate::heads::Heads;
use crate::logs::Logs;
use crate::record;
use crate::relay_view::RelayView;
use crate::state::State;
use keyhole_vault::random::Random;

/// A device of an account.
#[derive(Clone, Debug)]
pub struct Device {
    keys: DeviceKeys,
    account: AccountId,
    heads: Heads,
    logs: Logs,
    /// The keys of epochs; and of this device's lane, in epochs whose key it does not have.
    epochs: BTreeMap<EpochId, Key>,
    lanes: BTreeMap<EpochId, Key>,
    /// The epochs whose keys each head contains.
    told: BTreeMap<RecordId, BTreeSet<EpochId>>,
    records: BTreeMap<RecordId, Arc<[u8]>>,
    counted: BTreeSet<RecordId>,
    /// How many operations of each device are in their place and don't count.
    idle: BTreeMap<DeviceId, usize>,
    named: BTreeSet<RecordId>,
    state: State,
    /// The roles that the state was made with.
    roles: BTreeMap<DeviceId, Role>,
    lamport: u64,
    /// Whether there was no room for a record.
    passed_over: bool,
    /// How much was in its place when the relay's list was last read again.
    progress: usize,
    /// What was read of the relay's list.
    pub relay: RelayView,
    faults: Faults,
}

impl Device {
    /// The first device of an account that had none.
    ///
    /// # Errors
    /// When randomness fails.
    pub fn found(
        keys: DeviceKeys,
        account: AccountId,
        parts: (&[u8], Raw),
        random: &mut dyn Random,
    ) -> Result<Self, SyncError> {
        Self::found_as(true, keys, account, parts, random)
    }

    /// `is_sealed`: whether the head hides the state, which those of version 1 didn't.
    pub(crate) fn found_as(
        is_sealed: bool,
        keys: DeviceKeys,
        account: AccountId,
        (shared, state): (&[u8], Raw),
        random: &mut dyn Random,
    ) -> Result<Self, SyncError> {
        let epoch = Epoch::make(random)?;
        let member = Member {
            id: keys.id(),
            sealing: keys.sealing(),
            role: Role::Full,
        };
        let head = NewHead {
            account,
            prev: None,
            devices: Devices {
                members: alloc::vec![member],
                removed: Vec::new(),
            },
            joined: Vec::new(),
            epoch: &epoch,
            contents: &Contents {
                epochs: alloc::vec![epoch.clone()],
                shared: Zeroizing::new(shared.to_vec()),
            },
            state,
            root: is_sealed.then_some(&epoch),
        };
        let record = head.seal(&keys, random)?;
        let mut device = Self::joining(keys, account, record::id_of(&record));
        device.receive(&record)?;
        device.settle()?;
        Ok(device)
    }

    /// A device that another one adds. The account and its first head come from pairing, never from a relay.
    pub fn joining(keys: DeviceKeys, account: AccountId, root: RecordId) -> Self {
        Self {
            keys,
            account,
            heads: Heads::new(root),
            logs: Logs::default(),
            epochs: BTreeMap::new(),
            lanes: BTreeMap::new(),
            told: BTreeMap::new(),
            records: BTreeMap::new(),
            counted: BTreeSet::new(),
            idle: BTreeMap::new(),
            named: BTreeSet::new(),
            state: State::default(),
            roles: BTreeMap::new(),
            lamport: 0,
            passed_over: false,
            progress: 0,
            relay: RelayView::default(),
            faults: Faults::default(),
        }
    }

    /// Its id.
    pub fn id(&self) -> DeviceId {
        self.keys.id()
    }

    /// The account's pseudonym.
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// A record that is stored here.
    pub fn record(&self, id: RecordId) -> Option<&[u8]> {
        self.records.get(&id).map(|record| &record[..])
    }

    /// The heads that it has read.
    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    /// The logs that it has read.
    pub fn logs(&self) -> &Logs {
        &self.logs
    }

    /// The account's state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The operations that count.
    pub fn counted(&self) -> &BTreeSet<RecordId> {
        &self.counted
    }

    /// Current and removed devices, as of the last head.
    pub fn devices(&self) -> Option<&Devices> {
        self.heads.tip().map(|(_, tip)| &tip.devices)
    }

    /// Its own and others' records that the relay lacks, each after those that it names. Send them in this order, and stop at the first one
    /// that the relay refuses: an operation that got out alone is lost if this device's storage is lost before the rest is sent. For the
    /// same reason, propose a head only when all of these were sent.
    pub fn to_send(&self) -> Vec<(RecordId, Arc<[u8]>)> {
        let mut to_send: Vec<(RecordId, Arc<[u8]>)> = Vec::new();
        let mut visited = BTreeSet::new();
        for root in self.records.keys() {
            let mut open = alloc::vec![(*root, false)];
            while let Some((id, is_ready)) = open.pop() {
                let missing = self.records.get(&id).filter(|_| !self.relay.has(id));
                let (Some(record), Some(names)) = (missing, self.names(id)) else {
                    continue;
                };
                if is_ready {
                    to_send.push((id, record.clone()));
                } else if visited.insert(id) {
                    open.push((id, true));
                    open.extend(names.into_iter().map(|name| (name, false)));
                }
            }
        }
        // What only others can open is passed on too: this may be the last copy.
        let sealed = self.logs.sealed();
        let of_devices = sealed.filter(|(_, sealed)| self.heads.knows(sealed.author));
        let missing = of_devices.filter(|(id, _)| !self.relay.has(*id));
        to_send.extend(missing.filter_map(|(id, _)| Some((id, self.records.get(&id)?.clone()))));
        to_send
    }

    /// The records that a record names; `None` if it is not in its place.
    fn names(&self, id: RecordId) -> Option<Vec<RecordId>> {
        let head = self.heads.get(id).map(|head| head.names());
        let names = head.or_else(|| Some(self.logs.get(id)?.operation.names()))?;
        let is_sent_by_id = self.faults.has(Fault::SentById);
        Some(if is_sent_by_id { Vec::new() } else { names })
    }

    /// What all devices share, from the last head.
    pub fn shared(&self) -> Option<Zeroizing<Vec<u8>>> {
        let (_, tip) = self.heads.tip()?;
        self.contents_of(tip).map(|contents| contents.shared)
    }

    /// The account's keys, from the last head.
    pub fn sealed_state(&self) -> Option<Zeroizing<Vec<u8>>> {
        let (_, tip) = self.heads.tip()?;
        self.state_of(tip)
    }

    /// The account's keys, from a head.
    pub(crate) fn state_of(&self, head: &Head) -> Option<Zeroizing<Vec<u8>>> {
        head.state(self.state_epoch(head.epoch).as_ref())
    }

    /// The epoch that states are sealed under: the first head's. All branches have that head, and each head passes its epoch on to all
    /// full devices.
    fn state_epoch(&self, own: EpochId) -> Option<Epoch> {
        let root = self.heads.get(self.heads.root())?;
        let is_own = self.faults.has(Fault::StateOwnEpoch);
        let key = self.epochs.get(if is_own { &own } else { &root.epoch })?;
        Some(Epoch(key.clone()))
    }

    fn contents_of(&self, head: &Head) -> Option<Contents> {
        let key = self.epochs.get(&head.epoch)?;
        head.contents(&Epoch(key.clone()))
    }
}

#[cfg(test)]
#[path = "device_test.rs"]
mod tests;

#[cfg(test)]
#[path = "hostile_test.rs"]
mod hostile_tests;

#[cfg(test)]
#[path = "sealed_state_test.rs"]
mod sealed_state_tests;

#[cfg(test)]
#[path = "stored_test.rs"]
mod stored_tests;
