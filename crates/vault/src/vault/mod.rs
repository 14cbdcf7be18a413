//! An unlocked account: private keys, labels and metadata keys in the clear, with their sealed state.
//!
//! Each change makes the next sealed state, with the next revision, or fails and changes nothing.

pub mod activity;
pub mod address;
pub mod devices;
pub mod join;
pub mod method_keys;
pub(crate) mod private;
pub mod sealed_state;
pub mod spending;
pub mod unlock_methods;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::recovery_code::RecoveryCode;
use crate::methods::unlock_proof::{NewMethods, UnlockProof};
use crate::random::{self, Random};
use crate::seal::aead::{self, canonical};
use crate::seal::format::{FORMAT, FORMAT_2, MAX_NUMBER};
use crate::seal::kdf::KdfMemory;
use crate::tools::Tools;
use crate::vault::address::derive_address;
use crate::vault::private::{Private, Second};
use crate::vault::sealed_state::{MAX_KEYS, MAX_STATE_BYTES, SealedKey, SealedState};
use keyhole_ucan::codec::base64::{self, Bytes, Fixed};
use keyhole_ucan::identity::key::{PublicKey, SecretKey};
use keyhole_ucan::identity::key_type::KeyType;

/// Longest label of an account or a key, in characters.
pub const MAX_LABEL_CHARACTERS: usize = 200;

const KEY_ID_DOMAIN: &[u8] = b"keyhole key id v1\0";
const KEY_ID_LENGTH: usize = 12;

/// What a new account is made from.
pub struct NewAccount<'a> {
    /// The first key, whose address is the account's.
    pub key: FirstKey,
    /// How it will be opened.
    pub methods: NewMethods<'a>,
    /// What the person calls it.
    pub label: Option<&'a str>,
    /// The network that its address belongs to.
    pub chain_id: &'a str,
}

/// The first key of a new account.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one, for a moment; a box would leave a private key behind in freed memory"
)]
pub enum FirstKey {
    /// A new key of this type.
    Made(KeyType),
    /// A key from elsewhere.
    Given(SecretKey),
}

/// An unlocked account. Everything secret in it is wiped on drop.
#[derive(Clone)]
pub struct Vault {
    pub(crate) state: SealedState,
    pub(crate) data_key: Zeroizing<[u8; 32]>,
    pub(crate) keys: Vec<SecretKey>,
    pub(crate) private: Private,
    /// The parts that all devices share may be changed. Such a draft is never stored.
    pub(crate) is_draft: bool,
}

impl Vault {
    /// Makes an account with one key. Also answers its recovery code, if one was requested.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE as [`crate::seal::kdf::check_new_passphrase`]; OPERATION_FAILED for an invalid chain id,
    /// label or passkey, for too few methods (it needs a passphrase, or a passkey and another one), and when randomness
    /// or memory fail.
    pub fn create(
        new: NewAccount<'_>,
        tools: &mut Tools<'_>,
    ) -> Result<(Self, Option<RecoveryCode>), VaultError> {
        let label = check_label(new.label)?;
        new.methods.check()?;
        let key = match new.key {
            FirstKey::Made(key_type) => make_key(key_type, tools.random)?,
            FirstKey::Given(key) => key,
        };
        let mut vault = Self::with_first_key(key, tools.now, new.chain_id, tools.random)?;
        let code = vault.add_methods(&new.methods, tools)?;
        vault.private.label = label;
        vault.private.ring.advance(tools.random)?;
        vault.commit(tools.random)?;
        Ok((vault, code))
    }

    /// An account of revision 0 with a first key, without methods, labels and ring. The caller commits it.
    pub(crate) fn with_first_key(
        key: SecretKey,
        created_at: u64,
        chain_id: &str,
        random: &mut dyn Random,
    ) -> Result<Self, VaultError> {
        let public = key.public_key();
        let address = derive_address(chain_id, &public)?;
        let data_key = random::secret(random)?;
        let id = derive_key_id(&public);
        let sealed = SealedKey::make(&address, &id, &key, created_at, &data_key, random)?;
        Ok(Self {
            state: SealedState {
                format: FORMAT.to_string(),
                address,
                chain_id: chain_id.to_string(),
                revision: 0,
                default_key: id,
                keys: alloc::vec![sealed],
                methods: Vec::new(),
                private: aead::SealedBytes {
                    nonce: Fixed([0; aead::NONCE_LENGTH]),
                    sealed: Bytes(Vec::new()),
                },
                mac: Fixed([0; 32]),
                checksum: Fixed([0; 32]),
            },
            data_key,
            keys: alloc::vec![key],
            private: Private::default(),
            is_draft: false,
        })
    }

