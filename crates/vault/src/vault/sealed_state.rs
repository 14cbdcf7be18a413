//! Formats `seal-v1` and `seal-v2`: an account at rest. Pinned for ever by `vectors/keyhole/seal-v1.json` and
//! `seal-v2.json`, and described in `docs/formats.md`.
//!
//! The checksum tells damage from tampering and needs no key. The MAC, under the data key, covers everything else: the
//! lists of methods and keys, their costs, the revision.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::VaultError;
use crate::methods::unlock_method::Method;
use crate::methods::unlock_proof::{KINDS, UnlockProof};
use crate::random::Random;
use crate::seal::aead::{self, SealedBytes, canonical};
use crate::seal::format::{FORMAT, MAX_NUMBER, damaged, is_format};
use crate::seal::kdf::{KdfMemory, hkdf};
use crate::vault::address::derive_address;
use keyhole_ucan::codec::base64::{Bytes, Fixed};
use keyhole_ucan::identity::key::{PublicKey, SecretKey};
use keyhole_ucan::identity::key_type::KeyType;

/// Longest sealed state that is read, in bytes.
pub const MAX_STATE_BYTES: usize = 4 * 1_024 * 1_024;
/// Most keys of an account.
pub const MAX_KEYS: usize = 256;
/// Most unlock methods of an account.
pub const MAX_METHODS: usize = 32;
const MAX_ID_LENGTH: usize = 64;
const MAC_INFO: &[u8] = b"keyhole seal-v1 mac";
const MAC_INFO_2: &[u8] = b"keyhole seal-v2 mac";

/// The sealed state of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedState {
    /// `seal-v1` or `seal-v2`.
    pub format: String,
    /// The account's address, of its first key.
    pub address: String,
    /// The network that the address belongs to.
    pub chain_id: String,
    /// Rises by one with each write. The higher of two copies wins.
    pub revision: u64,
    /// The id of the default key for signing.
    pub default_key: String,
    /// The keys, the first one first.
    pub keys: Vec<SealedKey>,
    /// The ways to open it.
    pub methods: Vec<Method>,
    /// Labels, metadata keys and counters.
    pub private: SealedBytes,
    /// HMAC-SHA-256 over everything but this and the checksum.
    pub mac: Fixed<32>,
    /// SHA-256 over everything but this.
    pub checksum: Fixed<32>,
}

/// A private key at rest, and its public parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedKey {
    /// Names the key within the account.
    pub id: String,
    /// `ed25519`, `p256` or `secp256k1`.
    #[serde(rename = "type")]
    pub key_type: String,
    /// Two bytes of multicodec, then 32 or 33 of key.
    pub public_key: Bytes,
    /// Seconds since 1970.
    pub created_at: u64,
    /// 24 random bytes.
    pub nonce: Fixed<{ aead::NONCE_LENGTH }>,
    /// The 32 private bytes and a tag.
    pub sealed: Bytes,
}

impl SealedState {
    /// Reads a sealed state. Needs no secret; the content is only authentic once it has been unlocked.
    ///
    /// # Errors
    /// OPERATION_FAILED if it is too long, is damaged (it does not parse, or its checksum is wrong), has another
    /// format, or has costs past their limits. INVALID_PASSPHRASE if its checksum is right but it does not fit
    /// together, so that someone has altered it: no keys, a repeated id, an address that isn't the first key's.
    pub fn parse(text: &str) -> Result<Self, VaultError> {
        #[derive(Deserialize)]
        struct Header {
            format: String,
        }
        if text.len() > MAX_STATE_BYTES {
            return Err(damaged("it is too long"));
        }
        let header: Header =
            serde_json::from_str(text).map_err(|_| damaged("it does not parse"))?;
        if !is_format(&header.format) {
            return Err(VaultError::StateNewer);
        }
        let state: Self = serde_json::from_str(text).map_err(|_| damaged("it does not parse"))?;
        if state.make_checksum()? != state.checksum {
            return Err(damaged("its checksum is wrong"));
        }
        state.check()?;
        Ok(state)
    }

