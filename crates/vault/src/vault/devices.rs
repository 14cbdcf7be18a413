//! An account on several devices: what they all share, which only changes together, and what belongs to this one.
//! Another crate keeps the devices in step; this one says what it may do with an account.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::unlock_method::{SealedKeyFor, SealedTo};
use crate::pay::budget::Used;
use crate::pay::mandate::{Count, Mandate};
use crate::pay::mandate_count::Names;
use crate::pay::share::Shares;
use crate::random::Random;
use crate::seal::aead::{self, canonical};
use crate::seal::kdf::hkdf;
use crate::seal::section::Section;
use crate::tools::Tools;
use crate::vault::Vault;
use crate::vault::private::{Private, Second};
use crate::vault::sealed_state::{MAX_KEYS, SealedKey, SealedState};
use keyhole_ucan::codec::base64::Fixed;
use keyhole_ucan::identity::key::SecretKey;

const FINGERPRINT_INFO: &[u8] = b"keyhole shared fingerprint v1";
/// Replaces the counter's name in the shared state, where nothing is counted.
const SHARED: &str = "shared";

/// What the code that keeps devices in step may change in an account.
pub struct Parts<'a>(&'a mut Vault);

impl Vault {
    /// The shared section and this device's, as they were set; nothing if the account has one device.
    pub fn sections(&self) -> (Option<&Section>, Option<&Section>) {
        let second = &self.private.second;
        (second.sync.as_ref(), second.device.as_ref())
    }

    /// The name of this copy's counter; `None` for an account of `seal-v1`.
    pub fn counter(&self) -> Option<&str> {
        self.private.second.counter.as_deref()
    }

    /// A copy in which the shared parts can be changed. Other devices must learn of it before it is adopted.
    #[must_use]
    pub fn as_draft(&self) -> Self {
        Self {
            is_draft: true,
            ..self.clone()
        }
    }

    /// Requests for payments that were answered and are remembered: by CID, until when (seconds) each could be asked
    /// again.
    pub fn answered_requests(&self) -> &BTreeMap<String, i64> {
        self.private.mandates.answered()
    }

    /// Whether another state has the same data key.
    pub fn has_data_key_of(&self, other: &Self) -> bool {
        self.data_key == other.data_key
    }

