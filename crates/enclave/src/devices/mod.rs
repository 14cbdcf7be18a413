//! This device, as one of its account's: its keys, the records that it has read, and what its account shares.

pub mod access;
pub mod refusals;

use std::collections::BTreeSet;

use keyhole_sync::bytes::{AccountId, DeviceId, RecordId};
use keyhole_sync::device::Device;
use keyhole_sync::device::joining::ToJoin;
use keyhole_sync::device::stored::Stored as StoredRecords;
use keyhole_sync::device_keys::DeviceKeys;
use keyhole_sync::error::SyncError;
use keyhole_sync::head::{Member, Role};
use keyhole_sync::pairing::{NewSide, OldSide};
use keyhole_sync::record::Arrived;
use keyhole_sync::recovery::CodeKeys;
use keyhole_ucan::codec::base64::{Bytes, Fixed, Secret};
use keyhole_vault::methods::recovery_code::RecoveryCode;
use keyhole_vault::methods::unlock_method::{SealedKeyFor, SealedTo};
use keyhole_vault::random::Random;
use keyhole_vault::seal::section::Section;
use keyhole_vault::tools::Tools;
use keyhole_vault::vault::Vault;
use keyhole_vault::vault::method_keys::OpenMethod;
use keyhole_vault::vault::sealed_state::SealedState;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use self::access::Access;
use self::refusals::{damaged, refused};
use crate::refusal::Refusal;

const DATA_KEY_INFO: &[u8] = b"keyhole sync data key v1";

/// This device, as one of the account's.
pub struct OpenDevice {
    pub keys: StoredKeys,
    pub device: Device,
    /// Its permission at relays, if it is a limited device. A full one finds it in what all of them share.
    pub permission: Option<String>,
}

/// This device's part of a pairing.
pub enum Pairing {
    New(NewSide),
    Old {
        side: OldSide,
        /// The new device, once its keys were checked.
        new: Option<DeviceId>,
    },
}

/// An account that is opened by its recovery code alone. Dropped once this device has joined.
pub struct Recovery {
    pub code: RecoveryCode,
    pub keys: CodeKeys,
    /// This device's own keys: the code's only add it.
    pub new: StoredKeys,
}

/// A device's section of the sealed state: its keys, and where its account's records begin.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    pub v: u64,
    pub keys: StoredKeys,
    pub account: Fixed<32>,
    pub root: Fixed<32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredKeys {
    signing: Secret<32>,
    opening: Secret<32>,
}

/// What all full devices can read in a head: the key of the account's state, sealed to each of them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    v: u64,
    data_keys: Vec<DataKeyFor>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DataKeyFor {
    device: Fixed<32>,
    key: SealedKeyFor,
}

/// How far this device is.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceStatus {
    device: Fixed<32>,
    /// The ids of the account's devices, in the order in which they were added.
    members: Vec<Fixed<32>>,
    /// Those of them that are limited.
    limited: Vec<Fixed<32>>,
    /// Whether it is one of them.
    pub is_member: bool,
    /// Where to read the relay's list from, and how many heads were read up to there.
    next: u64,
    heads_read: u64,
    /// How many changes of this device the relay was not seen to have.
    unsent: usize,
    /// How many records are named by others and not here.
    missing: usize,
    /// How often the relay has gone back.
    went_back: u64,
    has_to_join: bool,
    /// How many heads of other branches this device can't read. A device that can has to join them, or this one with a proof. Until then,
    /// keys and unlock methods may be missing.
    unread: usize,
    has_to_write_again: bool,
    /// Whether the account's shared parts differ from those of the last head.
    has_to_adopt: bool,
    /// Whether a relay has been shown the account's address, public keys and unlock methods: its first head is of an older version.
    state_was_shown: bool,
}

impl StoredKeys {
    pub fn make(random: &mut dyn Random) -> Result<Self, Refusal> {
        let mut keys = [Zeroizing::new([0; 32]), Zeroizing::new([0; 32])];
        for key in &mut keys {
            random.fill(&mut key[..])?;
        }
        let [signing, opening] = keys;
        Ok(Self {
            signing: Secret(signing),
            opening: Secret(opening),
        })
    }

    /// Those of a recovery code's device.
    pub fn of_code(keys: &CodeKeys) -> Self {
        Self {
            signing: Secret(keys.signing.clone()),
            opening: Secret(keys.opening.clone()),
        }
    }

    pub fn get(&self) -> Result<DeviceKeys, Refusal> {
        DeviceKeys::from_seeds(&self.signing.0, self.opening.0.clone()).map_err(refused)
    }
}

impl Stored {
    pub fn section(&self) -> Result<Section, Refusal> {
        let text = serde_json::to_string(self).map_err(|_| damaged())?;
        Ok(Section(Zeroizing::new(text)))
    }
}