    /// The JSON text, as it is stored.
    ///
    /// # Errors
    /// OPERATION_FAILED if it can't be written.
    pub fn to_text(&self) -> Result<String, VaultError> {
        serde_json::to_string(self)
            .map_err(|_| VaultError::internal("The sealed state cannot be written as JSON."))
    }

    /// Checks each part and how they fit together. Keyhole writes nothing else, so a state with a right checksum that
    /// fails this was altered.
    fn check(&self) -> Result<(), VaultError> {
        if self.keys.is_empty() || self.keys.len() > MAX_KEYS {
            return Err(altered("it has no keys, or too many"));
        }
        if self.methods.is_empty() || self.methods.len() > MAX_METHODS {
            return Err(altered("it has no unlock methods, or too many"));
        }
        if !are_ids(self.keys.iter().map(|key| &key.id))
            || !are_ids(self.methods.iter().map(|method| &method.id))
        {
            return Err(altered("an id is repeated or invalid"));
        }
        if !self.keys.iter().any(|key| key.id == self.default_key) {
            return Err(altered("its default key is missing"));
        }
        let created = self.keys.iter().map(|key| key.created_at);
        let numbers = created.chain(self.methods.iter().map(|method| method.created_at));
        if self.revision == 0 || numbers.chain([self.revision]).any(|n| n > MAX_NUMBER) {
            return Err(altered("a number is out of range"));
        }
        for key in &self.keys {
            let public = key.public_key()?;
            if public.key_type().as_str() != key.key_type {
                return Err(altered("a key has another type than it says"));
            }
        }
        if !derive_address(&self.chain_id, &self.first_key()?.public_key()?)
            .is_ok_and(|address| address == self.address)
        {
            return Err(altered("its address is not its first key's"));
        }
        self.check_methods()
    }

    fn check_methods(&self) -> Result<(), VaultError> {
        let mut seen = BTreeSet::new();
        for method in &self.methods {
            if !KINDS.contains(&method.kind.as_str()) {
                let found = method.kind.chars().take(MAX_ID_LENGTH).collect();
                return Err(VaultError::MethodNewer { found });
            }
            let parameters = method.parameters()?;
            let one = parameters.told_apart_by().map(str::to_string);
            if !seen.insert((&method.kind, one)) {
                return Err(altered("it has an unlock method twice"));
            }
        }
        Ok(())
    }

    /// The key that gives the account its address.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE if there are no keys, which [`SealedState::parse`] refuses.
    pub fn first_key(&self) -> Result<&SealedKey, VaultError> {
        self.keys.first().ok_or_else(|| altered("it has no keys"))
    }

    /// The data key, opened by the method that the proof belongs to.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE if it opens none; OPERATION_FAILED if there isn't enough memory.
    pub(crate) fn open_data_key(
        &self,
        proof: UnlockProof<'_>,
        memory: &mut KdfMemory,
    ) -> Result<Zeroizing<[u8; 32]>, VaultError> {
        for method in &self.methods {
            if let Some(data_key) = method.open(&self.address, proof, memory)? {
                return Ok(data_key);
            }
        }
        Err(proof.refusal())
    }

    /// Sets MAC and checksum.
    pub(crate) fn authenticate(&mut self, data_key: &[u8; 32]) -> Result<(), VaultError> {
        self.mac = Fixed(self.make_mac(data_key)?.finalize().into_bytes().into());
        self.checksum = self.make_checksum()?;
        Ok(())
    }

    /// Whether the MAC is right under this data key, in constant time.
    pub(crate) fn is_authentic(&self, data_key: &[u8; 32]) -> bool {
        self.make_mac(data_key)
            .is_ok_and(|mac| mac.verify_slice(&self.mac.0).is_ok())
    }

    /// What someone who can write to the disk would leave: a corrected checksum.
    #[cfg(test)]
    pub(crate) fn with_checksum(mut self) -> Self {
        if let Ok(checksum) = self.make_checksum() {
            self.checksum = checksum;
        }
        self
    }

