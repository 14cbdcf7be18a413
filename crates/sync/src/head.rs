//! A head: which devices an account has, and which key they seal with. A full device signs it, and each follows one other.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::bytes::{AccountId, DeviceId, EpochId, Raw, RecordId, SealingKey};
use crate::device_keys::{self, DeviceKeys};
use crate::epoch::{Epoch, Key, Sealed};
use crate::error::SyncError;
use crate::fault::{Fault, Faults};
use crate::record::{self, Kind, Parts};
use keyhole_vault::methods::unlock_method::SealedKeyFor;
use keyhole_vault::random::Random;
use zeroize::Zeroizing;

/// Most devices of an account.
pub const MAX_DEVICES: usize = 32;
/// Most removed devices of an account.
pub const MAX_REMOVED: usize = 1_024;
/// Most ends of a log that an operation joins, and most heads that are joined at once.
pub const MAX_ENDS: usize = 64;
/// Most ends at which one head cuts a log: a device that is to be removed may have made it fork into any number.
pub const MAX_CUT: usize = 32;
/// Most ends at which a log is cut in all: every device may have removed it in another branch.
const MAX_CUTS: usize = MAX_CUT * MAX_DEVICES;
/// Most epochs of an account.
pub const MAX_EPOCHS: usize = 8_192;

/// The version of heads that show a relay the state.
const CLEAR: u64 = 1;
/// The version of heads whose state is sealed.
const SEALED: u64 = 2;

/// What a device may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Everything.
    Full,
    /// It writes what it did, reads only its own log, and never has the account's keys.
    Limited,
}

/// A device of an account. The order of devices is the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Its id.
    pub id: DeviceId,
    /// The public key that keys are sealed to.
    pub sealing: SealingKey,
    /// What it may do.
    pub role: Role,
}

/// A device that was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removed {
    /// Its id.
    pub id: DeviceId,
    /// What it was allowed to do.
    pub role: Role,
    /// The ends of what the remover had read of its log. It counts up to there.
    pub cut: Vec<RecordId>,
}

/// Current and removed devices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Devices {
    /// In the order in which they were added.
    pub members: Vec<Member>,
    /// By id.
    pub removed: Vec<Removed>,
}

impl Devices {
    /// A device of the account.
    pub fn member(&self, id: DeviceId) -> Option<&Member> {
        self.members.iter().find(|member| member.id == id)
    }

    /// A device that was removed.
    pub fn removed(&self, id: DeviceId) -> Option<&Removed> {
        self.removed.iter().find(|removed| removed.id == id)
    }

    /// The role of a current or removed device.
    pub fn role(&self, id: DeviceId) -> Option<Role> {
        let member = self.member(id).map(|member| member.role);
        member.or_else(|| self.removed(id).map(|removed| removed.role))
    }

    /// Whether it is a full device now.
    pub fn is_full(&self, id: DeviceId) -> bool {
        self.member(id)
            .is_some_and(|member| member.role == Role::Full)
    }

    fn is_valid(&self) -> bool {
        let ids = self.members.iter().map(|member| member.id);
        let mut ids: Vec<_> = ids.chain(self.removed.iter().map(|one| one.id)).collect();
        ids.sort();
        let count = ids.len();
        ids.dedup();
        count == ids.len()
            && self.members.len() <= MAX_DEVICES
            && self.removed.len() <= MAX_REMOVED
            && self.removed.is_sorted_by_key(|one| one.id)
            && self.removed.iter().all(|one| are_ids(&one.cut, MAX_CUTS))
    }
}

/// Whether these are few enough, sorted, and different.
pub(crate) fn are_ids(ids: &[RecordId], most: usize) -> bool {
    ids.len() <= most && ids.is_sorted_by(|a, b| a < b)
}

/// A key for a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFor {
    device: DeviceId,
    key: SealedKeyFor,
}

/// A head, as a relay sees it too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    v: u64,
    /// The account's pseudonym.
    pub account: AccountId,
    /// 1 for the first, one more for each that follows.
    pub number: u64,
    /// The one that it follows.
    pub prev: Option<RecordId>,
    /// The device that signs it.
    pub author: DeviceId,
    /// Current and removed devices.
    pub devices: Devices,
    /// Heads beside the chain whose changes are in this one.
    pub joined: Vec<RecordId>,
    /// The epoch that operations are sealed under from now on.
    pub epoch: EpochId,
    keys: Vec<KeyFor>,
    contents: Sealed,
    /// In version 1, the account's state. In version 2, a nonce and the state, padded and sealed.
    state: Raw,
}