    /// Unlocks a sealed state.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE if the proof opens none of its methods or anything was altered; OPERATION_FAILED if there
    /// isn't enough memory.
    pub fn unlock(
        state: SealedState,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<Self, VaultError> {
        let data_key = state.open_data_key(proof, memory)?;
        Self::open(state, data_key)?.ok_or_else(|| proof.refusal())
    }

    /// The same account in another state, if that is authentic under the current data key: another holder of the key
    /// has written it. `None` otherwise, and also for another data key.
    pub fn follow(&self, state: SealedState) -> Option<Self> {
        if state.address != self.state.address {
            return None;
        }
        Self::open(state, self.data_key.clone()).ok()?
    }

    /// Checks everything before trusting anything: the MAC, each private key against its public one, the address.
    ///
    /// # Errors
    /// OPERATION_FAILED for an authentic state that needs a newer version.
    fn open(state: SealedState, data_key: Zeroizing<[u8; 32]>) -> Result<Option<Self>, VaultError> {
        let Some(vault) = Self::open_any(state, data_key) else {
            return Ok(None);
        };
        let is_whole = vault.private.check(&vault.state.format)?;
        Ok(is_whole.then_some(vault))
    }

    fn open_any(state: SealedState, data_key: Zeroizing<[u8; 32]>) -> Option<Self> {
        if !state.is_authentic(&data_key) {
            return None;
        }
        let keys = state
            .keys
            .iter()
            .map(|key| key.open(&state.address, &data_key))
            .collect::<Option<Vec<_>>>()?;
        let first = keys.first()?.public_key();
        if derive_address(&state.chain_id, &first).ok()? != state.address {
            return None;
        }
        let binding = private_binding(&state).ok()?;
        let private = aead::open(&data_key, &binding, state.private.clone())?;
        let private: Private = serde_json::from_slice(&private).ok()?;
        Some(Self {
            state,
            data_key,
            keys,
            private,
            is_draft: false,
        })
    }

    /// The sealed state, to be stored.
    pub fn state(&self) -> &SealedState {
        &self.state
    }

    /// Makes this an account of the format `seal-v2`, which earlier versions can't read. From now on no older copy
    /// brings deleted keys and removed methods back, and counts have a name. What `seal-v1` has counted belongs to a
    /// copy named by this exact state. When two copies that were one account are joined, the sum of both applies:
    /// perhaps more than was spent, and never less. Does nothing if it is one already.
    ///
    /// # Errors
    /// OPERATION_FAILED when randomness fails.
    pub fn upgrade(&mut self, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        if self.is_second() {
            return Ok(());
        }
        let before = base64::encode(self.state.mac.0.get(..16).unwrap_or_default());
        self.change(tools, |vault, tools| {
            vault.state.format = FORMAT_2.to_string();
            vault.private.second = Second::make(tools.random)?;
            vault.private.mandates.count_as(&["v1-", &before].concat());
            Ok(())
        })
    }

    /// Whether it has the format `seal-v2`.
    pub fn is_second(&self) -> bool {
        self.state.format == FORMAT_2
    }

    /// The account's name.
    pub fn label(&self) -> Option<&str> {
        self.private.label.as_deref()
    }

    /// A key's name.
    pub fn key_label(&self, id: &str) -> Option<&str> {
        self.private.key_labels.get(id).map(String::as_str)
    }

    /// A private key by its id, or the default one.
    ///
    /// # Errors
    /// KEY_NOT_FOUND.
    pub fn key(&self, id: Option<&str>) -> Result<&SecretKey, VaultError> {
        let index = self.index_of(id.unwrap_or(&self.state.default_key))?;
        self.keys.get(index).ok_or_else(key_not_found)
    }

    /// The private half of a public key, if the account has it.
    pub fn key_of(&self, public: &PublicKey) -> Option<&SecretKey> {
        self.keys.iter().find(|key| key.public_key() == *public)
    }

    /// Adds a new key; answers its id.
    ///
    /// # Errors
    /// OPERATION_FAILED past [`MAX_KEYS`], for a label that is too long, and when randomness fails.
    pub fn generate_key(
        &mut self,
        key_type: KeyType,
        label: Option<&str>,
        tools: &mut Tools<'_>,
    ) -> Result<String, VaultError> {
        let label = check_label(label)?;
        self.change(tools, |vault, tools| {
            let key = make_key(key_type, tools.random)?;
            vault.add_key(key, tools.now, label, tools.random)
        })
    }

    /// Adds a key from elsewhere; answers its id.
    ///
    /// # Errors
    /// OPERATION_FAILED if the account already has it, past [`crate::vault::sealed_state::MAX_KEYS`], for a label that
    /// is too long, and when randomness fails.
    pub fn import_key(
        &mut self,
        key: SecretKey,
        label: Option<&str>,
        tools: &mut Tools<'_>,
    ) -> Result<String, VaultError> {
        let label = check_label(label)?;
        if self.key_of(&key.public_key()).is_some() {
            return Err(VaultError::KeyKnown);
        }
        self.change(tools, |vault, tools| {
            vault.add_key(key, tools.now, label, tools.random)
        })
    }

    /// Adds a key to the state and its label to the private section. The caller commits.
    pub(crate) fn add_key(
        &mut self,
        key: SecretKey,
        created_at: u64,
        label: Option<String>,
        random: &mut dyn Random,
    ) -> Result<String, VaultError> {
        if self.keys.len() >= MAX_KEYS {
            return Err(VaultError::TooManyKeys);
        }
        let id = derive_key_id(&key.public_key());
        self.private.second.bring_back(&id);
        let sealed = SealedKey::make(
            &self.state.address,
            &id,
            &key,
            created_at,
            &self.data_key,
            random,
        )?;
        self.state.keys.push(sealed);
        self.keys.push(key);
        if let Some(label) = label {
            self.private.key_labels.insert(id.clone(), label);
        }
        Ok(id)
    }

    /// Names the account; an empty label removes the name.
    ///
    /// # Errors
    /// OPERATION_FAILED for a label that is too long, and when randomness fails.
    pub fn set_label(&mut self, label: &str, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        let label = check_label(Some(label))?;
        self.change(tools, |vault, _| {
            vault.private.label = label;
            Ok(())
        })
    }

    /// Names a key; an empty label removes the name.
    ///
    /// # Errors
    /// KEY_NOT_FOUND; OPERATION_FAILED for a label that is too long, and when randomness fails.
    pub fn label_key(
        &mut self,
        id: &str,
        label: &str,
        tools: &mut Tools<'_>,
    ) -> Result<(), VaultError> {
        self.index_of(id)?;
        let label = check_label(Some(label))?;
        self.change(tools, |vault, _| {
            match label {
                Some(label) => vault.private.key_labels.insert(id.to_string(), label),
                None => vault.private.key_labels.remove(id),
            };
            Ok(())
        })
    }

    /// Deletes a key for good. If it was the default one, the first key replaces it.
    ///
    /// # Errors
    /// KEY_NOT_FOUND; OPERATION_FAILED for the first key, which gives the account its address.
    pub fn delete_key(&mut self, id: &str, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        let index = self.index_of(id)?;
        if index == 0 {
            return Err(VaultError::FirstKey);
        }
        self.change(tools, |vault, _| {
            vault.keys.remove(index);
            vault.state.keys.remove(index);
            vault.private.key_labels.remove(id);
            if vault.is_second() && !vault.private.second.bury(id) {
                return Err(VaultError::TooManyKeys);
            }
            if vault.state.default_key == id {
                vault.state.default_key = vault.state.first_key()?.id.clone();
            }
            Ok(())
        })
    }

    /// Removes the keys that were deleted in another copy. The first key always stays.
    pub(crate) fn drop_deleted_keys(&mut self) -> Result<(), VaultError> {
        let first = self.state.first_key()?.id.clone();
        let private = &mut self.private;
        let is_gone = |id: &String| *id != first && private.second.is_deleted(id);
        let all = self.state.keys.iter().map(|key| is_gone(&key.id));
        let gone: Vec<bool> = all.collect();
        let mut each = gone.iter();
        self.state.keys.retain(|_| each.next() == Some(&false));
        let mut each = gone.iter();
        self.keys.retain(|_| each.next() == Some(&false));
        let Private {
            key_labels, second, ..
        } = private;
        key_labels.retain(|id, _| *id == first || !second.is_deleted(id));
        let has = |id: &String| self.state.keys.iter().any(|key| key.id == *id);
        if !has(&self.state.default_key) {
            self.state.default_key = first;
        }
        Ok(())
    }

    /// Makes this the default key for signing.
    ///
    /// # Errors
    /// KEY_NOT_FOUND.
    pub fn set_default_key(&mut self, id: &str, tools: &mut Tools<'_>) -> Result<(), VaultError> {
        self.index_of(id)?;
        self.change(tools, |vault, _| {
            vault.state.default_key = id.to_string();
            Ok(())
        })
    }

    /// Seals a text of the account's metadata; see [`Ring`](crate::seal::ring::Ring).
    ///
    /// # Errors
    /// OPERATION_FAILED for a context that is too long, and when randomness fails.
    pub fn seal_record(
        &self,
        context: &str,
        plaintext: &str,
        random: &mut dyn Random,
    ) -> Result<String, VaultError> {
        let ring = &self.private.ring;
        ring.seal(&self.state.address, context, plaintext, random)
    }

    /// Opens what [`Vault::seal_record`] made in the same context.
    ///
    /// # Errors
    /// OPERATION_FAILED if it is from another account or context, or was altered.
    pub fn open_record(
        &self,
        context: &str,
        sealed: &str,
    ) -> Result<Zeroizing<String>, VaultError> {
        let ring = &self.private.ring;
        ring.open(&self.state.address, context, sealed)
    }

    pub(crate) fn index_of(&self, id: &str) -> Result<usize, VaultError> {
        let mut keys = self.state.keys.iter();
        keys.position(|key| key.id == id).ok_or_else(key_not_found)
    }

    /// Makes a change on a copy, commits it, and only then adopts it.
    pub(crate) fn change<T>(
        &mut self,
        tools: &mut Tools<'_>,
        change: impl FnOnce(&mut Self, &mut Tools<'_>) -> Result<T, VaultError>,
    ) -> Result<T, VaultError> {
        let mut changed = self.clone();
        let answer = change(&mut changed, tools)?;
        changed.commit(tools.random)?;
        *self = changed;
        Ok(answer)
    }

    /// Seals the private section again, raises the revision and authenticates.
    pub(crate) fn commit(&mut self, random: &mut dyn Random) -> Result<(), VaultError> {
        let plaintext = serde_json::to_vec(&self.private)
            .map(Zeroizing::new)
            .map_err(|_| VaultError::internal("The account's labels cannot be written as JSON."))?;
        let binding = private_binding(&self.state)?;
        if self.state.revision >= MAX_NUMBER {
            return Err(VaultError::internal("This account was changed too often."));
        }
        if !self.is_in_step()? {
            return Err(VaultError::internal(
                "Change what all devices share in a draft, then adopt it.",
            ));
        }
        self.state.revision += 1;
        self.state.private = aead::seal(&self.data_key, &binding, plaintext, random)?;
        self.state.authenticate(&self.data_key)?;
        // Only write what can be read again.
        if self.state.to_text()?.len() > MAX_STATE_BYTES {
            return Err(VaultError::AccountTooLarge);
        }
        Ok(())
    }
}

/// A key's id within an account: the first 12 bytes of SHA-256("keyhole key id v1" ‖ 0x00 ‖ multicodec public key) as
/// base64url, so that two copies of an account use the same id for a key.
pub fn derive_key_id(key: &PublicKey) -> String {
    let digest = Sha256::new()
        .chain_update(KEY_ID_DOMAIN)
        .chain_update(key.to_multicodec())
        .finalize();
    base64::encode(digest.get(..KEY_ID_LENGTH).unwrap_or_default())
}

/// A label as it is stored: `None` if it is empty.
pub(crate) fn check_label(label: Option<&str>) -> Result<Option<String>, VaultError> {
    let label = label.filter(|label| !label.is_empty());
    if label.is_some_and(|label| label.chars().count() > MAX_LABEL_CHARACTERS) {
        return Err(VaultError::LabelTooLong);
    }
    Ok(label.map(ToString::to_string))
}

fn make_key(key_type: KeyType, random: &mut dyn Random) -> Result<SecretKey, VaultError> {
    let broken = VaultError::NoRandomness;
    SecretKey::make(key_type, broken, |bytes| random.fill(bytes))
}

fn private_binding(state: &SealedState) -> Result<Vec<u8>, VaultError> {
    canonical(&json!({"format": state.format, "part": "private", "address": state.address}))
}

fn key_not_found() -> VaultError {
    VaultError::KeyNotFound
}

#[cfg(test)]
#[path = "vault_test.rs"]
mod tests;
