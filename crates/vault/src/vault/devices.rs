//! What an account needs that several devices use: what all of them share and each may change only together with the others, and what
//! this one alone has. How devices are kept in step is another crate's; here is what it may do with an account.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::unlock_method::{SealedKeyFor, SealedTo};
use crate::pay::budget::Used;
use crate::pay::mandate::{Count, Mandate};
use crate::pay::share::Shares;
use crate::random::Random;
use crate::seal::aead::{self, canonical};
use crate::seal::kdf::hkdf;
use crate::seal::section::Section;
use crate::tools::Tools;
use crate::vault::Vault;
use crate::vault::private::{Private, Second};
use crate::vault::sealed_state::SealedState;
use keyhole_ucan::codec::base64::Fixed;

const FINGERPRINT_INFO: &[u8] = b"keyhole shared fingerprint v1";
/// The name in the place of a counter in what all devices share, where nothing is counted.
const SHARED: &str = "shared";

/// What of an account may be changed by whoever keeps its devices in step.
pub struct Parts<'a>(&'a mut Vault);

impl Vault {
    /// What all devices share, and what this one has, as they were set; nothing where the account has one device.
    pub fn sections(&self) -> (Option<&Section>, Option<&Section>) {
        let second = &self.private.second;
        (second.sync.as_ref(), second.device.as_ref())
    }

    /// The name that this copy counts under; `None` for an account of `seal-v1`.
    pub fn counter(&self) -> Option<&str> {
        self.private.second.counter.as_deref()
    }

    /// A copy in which what all devices share can be changed: to be made known to them before it is adopted.
    #[must_use]
    pub fn as_draft(&self) -> Self {
        Self {
            is_draft: true,
            ..self.clone()
        }
    }

    /// The requests for payments that were answered and are remembered: by CID, until when (seconds) each could be asked again.
    pub fn answered_requests(&self) -> &BTreeMap<String, i64> {
        self.private.mandates.answered()
    }

    /// Whether another state is under the same data key.
    pub fn has_data_key_of(&self, other: &Self) -> bool {
        self.data_key == other.data_key
    }

    /// What all devices share, as a state of its own: keys, unlock methods, the default key, metadata keys, what was deleted, and the
    /// section of that name. No label, mandate, count or log is in it.
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

    /// The data key, for a device.
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

    /// Opens what devices share with the private half that its data key was sealed to; `None` where anything differs.
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

    /// Changes what other devices have told, in one change of the state.
    ///
    /// # Errors
    /// What `change` answers; OPERATION_FAILED for an account of `seal-v1`, and when randomness fails.
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

    /// Whether what all devices share is as it was when it was adopted last. An account that is on no other device answers for itself.
    pub(crate) fn is_in_step(&self) -> Result<bool, VaultError> {
        let second = &self.private.second;
        if self.is_draft || second.device.is_none() {
            return Ok(true);
        }
        Ok(second.shared == Some(self.fingerprint()?))
    }

    /// Of everything that all devices share.
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
    /// Sets what all devices share.
    pub fn set_shared(&mut self, section: Section) {
        self.0.private.second.sync = Some(section);
    }

    /// Sets what this device has; nothing: the account is on no device that is kept in step any more.
    pub fn set_device(&mut self, section: Option<Section>) {
        self.0.private.second.device = section;
    }

    /// Takes keys, unlock methods, data key and everything else that devices share from what was opened by [`Vault::open_shared`].
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

    /// Replaces the data key: what is sealed from now on is read by nobody who had the old one alone.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness fails.
    pub fn replace_data_key(&mut self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        self.0.replace_data_key_if(true, tools)
    }

    /// Counts under this name from now on: what was counted stays under the name of before.
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

    /// Takes in a mandate that another device made, without counts. One that is here, or over, stays as it is. `false` where there is no
    /// room for it: then nothing can be spent under it here.
    pub fn take_in_mandate(&mut self, mandate: &Mandate, now: u64) -> bool {
        let mut new = mandate.clone();
        (new.used, new.total) = (Used::default(), Used::default());
        new.others.clear();
        new.recent.clear();
        new.shares = Some(Shares::default());
        self.0.private.mandates.put_new(new, now as i64)
    }

    /// Adds what a device has spent under a mandate. A count of an earlier period than the last one that is known of that device
    /// changes what was spent in all alone.
    pub fn add_spent(&mut self, cid: &str, name: &str, spent: &Used) {
        let ours = self.0.private.second.counter.clone();
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.add_spent(ours.as_deref() == Some(name), name, spent);
        }
    }

    /// Takes back what this device has counted under its own name: it is counted again under another one.
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

    /// Remembers a request that another device has answered, and until when (seconds) it could be asked again. However many are
    /// remembered already: what was answered is never answered again.
    pub fn note_answered(&mut self, request: &str, until: i64) {
        self.0.private.mandates.note_answered(request, until);
    }

    /// Ends a mandate that was ended elsewhere.
    pub fn end_mandate(&mut self, cid: &str) {
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.ended = true;
        }
    }

    /// Suspends a mandate, or confirms it, as was done elsewhere.
    pub fn suspend_mandate(&mut self, cid: &str, suspended: bool) {
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.suspended = suspended;
        }
    }

    /// Sets what of a mandate's budget is this device's; `None`: all of it, since there is no other device.
    pub fn set_shares(&mut self, cid: &str, shares: Option<Shares>) {
        if let Some(mandate) = self.0.private.mandates.find_mut(cid) {
            mandate.shares = shares;
        }
    }

    /// Names the account, one of its keys or one of its methods, as was done elsewhere; nothing takes the name away.
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

/// What has a name.
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