    fn make_mac(&self, data_key: &[u8; 32]) -> Result<Hmac<Sha256>, VaultError> {
        let info = if self.format == FORMAT {
            MAC_INFO
        } else {
            MAC_INFO_2
        };
        let key = hkdf(&[], data_key, info)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&key[..])
            .map_err(|_| VaultError::internal("The sealed state cannot be authenticated."))?;
        mac.update(&self.canonical_without(&["mac", "checksum"])?);
        Ok(mac)
    }

    fn make_checksum(&self) -> Result<Fixed<32>, VaultError> {
        let digest = Sha256::digest(self.canonical_without(&["checksum"])?);
        Ok(Fixed(digest.into()))
    }

    fn canonical_without(&self, fields: &[&str]) -> Result<Vec<u8>, VaultError> {
        let mut value = aead::to_json(self)?;
        if let Value::Object(all) = &mut value {
            for field in fields {
                all.remove(*field);
            }
        }
        canonical(&value)
    }
}

impl SealedKey {
    /// Seals a private key for an account.
    pub(crate) fn make(
        address: &str,
        id: &str,
        key: &SecretKey,
        created_at: u64,
        data_key: &[u8; 32],
        random: &mut dyn Random,
    ) -> Result<Self, VaultError> {
        let mut sealed = Self {
            id: id.to_string(),
            key_type: key.key_type().as_str().to_string(),
            public_key: Bytes(key.public_key().to_multicodec()),
            created_at,
            nonce: Fixed([0; aead::NONCE_LENGTH]),
            sealed: Bytes(Vec::new()),
        };
        let plaintext = Zeroizing::new(key.expose().to_vec());
        let SealedBytes {
            nonce,
            sealed: bytes,
        } = aead::seal(data_key, &sealed.binding(address)?, plaintext, random)?;
        sealed.nonce = nonce;
        sealed.sealed = bytes;
        Ok(sealed)
    }

    /// Opens the private key, which must match the public one.
    pub(crate) fn open(&self, address: &str, data_key: &[u8; 32]) -> Option<SecretKey> {
        let sealed = SealedBytes {
            nonce: self.nonce,
            sealed: self.sealed.clone(),
        };
        let bytes = aead::open(data_key, &self.binding(address).ok()?, sealed)?;
        let bytes: &[u8; 32] = bytes.as_slice().try_into().ok()?;
        let key = SecretKey::from_bytes(KeyType::parse(&self.key_type)?, bytes).ok()?;
        (key.public_key().to_multicodec() == self.public_key.0).then_some(key)
    }

    /// The public half.
    ///
    /// # Errors
    /// INVALID_PASSPHRASE if the bytes aren't a public key.
    pub fn public_key(&self) -> Result<PublicKey, VaultError> {
        PublicKey::from_multicodec(&self.public_key.0)
            .map_err(|_| altered("a public key is invalid"))
    }

    fn binding(&self, address: &str) -> Result<Vec<u8>, VaultError> {
        canonical(&json!({
            "format": FORMAT,
            "part": "key",
            "address": address,
            "id": self.id,
            "type": self.key_type,
            "public_key": self.public_key,
        }))
    }
}

/// Whether each is 1 to 64 letters, digits, `-` and `_`, without repetition.
pub(crate) fn are_ids<'a>(ids: impl Iterator<Item = &'a String>) -> bool {
    let mut seen = alloc::collections::BTreeSet::new();
    ids.into_iter().all(|id| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        (1..=MAX_ID_LENGTH).contains(&id.len()) && id.bytes().all(fits) && seen.insert(id)
    })
}

/// For content that Keyhole never writes, under a right checksum: someone made it.
fn altered(how: &'static str) -> VaultError {
    VaultError::StateAltered { how }
}

#[cfg(test)]
#[path = "sealed_state_test.rs"]
mod tests;