    /// Whether another state has the same shared parts.
    pub fn shares_the_same(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.fingerprint(), other.fingerprint());
        let is_same = matches!((ours, theirs), (Ok(ours), Ok(theirs)) if ours == theirs);
        is_same && self.private.second.sync == other.private.second.sync
    }

    /// Whether this state has keys that another one neither has nor has deleted, and has room for.
    pub fn has_keys_missing_in(&self, other: &Self) -> bool {
        other.keys.len() < MAX_KEYS && self.keys_missing_in(other).next().is_some()
    }

    fn keys_missing_in(&self, other: &Self) -> impl Iterator<Item = (&SealedKey, &SecretKey)> {
        let all = self.state.keys.iter().zip(&self.keys);
        all.filter(|(sealed, _)| {
            let mut theirs = other.state.keys.iter();
            theirs.all(|key| key.id != sealed.id) && !other.private.second.is_deleted(&sealed.id)
        })
    }

    /// Adds the keys that another state of this account has and this one neither has nor has deleted, as far as there is room.
    ///
    /// # Errors
    /// OPERATION_FAILED for another account, and when randomness fails.
    pub fn keep_keys_of(&mut self, other: &Self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        if other.state.address != self.state.address {
            return Err(VaultError::ImportOfOtherAccount);
        }
        if !other.has_keys_missing_in(self) {
            return Ok(());
        }
        self.change(tools, |vault, tools| {
            let before = vault.clone();
            let room = MAX_KEYS.saturating_sub(vault.keys.len());
            for (sealed, key) in other.keys_missing_in(&before).take(room) {
                vault.add_key(key.clone(), sealed.created_at, None, tools.random)?;
            }
            Ok(())
        })
    }

    /// The shared parts as a separate state: keys, unlock methods, the default key, metadata keys, deletions, and the
    /// shared section. It has no label, mandate, count or log.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness fails.
    pub fn shared_state(
        &self,
        revision: u64,
        random: &mut dyn Random,
    ) -> Result<SealedState, VaultError> {
        let mut shared = self.as_draft();
        let private = &self.private;
        shared.private = Private {
            ring: private.ring.clone(),
            second: Second {
                counter: Some(SHARED.to_string()),
                device: None,
                shared: None,
                set_aside: Vec::new(),
                ..private.second.clone()
            },
            ..Private::default()
        };
        shared.state.revision = revision.saturating_sub(1);
        shared.commit(random)?;
        Ok(shared.state)
    }

    /// The data key, sealed for a device.
    ///
    /// # Errors
    /// OPERATION_FAILED for a public half of small order, and when randomness fails.
    pub fn seal_data_key(
        &self,
        to: SealedTo<'_>,
        random: &mut dyn Random,
    ) -> Result<SealedKeyFor, VaultError> {
        SealedKeyFor::seal(&self.data_key, to, random)
    }

    /// Opens the shared state with the private half that its data key was sealed to; `None` if anything differs.
    ///
    /// # Errors
    /// OPERATION_FAILED for a state that is authentic and needs a newer version.
    pub fn open_shared(
        state: SealedState,
        sealed: &SealedKeyFor,
        private: &Zeroizing<[u8; 32]>,
        to: SealedTo<'_>,
    ) -> Result<Option<Self>, VaultError> {
        match sealed.unseal(private, to) {
            Some(data_key) => Self::open(state, data_key),
            None => Ok(None),
        }
    }

    /// Applies what other devices reported, in one change of the state.
    ///
    /// # Errors
    /// Whatever `change` answers; OPERATION_FAILED for an account of `seal-v1`, and when randomness fails.
    pub fn update<T, E: From<VaultError>>(
        &mut self,
        tools: &mut Tools<'_>,
        change: impl FnOnce(&mut Parts<'_>, &mut Tools<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.is_second() {
            return Err(VaultError::internal("An account of seal-v1 has one device.").into());
        }
        let mut changed = self.clone();
        let answer = change(&mut Parts(&mut changed), tools)?;
        changed.commit(tools.random)?;
        *self = changed;
        Ok(answer)
    }

    /// Makes a copy of a device's state an account on no device: it drops the device's section, counts under a new name, and suspends every
    /// mandate, since that device goes on with its counts. What all devices share stays, as in a backup.
    ///
    /// Answers `false`, and changes nothing, if the account is on no device.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness fails.
    pub fn leave_devices(&mut self, tools: &mut Tools<'_>) -> Result<bool, VaultError> {
        if self.private.second.device.is_none() {
            return Ok(false);
        }
        self.change(tools, |vault, tools| {
            let private = &mut vault.private;
            let second = private.second.as_other_copy(tools.random)?;
            let before = mem::replace(&mut private.second, second);
            private.mandates.go_on_apart(Names {
                ours: private.second.counter.as_deref().unwrap_or_default(),
                theirs: before.counter.as_deref().unwrap_or_default(),
            });
            Ok(true)
        })
    }

    /// Whether the shared parts are as they were last adopted. Always true for an account without other devices, and for that of a limited
    /// device, which shares nothing.
    pub(crate) fn is_in_step(&self) -> Result<bool, VaultError> {
        let second = &self.private.second;
        if self.is_draft || second.device.is_none() {
            return Ok(true);
        }
        match second.shared {
            Some(shared) => Ok(shared == self.fingerprint()?),
            None => Ok(true),
        }
    }

    /// Covers everything that all devices share.
    fn fingerprint(&self) -> Result<Fixed<32>, VaultError> {
        let keys = self.state.keys.iter();
        let keys: Vec<Value> = keys
            .map(|key| json!([key.id, key.public_key, key.created_at]))
            .collect();
        let second = &self.private.second;
        let data_key = hkdf(&[], &self.data_key[..], FINGERPRINT_INFO)?;
        let all = json!({
            "keys": keys,
            "default_key": self.state.default_key,
            "methods": aead::to_json(&self.state.methods)?,
            "deleted_keys": aead::to_json(&second.deleted_keys)?,
            "replaced_methods": aead::to_json(&second.methods)?,
            "data_key": Fixed(*data_key),
        });
        Ok(Fixed(Sha256::digest(canonical(&all)?).into()))
    }
}

