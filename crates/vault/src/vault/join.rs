//! Joins two states of one account that went on without each other: two with the same revision, say, which storage
//! can't choose between. What either has is kept; what either has deleted or removed stays so.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use crate::error::VaultError;
use crate::methods::unlock_method::Method;
use crate::pay::mandate_count::Names;
use crate::seal::activity_log::ActivityLog;
use crate::tools::Tools;
use crate::vault::Vault;
use crate::vault::private::Private;
use crate::vault::sealed_state::MAX_METHODS;
use keyhole_ucan::identity::key::SecretKey;

/// Another copy's key: its id, the key, when it was made, its name.
type OtherKey = (String, SecretKey, u64, Option<String>);

impl Vault {
    /// Joins another state of the same account into this one. The new revision is after both. The result is the same in
    /// both directions, except for what is random and for the counter's name. If their data keys differ, one of them
    /// removed or replaced a method, and the result gets a new data key.
    ///
    /// # Errors
    /// OPERATION_FAILED for another account, for a state of `seal-v1` ([`Vault::upgrade`] first), past the limits of an
    /// account, and when randomness fails. Nothing is changed then.
    pub fn join(&mut self, other: &Self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        if other.state.address != self.state.address {
            return Err(VaultError::ImportOfOtherAccount);
        }
        if !self.is_second() || !other.is_second() {
            return Err(VaultError::internal("Only states of seal-v2 are joined."));
        }
        if self.state.mac == other.state.mac {
            return Ok(());
        }
        self.change(tools, |vault, tools| vault.take_in(other, tools))
    }

    fn take_in(&mut self, other: &Self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        let is_later = self.has_more_changes_than(other);
        let is_rekeyed = self.data_key != other.data_key;
        let versions = self.private.second.methods.clone();
        self.join_private(&other.private, is_later, tools);
        self.join_keys(other, is_later, tools)?;
        self.join_methods(other, &versions)?;
        self.state.revision = self.state.revision.max(other.state.revision);
        if is_rekeyed {
            let second = &mut self.private.second;
            second.epoch = second.epoch.max(other.private.second.epoch);
            self.replace_data_key_if(true, tools)?;
        }
        Ok(())
    }

    /// Which of two states wins if only one can: the one with the later revision, else either, but the same one from
    /// both sides.
    fn has_more_changes_than(&self, other: &Self) -> bool {
        let rank = |vault: &Self| (vault.state.revision, vault.state.mac.0);
        rank(self) > rank(other)
    }

    /// The same for unlock methods: a data key that was replaced more often wins.
    fn is_under_a_later_key_than(&self, other: &Self) -> bool {
        let rank = |vault: &Self| {
            (
                vault.private.second.epoch,
                vault.state.revision,
                vault.state.mac.0,
            )
        };
        rank(self) > rank(other)
    }

    fn join_private(&mut self, other: &Private, is_later: bool, tools: &Tools<'_>) {
        let ours = &mut self.private;
        let names = [ours.second.counter.clone(), other.second.counter.clone()];
        let [our_name, their_name] = names.map(Option::unwrap_or_default);
        let names = Names {
            ours: &our_name,
            theirs: &their_name,
        };
        ours.mandates.join(names, &other.mandates, tools.now);
        ActivityLog::join(&mut ours.log, other.log.as_ref());
        ours.ring.merge(&other.ring);
        ours.second.merge_tombstones(&other.second);
        ours.second.merge_set_aside(&other.second);
        let theirs = other.label.as_ref();
        if let (Some(text), set_aside) = choose(ours.label.take(), theirs, is_later) {
            ours.label = Some(text);
            if let Some(text) = set_aside {
                ours.second.keep_aside("account", &text);
            }
        }
        let names = [
            ("key", &mut ours.key_labels, &other.key_labels),
            ("method", &mut ours.method_labels, &other.method_labels),
        ];
        for (kind, ours_of, theirs_of) in names {
            for (id, theirs) in theirs_of {
                let (text, set_aside) = choose(ours_of.remove(id), Some(theirs), is_later);
                if let Some(text) = text {
                    ours_of.insert(id.clone(), text);
                }
                if let Some(text) = set_aside {
                    ours.second.keep_aside(&[kind, ":", id].concat(), &text);
                }
            }
        }
        if !is_later {
            // The other crate's parts can't be joined here, so take them whole.
            ours.second.sync.clone_from(&other.second.sync);
            ours.second.device.clone_from(&other.second.device);
        }
        for (name, value) in &other.rest {
            if !is_later || !ours.rest.contains_key(name) {
                ours.rest.insert(name.clone(), value.clone());
            }
        }
    }