/// The part of a head that only full devices can read.
#[derive(Clone)]
pub struct Contents {
    /// Every epoch that devices have sealed under.
    pub epochs: Vec<Epoch>,
    /// What all devices share. This crate only passes it on.
    pub shared: Zeroizing<Vec<u8>>,
}

/// What a head is made of.
pub struct NewHead<'a> {
    /// The account's pseudonym.
    pub account: AccountId,
    /// The head that it follows, and its id.
    pub prev: Option<(RecordId, &'a Head)>,
    /// Current and removed devices.
    pub devices: Devices,
    /// Heads beside the chain whose changes are in this one.
    pub joined: Vec<RecordId>,
    /// The epoch that operations are sealed under from now on.
    pub epoch: &'a Epoch,
    /// The part that only full devices can read.
    pub contents: &'a Contents,
    /// The account's keys as a sealed state, which its unlock methods open. This crate only passes it on. Parts of it are in the clear.
    pub state: Raw,
    /// The first head's epoch, under which the state is sealed. `None` for a head of version 1, which shows it.
    pub root: Option<&'a Epoch>,
}

impl NewHead<'_> {
    /// Seals and signs it as a record.
    ///
    /// # Errors
    /// [`SyncError::TooMany`] past a limit; when randomness fails.
    pub fn seal(self, keys: &DeviceKeys, random: &mut dyn Random) -> Result<Vec<u8>, SyncError> {
        let epoch = self.epoch.id()?;
        let number = self.prev.map_or(1, |(_, prev)| prev.number + 1);
        let binding = contents_binding(self.account, number, epoch)?;
        let mut sealed_keys = Vec::new();
        for member in &self.devices.members {
            let key = match member.role {
                Role::Full => self.epoch.0.clone(),
                Role::Limited => self.epoch.lane(member.id)?,
            };
            let binding = key_binding(self.account, member.id, epoch)?;
            sealed_keys.push(KeyFor {
                device: member.id,
                key: device_keys::seal_to(member.sealing, &key, &binding, random)?,
            });
        }
        let contents = self.contents.encode()?;
        let (v, state) = match self.root {
            Some(root) => {
                let binding = state_binding(self.account, number, epoch)?;
                let sealed = Sealed::seal(&root.states()?, &self.state.0, &binding, random)?;
                (SEALED, Raw([sealed.nonce.0, sealed.sealed.0].concat()))
            }
            None => (CLEAR, self.state),
        };
        let head = Head {
            v,
            account: self.account,
            number,
            prev: self.prev.map(|(id, _)| id),
            author: keys.id(),
            devices: self.devices,
            joined: self.joined,
            epoch,
            keys: sealed_keys,
            contents: Sealed::seal(&self.epoch.contents()?, &contents, &binding, random)?,
            state,
        };
        if !head.is_valid() {
            return Err(SyncError::TooMany);
        }
        record::sign(Kind::Head, &head, keys.signing())
    }
}

impl Head {
    /// Reads one, and checks its form. Whether its author signed it is checked by [`Parts::check`], and whether it was allowed to depends on
    /// the head before it.
    ///
    /// # Errors
    /// [`SyncError::RecordMalformed`].
    pub fn read(parts: &Parts<'_>) -> Result<Self, SyncError> {
        let head: Self = record::decode(parts.body)?;
        head.is_valid()
            .then_some(head)
            .ok_or(SyncError::RecordMalformed)
    }

    fn is_valid(&self) -> bool {
        let devices = self.devices.members.iter().map(|member| member.id);
        matches!(self.v, CLEAR | SEALED)
            && self.devices.is_valid()
            && self.devices.is_full(self.author)
            && are_ids(&self.joined, MAX_ENDS)
            && self.keys.iter().map(|key| key.device).eq(devices)
            && match self.prev {
                None => self.number == 1 && self.devices.members.len() == 1,
                Some(_) => self.number > 1,
            }
    }

    /// Whether it may follow another one: its author was a full device there, every device is still listed, removed devices stay removed, and
    /// the state stays sealed.
    pub(crate) fn may_follow(&self, prev: &Self, faults: Faults) -> bool {
        let (ours, theirs) = (&self.devices, &prev.devices);
        let kept: Vec<_> = theirs
            .members
            .iter()
            .filter(|member| ours.removed(member.id).is_none())
            .collect();
        let is_kept = kept.len() <= ours.members.len()
            && kept.iter().zip(&ours.members).all(|(old, new)| *old == new);
        let are_removed_as_they_were = ours.removed.iter().all(|removed| {
            theirs
                .role(removed.id)
                .is_none_or(|role| role == removed.role)
        });
        let stay_removed = theirs.removed.iter().all(|old| {
            let new = ours.removed(old.id);
            new.is_some_and(|new| old.cut.iter().all(|end| new.cut.contains(end)))
        });
        let has_new_epoch =
            !self.removes(prev) || self.epoch != prev.epoch || faults.has(Fault::SameEpoch);
        theirs.is_full(self.author)
            && self.account == prev.account
            && Some(self.number) == prev.number.checked_add(1)
            && self.v >= prev.v
            && is_kept
            && are_removed_as_they_were
            && stay_removed
            && has_new_epoch
    }