impl OpenDevice {
    pub fn status(&self, vault: Option<&Vault>) -> DeviceStatus {
        let device = &self.device;
        let all = || device.devices().into_iter().flat_map(|all| &all.members);
        let members: Vec<_> = all().map(|member| Fixed(member.id.0)).collect();
        let limited = all().filter(|member| member.role == Role::Limited);
        let limited = limited.map(|member| Fixed(member.id.0)).collect();
        let this = Fixed(device.id().0);
        let tip = vault.and_then(|_| self.shared_vault().ok());
        let both = vault.zip(tip.as_ref());
        let unread = self.unread(None);
        // No one else may have keys that are here and not in the last head.
        let has_keys = both.is_some_and(|(vault, tip)| vault.has_keys_missing_in(tip));
        let has_to_keep = has_keys && device.may_join();
        let has_to_join = device.has_to_join(&unread) || has_to_keep;
        let is_other = both.is_some_and(|(vault, tip)| !tip.shares_the_same(vault));
        DeviceStatus {
            is_member: members.contains(&this),
            device: this,
            members,
            limited,
            next: device.relay.next(),
            heads_read: device.relay.heads(),
            unsent: device.unsent(),
            missing: device.missing().len(),
            went_back: device.relay.went_back(),
            has_to_join,
            unread: unread.len(),
            has_to_write_again: device.has_to_write_again(),
            // What is here must not be dropped for a head that lacks it: first this device appends one that has it.
            has_to_adopt: is_other && !has_to_keep,
            state_was_shown: device.heads().show_state(),
        }
    }

    /// The account's shared parts, from the last head.
    pub fn shared_vault(&self) -> Result<Vault, Refusal> {
        let shared = self.device.shared();
        let shared = shared.ok_or_else(|| refused(SyncError::NoEpochKey))?;
        let state = self.device.sealed_state().ok_or_else(damaged)?;
        self.open_shared(&shared, &state)
    }

    /// The heads beside the chain whose shared parts this device can't read, also by an unlock method.
    pub fn unread(&self, method: Option<&OpenMethod>) -> BTreeSet<RecordId> {
        self.device
            .unread(|part| self.open_part(part, method).is_some())
    }

    /// The account's shared parts, with those of every head beside the chain that can be read, and the keys that `vault` has.
    pub fn joined_vault(
        &self,
        (vault, method): (Option<&Vault>, Option<&OpenMethod>),
        tools: &mut Tools<'_>,
    ) -> Result<(Vault, Access), Refusal> {
        let mut draft = self.shared_vault()?.as_draft();
        let mut access = Access::of(&draft)?;
        for part in self.device.to_join() {
            // What was not sealed to this device can't be read here, and what is damaged must not stop the rest.
            let Some((other, theirs)) = self.open_part(&part, method) else {
                continue;
            };
            draft.join(&other, tools)?;
            access.merge(&theirs);
        }
        if let Some(vault) = vault {
            draft.keep_keys_of(vault, tools)?;
        }
        Ok((draft, access))
    }

    fn open_part(&self, part: &ToJoin, method: Option<&OpenMethod>) -> Option<(Vault, Access)> {
        let (shared, state) = (part.shared.as_ref(), part.state.as_ref()?);
        let sealed = shared.and_then(|shared| self.open_shared(shared, state).ok());
        let vault = sealed.or_else(|| {
            let state = core::str::from_utf8(state).ok()?;
            method?.open_state(SealedState::parse(state).ok()?).ok()?
        })?;
        let access = Access::of(&vault).ok()?;
        Some((vault, access))
    }

    fn open_shared(&self, shared: &[u8], state: &[u8]) -> Result<Vault, Refusal> {
        let device = &self.device;
        let shared: Shared = serde_json::from_slice(shared).map_err(|_| damaged())?;
        let this = device.id();
        let mut keys = shared.data_keys.iter();
        let sealed = keys
            .find(|key| key.device.0 == this.0)
            .ok_or_else(damaged)?;
        let state = core::str::from_utf8(state).map_err(|_| damaged())?;
        let state = SealedState::parse(state)?;
        let keys = self.keys.get()?;
        let public = Fixed(keys.sealing().0);
        let binding = binding_of(device.account(), this);
        let to = SealedTo {
            public: &public,
            info: DATA_KEY_INFO,
            binding: &binding,
        };
        Vault::open_shared(state, &sealed.key, &self.keys.opening.0, to)?.ok_or_else(damaged)
    }
}

fn binding_of(account: AccountId, device: DeviceId) -> Vec<u8> {
    [account.0, device.0].concat()
}

/// What a head shares with these devices.
pub fn shared_with(
    vault: &Vault,
    account: AccountId,
    members: &[Member],
    random: &mut dyn Random,
) -> Result<Zeroizing<String>, Refusal> {
    let mut data_keys = Vec::new();
    for member in members.iter().filter(|member| member.role == Role::Full) {
        let public = Fixed(member.sealing.0);
        let binding = binding_of(account, member.id);
        let to = SealedTo {
            public: &public,
            info: DATA_KEY_INFO,
            binding: &binding,
        };
        data_keys.push(DataKeyFor {
            device: Fixed(member.id.0),
            key: vault.seal_data_key(to, random)?,
        });
    }
    let shared = Shared { v: 1, data_keys };
    let text = serde_json::to_string(&shared).map_err(|_| damaged())?;
    Ok(Zeroizing::new(text))
}

/// A device that has read nothing yet.
pub fn begin(stored: &Stored) -> Result<OpenDevice, Refusal> {
    let (account, root) = (AccountId(stored.account.0), RecordId(stored.root.0));
    Ok(OpenDevice {
        keys: stored.keys.clone(),
        device: Device::joining(stored.keys.get()?, account, root),
        permission: stored.permission.clone(),
    })
}

/// One that has read these records, in any order.
pub fn read_back(stored: &Stored, records: &[Bytes]) -> Result<OpenDevice, Refusal> {
    let mut open = begin(stored)?;
    let records = records.iter().map(|record| Arrived::of(&record.0));
    let records = StoredRecords {
        others: records.collect(),
        ..StoredRecords::default()
    };
    open.device.take_stored(&records).map_err(refused)?;
    Ok(open)
}