    fn join_keys(
        &mut self,
        other: &Self,
        is_later: bool,
        tools: &mut Tools<'_>,
    ) -> Result<(), VaultError> {
        self.join_default_key(other, is_later)?;
        self.drop_deleted_keys()?;
        let first = self.state.first_key()?.id.clone();
        let second = self.private.second.clone();
        let is_gone = |id: &String| *id != first && second.is_deleted(id);
        let theirs = other.state.keys.iter().zip(&other.keys);
        let missing: Vec<OtherKey> = theirs
            .filter(|(sealed, key)| {
                !is_gone(&sealed.id) && self.key_of(&key.public_key()).is_none()
            })
            .map(|(sealed, key)| {
                let label = self.private.key_labels.get(&sealed.id).cloned();
                (sealed.id.clone(), key.clone(), sealed.created_at, label)
            })
            .collect();
        for (_, key, created_at, label) in missing {
            self.add_key(key, created_at, label, tools.random)?;
        }
        self.private.second.deleted_keys = second.deleted_keys;
        // The first key stays first. The others are in the order they were made, from whichever side.
        let mut all: Vec<_> = mem::take(&mut self.state.keys)
            .into_iter()
            .zip(mem::take(&mut self.keys))
            .collect();
        all.sort_by_key(|(sealed, _)| (sealed.id != first, sealed.created_at, sealed.id.clone()));
        (self.state.keys, self.keys) = all.into_iter().unzip();
        self.join_default_key(other, is_later)
    }

    fn join_default_key(&mut self, other: &Self, is_later: bool) -> Result<(), VaultError> {
        let ours = self.state.default_key.clone();
        let theirs = other.state.default_key.clone();
        let [first, second] = if is_later {
            [ours, theirs]
        } else {
            [theirs, ours]
        };
        let candidates = [first, second, self.state.first_key()?.id.clone()];
        let has = |id: &String| self.state.keys.iter().any(|key| key.id == *id);
        if let Some(id) = candidates.into_iter().find(has) {
            self.state.default_key = id;
        }
        Ok(())
    }

    fn join_methods(
        &mut self,
        other: &Self,
        versions: &BTreeMap<String, i64>,
    ) -> Result<(), VaultError> {
        let is_later = self.is_under_a_later_key_than(other);
        let second = self.private.second.clone();
        let is_removed = |method: &Method| second.is_removed(&method.id);
        self.state.methods.retain(|method| !is_removed(method));
        for theirs in other.state.methods.iter().filter(|one| !is_removed(one)) {
            let methods = self.state.methods.iter_mut();
            // There is only one passphrase and one recovery code, even if each side made its own.
            let is_same = |ours: &&mut Method| {
                ours.id == theirs.id || ours.kind == theirs.kind && theirs.is_single()
            };
            let Some(ours) = methods.into_iter().find(is_same) else {
                self.state.methods.push(theirs.clone());
                continue;
            };
            if ours.public_key == theirs.public_key {
                continue;
            }
            let their_versions = &other.private.second.methods;
            let rank = |versions: &BTreeMap<String, i64>, id: &str| versions.get(id).copied();
            let our_rank = (rank(versions, &ours.id), is_later);
            if (rank(their_versions, &theirs.id), !is_later) > our_rank {
                *ours = theirs.clone();
            }
        }
        if self.state.methods.len() > MAX_METHODS {
            return Err(VaultError::TooManyMethods);
        }
        self.state
            .methods
            .sort_by_key(|method| (method.created_at, method.id.clone()));
        self.check_methods()
    }
}

/// Chooses one of two names for one thing. Also gives the other one, if it differs.
fn choose(
    ours: Option<String>,
    theirs: Option<&String>,
    is_later: bool,
) -> (Option<String>, Option<String>) {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if ours != *theirs => {
            let theirs = theirs.clone();
            if is_later {
                (Some(ours), Some(theirs))
            } else {
                (Some(theirs), Some(ours))
            }
        }
        (ours, theirs) => (ours.or_else(|| theirs.cloned()), None),
    }
}

#[cfg(test)]
#[path = "join_test.rs"]
mod tests;