impl Parts<'_> {
    /// Sets the section that all devices share.
    pub fn set_shared(&mut self, section: Section) {
        self.0.private.second.sync = Some(section);
    }

    /// Sets this device's section; `None` if the account is no longer kept in step with other devices.
    pub fn set_device(&mut self, section: Option<Section>) {
        self.0.private.second.device = section;
    }

    /// Takes keys, unlock methods, data key and every other shared part from what [`Vault::open_shared`] opened.
    ///
    /// # Errors
    /// OPERATION_FAILED for another account.
    pub fn adopt(&mut self, shared: &Vault) -> Result<(), VaultError> {
        let vault = &mut *self.0;
        if shared.state.address != vault.state.address {
            return Err(VaultError::ImportOfOtherAccount);
        }
        vault
            .state
            .default_key
            .clone_from(&shared.state.default_key);
        vault.state.keys.clone_from(&shared.state.keys);
        vault.state.methods.clone_from(&shared.state.methods);
        vault.data_key.clone_from(&shared.data_key);
        vault.keys.clone_from(&shared.keys);
        let mut ring = shared.private.ring.clone();
        ring.merge(&vault.private.ring);
        vault.private.ring = ring;
        let theirs = &shared.private.second;
        let ours = &mut vault.private.second;
        ours.critical.clone_from(&theirs.critical);
        ours.epoch = theirs.epoch;
        ours.deleted_keys.clone_from(&theirs.deleted_keys);
        ours.methods.clone_from(&theirs.methods);
        ours.sync.clone_from(&theirs.sync);
        let (keys, methods) = (&vault.state.keys, &vault.state.methods);
        let private = &mut vault.private;
        let has_key = |id: &String| keys.iter().any(|key| key.id == *id);
        private.key_labels.retain(|id, _| has_key(id));
        let has_method = |id: &String| methods.iter().any(|method| method.id == *id);
        private.method_labels.retain(|id, _| has_method(id));
        let fingerprint = vault.fingerprint()?;
        vault.private.second.shared = Some(fingerprint);
        Ok(())
    }

    /// Replaces the data key: someone who only had the old one can't read what is sealed from now on.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness fails.
    pub fn replace_data_key(&mut self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        self.0.replace_data_key_if(true, tools)
    }

    /// Counts under this name from now on. What was counted stays under the old name.
    pub fn count_as(&mut self, name: &str) {
        let private = &mut self.0.private;
        let before = private.second.counter.replace(name.to_string());
        if let Some(before) = before.filter(|before| before != name) {
            private.mandates.count_as(&before);
        }
    }

    /// The mandates with a budget.
    pub fn mandates(&self) -> &[Mandate] {
        self.0.private.mandates.all()
    }

    /// Adds a mandate that another device made, without counts. One that is here or has ended stays as it is. `false`
    /// if there is no room for it: then nothing can be spent under it here.
    pub fn take_in_mandate(&mut self, mandate: &Mandate, now: u64) -> bool {
        let mut new = mandate.clone();
        (new.used, new.total) = (Used::default(), Used::default());
        new.others.clear();
        new.recent.clear();
        new.shares = Some(Shares::default());
        self.0.private.mandates.put_new(new, now as i64)
    }

    /// Adds what a device has spent under a mandate. If its period is earlier than the last one known of that device,
    /// this only changes the total.
    pub fn add_spent(&mut self, cid: &str, name: &str, spent: &Used) {
        let ours = self.0.private.second.counter.clone();
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.add_spent(ours.as_deref() == Some(name), name, spent);
        }
    }

    /// Removes what this device has counted under its name, to count it under another one.
    pub fn take_back_spent(&mut self, cid: &str, spent: &Used) {
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.take_back_spent(spent);
        }
    }

    /// What a device has counted, by its name.
    pub fn count_of(&self, cid: &str, name: &str) -> Option<Count> {
        let is_ours = self.0.private.second.counter.as_deref() == Some(name);
        let mut all = self.0.private.mandates.all().iter();
        let mandate = all.find(|mandate| mandate.cid == cid)?;
        if is_ours {
            return Some(Count {
                used: mandate.used.clone(),
                total: mandate.total.clone(),
            });
        }
        mandate.others.get(name).cloned()
    }

    /// Remembers a request that another device has answered, and until when (seconds) it could be asked again. There is
    /// no limit here, since an answered request must never be answered again.
    pub fn note_answered(&mut self, request: &str, until: i64) {
        self.0.private.mandates.note_answered(request, until);
    }

    /// Ends a mandate that another device ended.
    pub fn end_mandate(&mut self, cid: &str) {
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.ended = true;
        }
    }

    /// Suspends or confirms a mandate, as another device did.
    pub fn suspend_mandate(&mut self, cid: &str, suspended: bool) {
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.suspended = suspended;
        }
    }

    /// Sets this device's share of a mandate's budget; `None`: all of it, since there is no other device.
    pub fn set_shares(&mut self, cid: &str, shares: Option<Shares>) {
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.shares = shares;
        }
    }

    /// Names the account, one of its keys or one of its methods, as another device did; `None` removes the name.
    pub fn set_name(&mut self, of: NameOf<'_>, name: Option<String>) {
        let private = &mut self.0.private;
        let (names, id) = match of {
            NameOf::Account => {
                private.label = name;
                return;
            }
            NameOf::Key(id) => (&mut private.key_labels, id),
            NameOf::Method(id) => (&mut private.method_labels, id),
        };
        match name {
            Some(name) => names.insert(id.to_string(), name),
            None => names.remove(id),
        };
    }
}

/// Something with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameOf<'a> {
    /// The account.
    Account,
    /// One of its keys, by id.
    Key(&'a str),
    /// One of its unlock methods, by id.
    Method(&'a str),
}

#[cfg(test)]
#[path = "devices_test.rs"]
mod tests;