    /// Whether it removes a device that the one before it has.
    pub fn removes(&self, prev: &Self) -> bool {
        let mut members = prev.devices.members.iter();
        members.any(|member| self.devices.removed(member.id).is_some())
    }

    /// The records that it names.
    pub fn names(&self) -> Vec<RecordId> {
        let removed = self.devices.removed.iter();
        let cuts = removed.flat_map(|removed| &removed.cut);
        let heads = self.prev.iter().chain(&self.joined);
        heads.chain(cuts).copied().collect()
    }

    /// The key that was sealed to a device: the epoch's for a full one, its lane's for a limited one.
    pub fn key_for(&self, keys: &DeviceKeys) -> Option<Key> {
        let sealed = self.keys.iter().find(|key| key.device == keys.id())?;
        let binding = key_binding(self.account, keys.id(), self.epoch).ok()?;
        keys.unseal(&sealed.key, &binding)
    }

    /// Whether a relay can't read its state.
    pub fn is_sealed(&self) -> bool {
        self.v == SEALED
    }

    /// The account's keys as a sealed state. `root`: the first head's epoch, without which only heads of version 1 show it.
    pub fn state(&self, root: Option<&Epoch>) -> Option<Zeroizing<Vec<u8>>> {
        if !self.is_sealed() {
            return Some(Zeroizing::new(self.state.0.clone()));
        }
        let binding = state_binding(self.account, self.number, self.epoch).ok()?;
        Sealed::of(&self.state.0)?.open(&root?.states().ok()?, &binding)
    }

    /// As it is, with the state of another one.
    #[cfg(test)]
    pub(crate) fn with_state_of(&self, other: &Self) -> Self {
        Self {
            state: other.state.clone(),
            ..self.clone()
        }
    }

    /// The part that only full devices can read.
    pub fn contents(&self, epoch: &Epoch) -> Option<Contents> {
        let binding = contents_binding(self.account, self.number, self.epoch).ok()?;
        let text = self.contents.open(&epoch.contents().ok()?, &binding)?;
        Contents::decode(&text)
    }
}

impl Contents {
    /// The number of keys in 2 bytes, the keys, and what is shared. No copy of a key is left unwiped.
    fn encode(&self) -> Result<Zeroizing<Vec<u8>>, SyncError> {
        let count = u16::try_from(self.epochs.len()).map_err(|_| SyncError::TooMany)?;
        if self.epochs.len() > MAX_EPOCHS {
            return Err(SyncError::TooMany);
        }
        let length = 2 + 32 * self.epochs.len() + self.shared.len();
        let mut text = Zeroizing::new(Vec::with_capacity(length));
        text.extend_from_slice(&count.to_be_bytes());
        for epoch in &self.epochs {
            text.extend_from_slice(&epoch.0[..]);
        }
        text.extend_from_slice(&self.shared);
        Ok(text)
    }

    fn decode(text: &[u8]) -> Option<Self> {
        let (count, mut rest) = text.split_first_chunk::<2>()?;
        let count = u16::from_be_bytes(*count);
        let mut epochs = Vec::new();
        if usize::from(count) > MAX_EPOCHS {
            return None;
        }
        for _ in 0..count {
            let (key, after) = rest.split_first_chunk::<32>()?;
            epochs.push(Epoch(Zeroizing::new(*key)));
            rest = after;
        }
        Some(Self {
            epochs,
            shared: Zeroizing::new(rest.to_vec()),
        })
    }
}

fn key_binding(account: AccountId, device: DeviceId, epoch: EpochId) -> Result<Vec<u8>, SyncError> {
    record::encode(&("keyhole sync key v1", account, device, epoch))
}

fn contents_binding(account: AccountId, number: u64, epoch: EpochId) -> Result<Vec<u8>, SyncError> {
    record::encode(&("keyhole sync contents v1", account, number, epoch))
}

fn state_binding(account: AccountId, number: u64, epoch: EpochId) -> Result<Vec<u8>, SyncError> {
    record::encode(&("keyhole sync state v1", account, number, epoch))
}
